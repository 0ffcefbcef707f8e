import { formatDay, formatTime } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { otherTimeIntent } from "../choices.ts";

/**
 * The free slots nearest to one that cannot be booked, and the calendar: links, or inside the booking form (`inForm`) buttons, which
 * preserve its input.
 */
export function NearestTimes({
  nearest,
  address,
  elsewhere,
  inForm = false,
}: {
  nearest: { date: string; time: string }[];
  address: (slot: { date: string; time: string }) => string;
  elsewhere: string;
  inForm?: boolean;
}) {
  return (
    <nav className="card mb-3" aria-label={m.appointments_nearest()}>
      <h2>{m.appointments_nearest()}</h2>
      <p className="row flex-wrap mt-2">
        {nearest.map((slot) => {
          const when = `${formatDay(slot.date)}, ${formatTime(slot.time)}`;
          return inForm ? (
            <Button key={when} type="submit" name="intent" value={otherTimeIntent(slot)} variant="second" size="sm">
              {when}
            </Button>
          ) : (
            <LinkButton key={when} to={address(slot)} variant="second" size="sm">
              {when}
            </LinkButton>
          );
        })}
        {inForm ? (
          <Button type="submit" name="intent" value={otherTimeIntent()} variant="quiet" size="sm">
            {m.appointments_other_times()}
          </Button>
        ) : (
          <LinkButton to={elsewhere} variant="quiet" size="sm">
            {m.appointments_other_times()}
          </LinkButton>
        )}
      </p>
    </nav>
  );
}

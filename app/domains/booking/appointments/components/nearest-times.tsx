import { formatDay, formatTime } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";

/** Links to the free slots nearest to one that cannot be booked, and to the calendar. The draft preserves the form. */
export function NearestTimes({
  nearest,
  address,
  elsewhere,
}: {
  nearest: { date: string; time: string }[];
  address: (slot: { date: string; time: string }) => string;
  elsewhere: string;
}) {
  return (
    <nav className="card mb" aria-label={m.appointments_nearest()}>
      <h2>{m.appointments_nearest()}</h2>
      <p className="row wrap mt">
        {nearest.map((slot) => (
          <LinkButton key={slot.date + slot.time} to={address(slot)} variant="second" size="sm">
            {formatDay(slot.date)}, {formatTime(slot.time)}
          </LinkButton>
        ))}
        <LinkButton to={elsewhere} variant="quiet" size="sm">
          {m.appointments_other_times()}
        </LinkButton>
      </p>
    </nav>
  );
}

import { href } from "react-router";
import { dayWord } from "#app/domains/booking/appointments/components/next-appointment.tsx";
import { listSlotDays, type SlotDay } from "#app/domains/booking/availability/queries.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { formatDay, formatTime, isDateKey, todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { DateLeaf } from "#app/ui/members/date-leaf.tsx";
import { Badge, Card } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { CardActions } from "#app/ui/staff/card-actions.tsx";
import { EmptyState, Pagination } from "#app/ui/states.tsx";
import type { Route } from "./+types/list.ts";

const DAYS = 20;

export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const from = new URL(request.url).searchParams.get("from") ?? "";
  return {
    ...(await listSlotDays(ctx, { from: isDateKey(from) ? from : undefined, limit: DAYS })),
    today: todayInIndia(ctx.now),
    first: !isDateKey(from),
    // The first practice has the doctor's id.
    practice: ctx.actor.userId,
  };
});

export default function AvailabilityList({ loaderData }: Route.ComponentProps) {
  const { days, next, today, first, practice } = loaderData;
  return (
    <Page wide title={m.availability_title()}>
      <p className="row flex-wrap mb-3">
        <LinkButton to={href("/doctor/availability/add")} icon="calendar-plus">
          {m.availability_add()}
        </LinkButton>
        <LinkButton to={href("/doctor/practices/:id/hours", { id: practice })} variant="second">
          {m.practices_hours_title()}
        </LinkButton>
        <LinkButton to={href("/doctor/availability/week")} variant="second">
          {m.week_open_page()}
        </LinkButton>
        <LinkButton to={href("/doctor/practices")} variant="second">
          {m.practices_title()}
        </LinkButton>
      </p>
      {days.length === 0 ? (
        <EmptyState drawing="time" title={m.availability_none()}>
          {m.availability_none_text()}
        </EmptyState>
      ) : (
        <>
          <p className="row flex-wrap mb-3">
            <Badge>{m.ui_key_free()}</Badge>{" "}
            <Badge tone="info" icon="user-round">
              {m.ui_slot_booked()}
            </Badge>
          </p>
          <div className="grid grid-cols-1 gap-3 tab:grid-cols-2 tab:gap-4">
            {days.map((day) => (
              <Day key={day.date} day={day} today={today} />
            ))}
          </div>
        </>
      )}
      {(next || !first) && (
        <Pagination
          label={m.ui_pages()}
          previous={first ? null : { to: href("/doctor/availability"), label: m.availability_first() }}
          next={next ? { to: `?from=${next}`, label: m.ui_next() } : null}
        />
      )}
    </Page>
  );
}

function Day({ day, today }: { day: SlotDay; today: string }) {
  return (
    <Card>
      <div className="row items-start">
        <DateLeaf date={day.date} />
        <div className="grow">
          <h2 className="mt-0.5">{dayWord(day.date, today)}</h2>
          <ul className="row flex-wrap mt-2 gap-1.5">
            {day.slots.map((slot) => (
              <li key={slot.time}>
                <Badge {...(slot.booked ? { tone: "info" as const, icon: "user-round" as const } : {})}>
                  {formatTime(slot.time)}
                  {slot.booked && <span className="sr-only"> {m.ui_slot_booked()}</span>}
                </Badge>
              </li>
            ))}
          </ul>
        </div>
      </div>
      <CardActions>
        <LinkButton
          to={href("/doctor/availability/change/:date", { date: day.date })}
          variant="second"
          size="sm"
          aria-label={m.availability_change_of({ day: formatDay(day.date) })}
        >
          {m.availability_change()}
        </LinkButton>
        <LinkButton
          to={href("/doctor/availability/delete/:date", { date: day.date })}
          variant="quiet"
          size="sm"
          className="end"
          aria-label={m.availability_delete_of({ day: formatDay(day.date) })}
        >
          {m.availability_delete()}
        </LinkButton>
      </CardActions>
    </Card>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.availability_title() }) }];

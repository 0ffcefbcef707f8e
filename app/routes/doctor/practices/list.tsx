import { href } from "react-router";
import { HoursList } from "#app/domains/clinic/practices/components/hours-list.tsx";
import { LeaveRow } from "#app/domains/clinic/practices/components/leave-row.tsx";
import { listLeaves } from "#app/domains/clinic/practices/leave.server.ts";
import { listPractices, type PracticeRow } from "#app/domains/clinic/practices/queries.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { formatRupees } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Badge, Card } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { CardActions } from "#app/ui/staff/card-actions.tsx";
import type { Route } from "./+types/list.ts";

export const loader = loadOwn(async (ctx) => {
  const [practices, leaves] = await Promise.all([listPractices(ctx), listLeaves(ctx)]);
  return { practices, leaves };
});

export default function Practices({ loaderData }: Route.ComponentProps) {
  const { practices, leaves } = loaderData;
  const placeOf = (id: string | null) => practices.find((practice) => practice.id === id)?.place ?? m.practices_everywhere();
  return (
    <Page wide title={m.practices_title()} back={{ to: href("/doctor/profile"), label: m.ui_place_profile() }}>
      <div className="grid grid-cols-1 gap-3 tab:grid-cols-2 tab:gap-4">
        {practices.map((practice) => (
          <Place key={practice.id} practice={practice} />
        ))}
      </div>
      <p className="row flex-wrap mt-4">
        <LinkButton to={href("/doctor/practices/add")} variant="second" icon="plus">
          {m.practices_add()}
        </LinkButton>
      </p>
      <section className="mt-7" aria-labelledby="h-leave">
        <h2 id="h-leave">{m.practices_leave()}</h2>
        {leaves.length === 0 ? (
          <p className="text-ink-soft mb-3">{m.practices_leave_none()}</p>
        ) : (
          <ul className="space-y-4 mb-3">
            {leaves.map((leave) => (
              <LeaveRow key={leave.id} leave={leave} place={placeOf(leave.practiceId)} />
            ))}
          </ul>
        )}
        <LinkButton to={href("/doctor/leave/add")} variant="second" icon="calendar-x">
          {m.practices_leave_add()}
        </LinkButton>
      </section>
    </Page>
  );
}

function Place({ practice }: { practice: PracticeRow }) {
  const { id, place, address, city, fee, slotMinutes, patientsPerSlot, mode, seatsPerSession, hours, state, isEntered } = practice;
  const name = place ?? m.practices_no_place();
  return (
    <Card>
      <h2 className="mt-0.5">{name}</h2>
      <p className="text-ink-soft">{address ?? city}</p>
      {state === "asked" && <Badge tone="warn">{isEntered ? m.practices_unlisted_waits() : m.practices_asked()}</Badge>}
      <p className="num mt-2">
        {fee === null ? m.doctors_fee_unknown() : m.appointments_fee_of({ fee: formatRupees(fee) })}
        {", "}
        {mode === "tokens" ? m.practices_tokens_of({ count: seatsPerSession }) : m.practices_minutes({ count: slotMinutes })}
        {mode === "slots" && patientsPerSlot > 1 && `, ${m.practices_seats_of({ count: patientsPerSlot })}`}
      </p>
      <div className="mt-2">
        <HoursList hours={hours} />
      </div>
      <CardActions>
        <LinkButton
          to={href("/doctor/practices/:id/hours", { id })}
          variant="second"
          size="sm"
          aria-label={m.practices_hours_of({ place: name })}
        >
          {m.practices_set_hours()}
        </LinkButton>
        <LinkButton
          to={href("/doctor/practices/:id", { id })}
          variant="quiet"
          size="sm"
          className="end"
          aria-label={m.practices_change_of({ place: name })}
        >
          {m.practices_change()}
        </LinkButton>
      </CardActions>
    </Card>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.practices_title() }) }];

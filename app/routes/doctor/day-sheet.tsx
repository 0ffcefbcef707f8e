import { href } from "react-router";
import { readDaySheet } from "#app/domains/booking/appointments/doctor-queries.server.ts";
import { statusWord } from "#app/domains/booking/appointments/words.ts";
import { getDoctorName } from "#app/domains/directory/doctors/queries.server.ts";
import { bookedPatientWord } from "#app/domains/platform/users/age-words.ts";
import { visitTimeWord } from "#app/domains/token-words.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { addDays, formatDayLong, isDateKey } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Page } from "#app/ui/shell.tsx";
import { RowsTable } from "#app/ui/staff/table.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import type { Route } from "./+types/day-sheet.ts";

export const loader = load(async ({ context, params: { date } }: Route.LoaderArgs) => {
  // The years of the calendar pages. PostgreSQL has others that we could not format.
  if (!isDateKey(date) || date < "2000-01-01" || date > "2099-12-30") throw new DomainError("not-found");
  const ctx = actorCtxOf(context);
  const [visits, doctor] = await Promise.all([readDaySheet(ctx, date), getDoctorName(ctx)]);
  return { date, visits, doctor };
});

/** A day of appointments for printing. */
export default function DaySheet({ loaderData }: Route.ComponentProps) {
  const { date, visits, doctor } = loaderData;
  const hydrated = useHydrated();
  const on = (day: string) => href("/doctor/appointments/day/:date", { date: day });
  return (
    <Page
      wide
      title={m.appointments_day_sheet()}
      titleAs="p"
      back={{ to: href("/doctor/appointments"), label: m.appointments_doctor_title() }}
      className="print:max-w-none print:p-0"
    >
      <div className="row flex-wrap print:hidden mb-3">
        <LinkButton to={on(addDays(date, -1))} variant="second" size="sm" icon="chevron-left">
          {m.appointments_day_before()}
        </LinkButton>
        <LinkButton to={on(addDays(date, 1))} variant="second" size="sm" iconEnd="chevron-right">
          {m.appointments_day_after()}
        </LinkButton>
        {hydrated ? (
          <Button size="sm" icon="file-text" onClick={() => window.print()}>
            {m.appointments_day_print()}
          </Button>
        ) : (
          <p className="text-sm text-ink-soft">{m.appointments_day_print_hint()}</p>
        )}
      </div>
      <h1>{formatDayLong(date)}</h1>
      <p className="text-ink-soft">
        {doctor}, {m.appointments_day_sheet_count({ count: visits.length })}
      </p>
      {visits.length === 0 ? (
        <p className="mt-4">{m.appointments_day_sheet_none()}</p>
      ) : (
        <RowsTable className="mt-4" label={m.appointments_day_sheet_of({ day: formatDayLong(date) })}>
          <thead>
            <tr>
              <th scope="col">{m.appointments_day_time()}</th>
              <th scope="col">{m.appointments_patient()}</th>
              <th scope="col">{m.appointments_age()}</th>
              <th scope="col">{m.appointments_phone()}</th>
              <th scope="col">{m.appointments_reason()}</th>
              <th scope="col">{m.appointments_status()}</th>
            </tr>
          </thead>
          <tbody>
            {visits.map((a) => (
              <tr key={a.id}>
                <td>
                  <time dateTime={a.time}>{visitTimeWord(a)}</time>
                </td>
                <td>
                  <b>{a.patientName}</b>
                </td>
                <td data-label={m.appointments_age()}>{bookedPatientWord(a)}</td>
                <td data-label={m.appointments_phone()}>
                  <a className="num" href={`tel:${a.patientPhone}`}>
                    {formatPhone(a.patientPhone)}
                  </a>
                </td>
                <td data-label={m.appointments_reason()}>{a.reason || m.appointments_not_specified()}</td>
                <td data-label={m.appointments_status()}>{statusWord(a.status)}</td>
              </tr>
            ))}
          </tbody>
        </RowsTable>
      )}
    </Page>
  );
}

export const meta: Route.MetaFunction = ({ loaderData }) => [
  {
    title: m.ui_title({
      page: loaderData ? m.appointments_day_sheet_of({ day: formatDayLong(loaderData.date) }) : m.appointments_day_sheet(),
    }),
  },
];

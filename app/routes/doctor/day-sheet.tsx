import { href } from "react-router";
import { DaySheet, daySheetTitle } from "#app/domains/booking/appointments/components/day-sheet.tsx";
import { readDaySheet } from "#app/domains/booking/appointments/doctor-queries.server.ts";
import { statusWord } from "#app/domains/booking/appointments/words.ts";
import { getDoctorName } from "#app/domains/directory/doctors/queries.server.ts";
import { bookedPatientWord } from "#app/domains/platform/users/age-words.ts";
import { visitTimeWord } from "#app/domains/token-words.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { formatDayLong } from "#app/lib/dates.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import { RowsTable } from "#app/ui/staff/table.tsx";
import { dayOfSheet } from "../agenda/day-of-sheet.ts";
import type { Route } from "./+types/day-sheet.ts";

export const loader = load(async ({ context, params: { date } }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  const day = dayOfSheet(date);
  const [visits, doctor] = await Promise.all([readDaySheet(ctx, day), getDoctorName(ctx)]);
  return { date: day, visits, doctor };
});

/** A day of appointments for printing. */
export default function DoctorDaySheet({ loaderData }: Route.ComponentProps) {
  const { date, visits, doctor } = loaderData;
  return (
    <DaySheet
      date={date}
      on={(day) => href("/doctor/appointments/day/:date", { date: day })}
      back={{ to: href("/doctor/appointments"), label: m.appointments_doctor_title() }}
      summary={`${doctor}, ${m.appointments_day_sheet_count({ count: visits.length })}`}
    >
      {visits.length === 0 ? (
        <p className="mt-4">{m.appointments_day_sheet_none()}</p>
      ) : (
        <RowsTable
          className="mt-4"
          label={m.appointments_day_sheet_of({ day: formatDayLong(date) })}
          heads={[
            m.appointments_day_time(),
            m.appointments_patient(),
            m.appointments_age(),
            m.appointments_phone(),
            m.appointments_reason(),
            m.appointments_status(),
          ]}
        >
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
        </RowsTable>
      )}
    </DaySheet>
  );
}

export const meta: Route.MetaFunction = ({ loaderData }) => daySheetTitle(loaderData?.date);

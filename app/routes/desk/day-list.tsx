import { data, href } from "react-router";
import { dayStateWord } from "#app/domains/booking/appointments/components/day-badge.tsx";
import { DaySheet, daySheetTitle } from "#app/domains/booking/appointments/components/day-sheet.tsx";
import { readDayList } from "#app/domains/clinic/agenda/day-list.server.ts";
import { listAddress } from "#app/http/list-state.ts";
import { load } from "#app/http/load.server.ts";
import { formatDayLong, formatTime, timeInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { RowsTable } from "#app/ui/staff/table.tsx";
import { dayOfSheet } from "../agenda/day-of-sheet.ts";
import { chosenDoctor, deskOf } from "../agenda/desk.server.ts";
import type { Route } from "./+types/day-list.ts";

export const loader = load(async ({ context, request, params }: Route.LoaderArgs) => {
  const date = dayOfSheet(params.date);
  const { ctx, headers, ...desk } = await deskOf(context, request);
  const { doctor, scope } = chosenDoctor(desk, request);
  const rows = await readDayList(ctx, { ...scope, hospitalId: desk.place.id }, date);
  return data({ date, doctor: doctor ?? "", place: desk.place.name, rows, now: timeInIndia(ctx.now) }, { headers });
});

/** All patients of a day at a place for printing: one line each. */
export default function DayList({ loaderData: { date, doctor, place, rows, now } }: Route.ComponentProps) {
  const walkIns = rows.filter(({ walkIn }) => walkIn).length;
  const counts = [
    m.appointments_day_sheet_count({ count: rows.length - walkIns }),
    walkIns > 0 && m.desk_day_walk_ins({ count: walkIns }),
    m.desk_day_as_of({ time: formatTime(now) }),
  ];
  return (
    <DaySheet
      date={date}
      on={(day) => listAddress(href("/desk/day/:date", { date: day }), { doctor })}
      back={{ to: listAddress(href("/desk"), { doctor, day: date }), label: m.desk_agenda() }}
      summary={[place, ...counts.filter(Boolean)].join(", ")}
    >
      {rows.length === 0 ? (
        <p className="mt-4">{m.appointments_day_sheet_none()}</p>
      ) : (
        <RowsTable
          className="mt-4"
          label={m.appointments_day_sheet_of({ day: formatDayLong(date) })}
          heads={[
            m.appointments_day_time(),
            m.agenda_token(),
            m.appointments_patient(),
            m.appointments_doctor(),
            m.appointments_status(),
            m.agenda_due(),
          ]}
        >
          {rows.map((row) => (
            <tr key={row.id}>
              <td>
                <time dateTime={row.time}>{formatTime(row.time)}</time>
              </td>
              <td data-label={m.agenda_token()} className="num">
                {row.number}
              </td>
              <td>
                <b>{row.name || m.queue_name_erased()}</b> {row.walkIn && <span className="text-ink-soft">{m.queue_walk_in()}</span>}
              </td>
              <td data-label={m.appointments_doctor()}>{row.doctor}</td>
              <td data-label={m.appointments_status()}>{dayStateWord(row.state, row.at)}</td>
              <td data-label={m.agenda_due()} className="num">
                {row.due}
              </td>
            </tr>
          ))}
        </RowsTable>
      )}
    </DaySheet>
  );
}

export const meta: Route.MetaFunction = ({ loaderData }) => daySheetTitle(loaderData?.date);

import { type DayState, dayStateOf, sinceOf, walkInStateOf } from "#app/domains/booking/appointments/day-state.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { listDayTokens } from "#app/domains/waiting-room/token-page/row-estimates.server.ts";
import { listWalkIns } from "#app/domains/waiting-room/token-page/walk-ins.server.ts";
import type { DateKey, TimeKey } from "#app/lib/dates.ts";
import type { QueueEntryState } from "#app/lib/vocabulary.ts";
import type { AgendaScope } from "./agenda.ts";
import { listDay } from "./queries.server.ts";

/** A line of the day list. `at`: since when a patient is here or has left. `walkIn`: without an appointment, `time` is that of arrival. */
export type DayListRow = {
  id: string;
  time: TimeKey;
  number: number | null;
  name: string;
  doctor: string;
  state: DayState | QueueEntryState;
  at: TimeKey | null;
  due: string | null;
  walkIn: boolean;
};

/** Returns all patients of a day at a place, by time, for paper: appointments and walk-ins, nothing of health. */
export async function readDayList(ctx: Ctx, scope: AgendaScope & { hospitalId: string }, date: DateKey): Promise<DayListRow[]> {
  const [visits, walkIns] = await Promise.all([listDay(ctx, scope, date), listWalkIns(ctx, scope, date)]);
  const tokens = await listDayTokens(ctx, visits);
  const booked = visits.map((row): DayListRow => {
    const token = tokens[row.id];
    const state = dayStateOf(row, token);
    return {
      id: row.id,
      time: row.expectedTime ?? row.time,
      number: token?.number ?? row.token,
      name: row.patientName,
      doctor: row.doctorName,
      state,
      at: sinceOf(state, token),
      due: row.payment.due,
      walkIn: false,
    };
  });
  const rest = walkIns.map(({ id, time, patientName, doctorName, token }): DayListRow => {
    const state = walkInStateOf(token);
    return {
      id,
      time,
      number: token.number,
      name: patientName,
      doctor: doctorName,
      state,
      at: sinceOf(state, token),
      due: null,
      walkIn: true,
    };
  });
  return [...booked, ...rest].sort((a, b) => a.time.localeCompare(b.time) || (a.number ?? 0) - (b.number ?? 0));
}

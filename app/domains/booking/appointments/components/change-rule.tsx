import type { Minute } from "#app/domains/visit-time.ts";
import { formatDayShort, formatTime } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";

/** Shows until when a visit can be changed. `deadline` null: less than 24 hours are left. */
export const changeRuleWord = (deadline: Minute | null): string =>
  deadline
    ? m.appointments_change_until({ when: `${formatDayShort(deadline.date)}, ${formatTime(deadline.time)}` })
    : m.appointments_change_soon();

import { isOpen } from "#app/domains/appointment.state.ts";
import { type Cancellable, cancelDeadline, hasPassed, hasStarted, isCancellable, minuteInIndia } from "#app/domains/visit-time.ts";
import { formatDate, formatDay, formatTime } from "#app/lib/dates.ts";
import { formatRupees, type Paise } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";

/** The refund policy of an appointment in words. `soon`: a warning for a booking after the deadline of an accepted one. */
export type RefundTerms = { title: string; rows: [string, string][]; soon: string };

/** Returns what the patient gets back in each case, for the page before paying. `amount`: what the patient pays; null where no fee is known. */
export function refundTerms(visit: Cancellable, amount: Paise | null, now: Date): RefundTerms {
  const all = amount === null ? m.refunds_back_all() : m.refunds_back({ amount: formatRupees(amount) });
  const rows: RefundTerms["rows"] = [[m.refunds_clinic(), all]];
  if (visit.status === "pending") rows.push([m.refunds_pending(), all]);
  const { date, time } = cancelDeadline(visit);
  const inTime = !hasPassed({ date, time }, minuteInIndia(now));
  if (inTime) rows.push([m.refunds_until({ when: `${formatDay(date)}, ${formatTime(time)}` }), all]);
  rows.push([inTime || visit.status === "pending" ? m.refunds_later() : m.refunds_from_now(), m.refunds_nothing_here()]);
  return { title: m.refunds_title(), rows, soon: inTime || hasStarted(now, visit) ? "" : m.refunds_soon({ hours: visit.refundHours }) };
}

/** Returns what the patient gets back of a payment if the appointment is cancelled, for its receipt. Null when it can no longer be cancelled. */
export function refundLine(visit: Cancellable, now: Date): string | null {
  if (!isOpen(visit) || hasStarted(now, visit)) return null;
  if (visit.movedByDoctor || visit.doctorDelisted) return m.refunds_line_always();
  const { date, time } = cancelDeadline(visit);
  if (!hasPassed({ date, time }, minuteInIndia(now))) return m.refunds_line_until({ when: `${formatDate(date)}, ${formatTime(time)}` });
  return visit.status === "pending" ? m.refunds_line_pending() : m.refunds_line_doctor();
}

/** Returns what the patient gets back of the clinic and of the platform fee if they cancel now. Empty when nothing was paid, or the patient can no longer cancel. */
export const refundNowWord = (visit: Cancellable, paid: Paise, now: Date): string =>
  paid > 0 && isCancellable(now, visit) ? m.refunds_now({ amount: formatRupees(paid) }) : "";

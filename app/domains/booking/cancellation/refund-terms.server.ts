import { isOpen } from "#app/domains/appointment.state.ts";
import { minuteInIndia } from "#app/domains/visit-time.ts";
import { formatDate, formatDay, formatTime, instantInIndia } from "#app/lib/dates.ts";
import { formatRupees, type Paise } from "#app/lib/money.ts";
import type { AppointmentStatus } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { refundOfCancellation, refundUntil } from "./refund-policy.ts";

type Visit = {
  status: AppointmentStatus;
  date: string;
  time: string;
  refundHours: number;
  doctorDelisted: boolean;
  movedByDoctor: boolean;
};
/** The refund policy of an appointment in words. `soon`: a warning for a booking within the hours of the policy. */
export type RefundTerms = { title: string; rows: [string, string][]; soon: string };

/** Returns what the patient gets back in each case, for the page before paying. `amount`: what the patient pays; null where no fee is known. */
export function refundTerms(visit: Visit, amount: Paise | null, now: Date): RefundTerms {
  const policy = { hours: visit.refundHours };
  const startsAt = instantInIndia(visit.date, visit.time);
  const all = amount === null ? m.refunds_back_all() : m.refunds_back({ amount: formatRupees(amount) });
  const rows: RefundTerms["rows"] = [[m.refunds_clinic(), all]];
  if (visit.status === "pending") rows.push([m.refunds_pending(), all]);
  const until = refundUntil({ startsAt, policy });
  const accepted = { status: "accepted", startsAt, cancelledBy: "patient", now, policy } as const;
  const inTime = refundOfCancellation(accepted) === "full";
  if (inTime) {
    const { date, time } = minuteInIndia(until);
    rows.push([m.refunds_until({ when: `${formatDay(date)}, ${formatTime(time)}` }), all]);
  }
  rows.push([m.refunds_later(), visit.movedByDoctor || visit.doctorDelisted ? all : m.refunds_nothing()]);
  return { title: m.refunds_title(), rows, soon: inTime || visit.movedByDoctor ? "" : m.refunds_soon({ hours: visit.refundHours }) };
}

/** Returns what the patient gets back of a payment if the appointment is cancelled, for its receipt. Null when it can no longer be cancelled. */
export function refundLine(visit: Visit, now: Date): string | null {
  const startsAt = instantInIndia(visit.date, visit.time);
  if (!isOpen(visit) || startsAt <= now) return null;
  if (visit.movedByDoctor || visit.doctorDelisted) return m.refunds_line_always();
  const policy = { hours: visit.refundHours };
  if (refundOfCancellation({ status: "accepted", startsAt, cancelledBy: "patient", now, policy }) === "full") {
    const { date, time } = minuteInIndia(refundUntil({ startsAt, policy }));
    return m.refunds_line_until({ when: `${formatDate(date)}, ${formatTime(time)}` });
  }
  return visit.status === "pending" ? m.refunds_line_pending() : m.refunds_line_doctor();
}

/** Returns what the clinic gives back if the patient cancels now. Empty when nothing was paid. */
export function refundNowWord(visit: Visit, paid: Paise, now: Date): string {
  if (paid <= 0) return "";
  const changedByClinic = visit.movedByDoctor || visit.doctorDelisted;
  const startsAt = instantInIndia(visit.date, visit.time);
  const refund = refundOfCancellation({
    status: visit.status,
    startsAt,
    cancelledBy: "patient",
    now,
    policy: { hours: visit.refundHours },
    changedByClinic,
  });
  return refund === "full" ? m.refunds_now({ amount: formatRupees(paid) }) : m.refunds_nothing();
}

import { dueOf, paymentStatusOf, recordableOf, type VisitMoney } from "#app/domains/booking/payments/payment-status.ts";
import { paymentLine } from "#app/domains/booking/payments/words.ts";
import type { DateKey } from "#app/lib/dates.ts";
import { formatRupees } from "#app/lib/money.ts";
import type { PaymentMethod, ReceivedBy } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { paymentStatusWord, receivedByWord } from "./words.ts";

/**
 * The payment of an appointment in a list. `open`: something is left to do. `record`: what staff can record. `due`: what can be taken now. Nothing
 * on earlier days without recorded payments, because it may have been paid.
 */
export type RowPayment = { text: string; open: boolean; record: "due" | "instead" | null; due: string | null };

type Visit = VisitMoney & { paymentMethod: PaymentMethod | null; methods: readonly ReceivedBy[]; since: DateKey | null };

/** Returns what a row of a clinic shows: what was paid, what is due, or how the patient chose to pay while nothing is recorded. */
export function rowPayment(visit: Visit, today: DateKey): RowPayment {
  const row = paymentOf(visit);
  const due = dueOf(visit);
  const isKnown = visit.date >= today || (visit.since !== null && visit.date >= visit.since);
  return { ...row, due: row.record === "due" && due && isKnown ? formatRupees(due) : null };
}

function paymentOf(visit: Visit): Omit<RowPayment, "due"> {
  const state = paymentStatusOf(visit, visit.since);
  const due = dueOf(visit);
  const record = recordableOf(visit);
  const left = formatRupees(visit.received - visit.refunded);
  if (state === "paid")
    return { text: m.refunds_row_paid({ amount: left, method: visit.methods.map(receivedByWord).join(", ") }), open: false, record };
  if (state === "part-paid") return { text: m.refunds_row_part({ amount: formatRupees(due ?? 0) }), open: true, record };
  if (state === "refund-due") return { text: m.refunds_row_due({ amount: left }), open: true, record };
  if (state === "refund-failed") return { text: m.refunds_row_failed({ amount: formatRupees(visit.notReturned!) }), open: true, record };
  const isRecordable = state === "not-paid" || state === "not-recorded";
  if (isRecordable && visit.status !== "completed") return { ...paymentLine(visit), record };
  return { text: paymentStatusWord(state), open: state === "not-paid", record };
}

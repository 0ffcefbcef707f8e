import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { payments } from "#app/db/schema/index.ts";
import { sealed } from "#app/db/sealed.server.ts";
import { dueOf } from "#app/domains/booking/payments/payment-status.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { formatRupees, type Paise, paise } from "#app/lib/money.ts";
import type { ReceivedBy } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { receiveLines } from "../ledger/ledger.ts";
import { postTransfer } from "../ledger/post-transfer.server.ts";
import { issueReceipt } from "../receipts/issue-receipt.server.ts";
import { type HandledFor, handledVisit } from "./handled-visit.server.ts";
import { sumsOf } from "./payment-line.ts";

export type RecordPaymentInput = HandledFor & {
  appointmentId: string | undefined;
  method: ReceivedBy;
  amount: Paise;
  /** The reference of the payer's bank. */
  reference: string | null;
  /** The form's key: a second press records nothing and returns the first payment. */
  key: string;
};

/**
 * Records money that the clinic received for an appointment: payment, ledger entries and receipt in one transaction. Returns the payment's id.
 * @throws DomainError("not-found" | "forbidden"), "conflict" for a cancelled appointment or when nothing is due, "invalid" for more than is due
 */
export function recordPayment(ctx: Ctx<Actor>, input: RecordPaymentInput): Promise<string> {
  const { method, amount } = input;
  return transact(ctx, async (open) => {
    const { visit, acting: tx } = await handledVisit(open, input.appointmentId, input, { lock: true });
    const [first] = await tx.db
      .select({ id: payments.id })
      .from(payments)
      .where(and(eq(payments.appointmentId, visit.id), eq(payments.idempotencyKey, input.key)));
    if (first) return first.id;
    if (visit.status === "cancelled") throw new DomainError("conflict", m.money_cancelled());
    const sums = sumsOf(
      await tx.db
        .select({ amount: payments.amount, refunded: payments.refunded, corrected: payments.corrected })
        .from(payments)
        .where(eq(payments.appointmentId, visit.id)),
    );
    const due = dueOf({ ...visit, ...sums });
    if (due === 0) throw new DomainError("conflict", m.money_nothing_due());
    if (due !== null && amount > due)
      throw new DomainError("invalid", undefined, { fields: { amount: [m.money_amount_over({ due: formatRupees(due) })] } });
    const id = randomUUID();
    const merchantId = visit.staffedPlaceId ?? visit.doctorId;
    await tx.db.insert(payments).values({
      id,
      appointmentId: visit.id,
      doctorId: visit.doctorId,
      merchantId,
      method,
      amount,
      reference: sealed(payments.reference, id, input.reference),
      idempotencyKey: input.key,
      receivedAt: tx.now,
    });
    // Nadi bears the discount once: with the first payment, or the first after everything was refunded.
    const about = { paymentId: id, merchantId, doctorId: visit.doctorId };
    await postTransfer(tx, about, receiveLines(method, amount, sums.received === sums.refunded ? visit.discount : paise(0)));
    await issueReceipt(tx, { ...about, placeId: visit.placeId });
    await recordChange(tx, "payment.receive", {
      subject: { payment: id, appointment: visit.id },
      people: { patient: visit.patientId, doctor: visit.doctorId },
      data: { to: "captured" },
      details: { method, amount },
    });
    return id;
  });
}

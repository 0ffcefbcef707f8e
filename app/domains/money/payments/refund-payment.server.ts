import { randomUUID } from "node:crypto";
import { and, eq, inArray, sql } from "drizzle-orm";
import { ledgerEntries, payments, refunds } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordAudit } from "#app/domains/platform/audit/record.server.ts";
import { recordEvent } from "#app/domains/platform/events/record-event.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { formatRupees, type Paise } from "#app/lib/money.ts";
import type { ReceivedBy, RefundReason } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { publish } from "#app/realtime/channels.server.ts";
import { refundLines } from "../ledger/ledger.ts";
import { postTransfer } from "../ledger/post-transfer.server.ts";
import { type HandledFor, handledVisit } from "./handled-visit.server.ts";
import { PAYMENT_ACTIONS, refundAction } from "./payment.state.ts";

export type RefundInput = HandledFor & {
  paymentId: string | undefined;
  method: ReceivedBy;
  amount: Paise;
  reason: RefundReason;
  /** The form's key: a second press records nothing. */
  key: string;
};

/**
 * Records money that the clinic returned, or a payment that was recorded by mistake: refund and ledger entries in one transaction.
 * @throws DomainError("not-found" | "forbidden"), "conflict" when everything is refunded, "invalid" for more than is left
 */
export function refundPayment(ctx: Ctx<Actor>, input: RefundInput): Promise<void> {
  const { paymentId, method, amount, reason } = input;
  if (!isUuid(paymentId)) return Promise.reject(new DomainError("not-found"));
  return transact(ctx, async (open) => {
    const [of] = await open.db.select({ visit: payments.appointmentId }).from(payments).where(eq(payments.id, paymentId));
    const { visit, acting: tx } = await handledVisit(open, of?.visit, input, { lock: true });
    const [payment] = await tx.db.select().from(payments).where(eq(payments.id, paymentId));
    const [again] = await tx.db
      .select({ id: refunds.id })
      .from(refunds)
      .where(and(eq(refunds.paymentId, paymentId), eq(refunds.idempotencyKey, input.key)));
    if (again) return;
    const left = payment!.amount - payment!.refunded;
    if (left === 0) throw new DomainError("conflict", m.money_refunded_already());
    if (amount > left)
      throw new DomainError("invalid", undefined, { fields: { amount: [m.money_amount_over_refund({ left: formatRupees(left) })] } });
    const action = refundAction(left - amount);
    const { from, to } = PAYMENT_ACTIONS[action];
    const id = randomUUID();
    await tx.db.insert(refunds).values({ id, paymentId, method, amount, reason, idempotencyKey: input.key, refundedAt: tx.now });
    await tx.db
      .update(payments)
      .set({ refunded: payment!.refunded + amount, corrected: payment!.corrected + (reason === "mistake" ? amount : 0), state: to })
      .where(and(eq(payments.id, paymentId), inArray(payments.state, [...from])));
    const about = { paymentId, merchantId: payment!.merchantId, doctorId: visit.doctorId, refundId: id };
    await postTransfer(tx, about, refundLines(method, amount, await discountToReturn(tx, visit.id)));
    await recordAudit(tx, {
      action: "refund-payment",
      subjectType: "appointment",
      subjectId: visit.id,
      personId: visit.patientId,
      details: { method, amount, refundReason: reason },
    });
    await recordEvent(tx, { kind: `payment.${action}`, subjectId: paymentId, doctorId: visit.doctorId, data: { to } });
    await publish(tx, visit.patientId, "appointmentChanged", { _id: visit.id });
  });
}

/** Returns the discount that Nadi bore for an appointment, if nothing of its fee stays paid; otherwise 0. */
async function discountToReturn(tx: Ctx, appointmentId: string): Promise<Paise> {
  const [of] = await tx.db
    .select({
      left: sql<number>`coalesce(sum(${payments.amount} - ${payments.refunded}), 0)::float8`,
      discount: sql<number>`coalesce((select sum(e.amount) from ${ledgerEntries} e where e.account = 'discount'
        and e.payment_id in (select p.id from payments p where p.appointment_id = ${appointmentId})), 0)::float8`,
    })
    .from(payments)
    .where(eq(payments.appointmentId, appointmentId));
  return of!.left === 0 ? of!.discount : 0;
}

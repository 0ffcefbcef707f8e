import { and, eq } from "drizzle-orm";
import { payments, refunds } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { formatRupees, minus, type Paise } from "#app/lib/money.ts";
import type { ReceivedBy, RefundReason } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { createRefund } from "./create-refund.server.ts";
import { type HandledFor, handledVisit } from "./handled-visit.server.ts";
import { returnPlatformFees } from "./return-fees.server.ts";

export type RefundInput = HandledFor & {
  paymentId: string | undefined;
  /** `online`: the provider returns the money. Only for a payment that it received. */
  method: ReceivedBy;
  amount: Paise;
  reason: RefundReason;
  /** The form's key: a second press records nothing. */
  key: string;
};

/**
 * A refund by hand: records money that the clinic returned, or a payment that was recorded by mistake: refund and ledger entries in one transaction. With the method
 * `online` the provider returns it. With the last part the provider returns the platform fee, whatever the method.
 * @throws DomainError("not-found" | "forbidden"), "conflict" when everything is refunded, "invalid" for more than is left
 */
export function refundPayment(ctx: Ctx<Actor>, input: RefundInput): Promise<void> {
  const { paymentId, method, amount, reason } = input;
  if (!isUuid(paymentId)) return Promise.reject(new DomainError("not-found"));
  return transact(ctx, async (open) => {
    const [of] = await open.db
      .select({ visit: payments.appointmentId, receivedBy: payments.merchantId })
      .from(payments)
      .where(eq(payments.id, paymentId));
    const { visit, acting: tx } = await handledVisit(open, of?.visit, input, { lock: true, receivedBy: of?.receivedBy });
    const [payment] = await tx.db.select().from(payments).where(eq(payments.id, paymentId));
    const [again] = await tx.db
      .select({ id: refunds.id })
      .from(refunds)
      .where(and(eq(refunds.paymentId, paymentId), eq(refunds.idempotencyKey, input.key)));
    if (again) return;
    const isOnline = payment!.method === "online";
    // Only what was typed at the desk can be a mistake.
    if ((method === "online" && !(isOnline && tx.integrations.payments)) || (isOnline && reason === "mistake"))
      throw new DomainError("invalid");
    const left = minus(payment!.amount, payment!.refunded);
    if (left === 0) throw new DomainError("conflict", m.money_refunded_already());
    if (amount > left)
      throw new DomainError("invalid", undefined, { fields: { amount: [m.money_amount_over_refund({ left: formatRupees(left) })] } });
    await createRefund(tx, { paymentId, patientId: visit.patientId, method, amount, reason, key: input.key });
    await returnPlatformFees(tx, visit);
  });
}

import { and, eq } from "drizzle-orm";
import { payments, providerRefunds, refunds } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import type { ReceivedBy } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { createRefund } from "../payments/create-refund.server.ts";
import { type HandledFor, handledVisit } from "../payments/handled-visit.server.ts";
import { returnPlatformFees } from "../payments/return-fees.server.ts";
import { settleDiscount } from "../payments/settle-discount.server.ts";
import { withdrawRefund } from "../payments/withdraw-refund.server.ts";
import { retryLocked } from "./retry-refund.server.ts";
import { requestAccountReturn } from "./send-account-return.server.ts";

type Input = HandledFor & { paymentId: string | undefined; failed: string; method: ReceivedBy; key: string };

/**
 * Returns the money of a refund that failed at the provider: sends it again (`online`), or records that the clinic returned it in another way. Its payout
 * account then gets back what it paid for the refund, and the provider returns the platform fee in a refund of its own.
 * @throws DomainError("not-found" | "forbidden"), "conflict" when it is under way or done meanwhile
 */
export function returnFailedRefund(ctx: Ctx<Actor>, { paymentId, failed, method, key, hospitalId }: Input): Promise<void> {
  if (!isUuid(paymentId) || !isUuid(failed)) return Promise.reject(new DomainError("not-found"));
  return transact(ctx, async (open) => {
    const [payment] = await open.db.select().from(payments).where(eq(payments.id, paymentId));
    const of = { lock: true, receivedBy: payment?.merchantId };
    const { visit, acting: tx } = await handledVisit(open, payment?.appointmentId, { hospitalId }, of);
    const [refund] = await tx.db
      .select({ amount: refunds.amount, reason: refunds.reason, state: providerRefunds.state })
      .from(refunds)
      .innerJoin(providerRefunds, eq(providerRefunds.refundId, refunds.id))
      .where(and(eq(refunds.id, failed), eq(refunds.paymentId, paymentId)));
    if (!refund) throw new DomainError("not-found");
    const [again] = await tx.db
      .select({ id: refunds.id })
      .from(refunds)
      .where(and(eq(refunds.paymentId, paymentId), eq(refunds.idempotencyKey, key)));
    if (again) return;
    // The platform fee alone is the provider's to return: it is sent again each day.
    if (refund.state !== "failed" || refund.amount === 0) throw new DomainError("conflict", m.online_failed_over());
    if (method === "online") return retryLocked(tx, failed);
    await withdrawRefund(tx, failed);
    await requestAccountReturn(tx, failed);
    await createRefund(tx, { paymentId, patientId: visit.patientId, method, amount: refund.amount, reason: refund.reason, key });
    await settleDiscount(tx, visit);
    await returnPlatformFees(tx, visit);
  });
}

import { and, eq, sql } from "drizzle-orm";
import { payments, providerRefunds, refunds } from "#app/db/schema/index.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { enqueue } from "#app/queue/queue.server.ts";
import { PROVIDER_REFUND_ACTIONS } from "../refunds/provider-refund.state.ts";
import { lockVisit } from "./locked-order.server.ts";

/** Sends a failed refund again, with a key of its own. Changes nothing when it has not failed. */
export const retryRefund = (ctx: Ctx, refundId: string): Promise<void> => transact(ctx, (tx) => retryLocked(tx, refundId));

/** As `retryRefund`, in the transaction of `tx`. */
export async function retryLocked(tx: Ctx, refundId: string): Promise<void> {
  const [of] = await tx.db
    .select({ visitId: payments.appointmentId, doctorId: payments.doctorId })
    .from(refunds)
    .innerJoin(payments, eq(payments.id, refunds.paymentId))
    .where(eq(refunds.id, refundId));
  if (!of) return;
  await lockVisit(tx, of.visitId);
  const { from, to } = PROVIDER_REFUND_ACTIONS.retry;
  const [row] = await tx.db
    .update(providerRefunds)
    .set({
      state: to,
      attempt: sql`${providerRefunds.attempt} + 1`,
      providerRefundId: null,
      bankReference: null,
      sentAt: null,
      settledAt: null,
      nextTryAt: tx.now,
      tries: 0,
    })
    .where(and(eq(providerRefunds.refundId, refundId), eq(providerRefunds.state, from[0])))
    .returning({ attempt: providerRefunds.attempt });
  if (!row) return;
  await recordChange(tx, "provider-refund.retry", {
    subject: { "provider-refund": refundId },
    people: { doctor: of.doctorId },
    data: { to },
  });
  await enqueue(tx, "payment-refund", { refundId });
}

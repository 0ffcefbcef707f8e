import { and, eq, or, sql } from "drizzle-orm";
import { payments, providerRefunds, refunds } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { recordEvent } from "#app/domains/platform/events/record-event.server.ts";
import { minus, paise } from "#app/lib/money.ts";
import type { ProviderRefundState } from "#app/lib/vocabulary.ts";
import { publish } from "#app/realtime/channels.server.ts";
import { log } from "#app/runtime/log.server.ts";
import type { KnownRefund } from "../events/state-of-events.ts";
import { bookRefund } from "../payments/book-refund.server.ts";
import { PROVIDER_REFUND_ACTIONS } from "../refunds/provider-refund.state.ts";
import type { LockedOrder } from "./locked-order.server.ts";

/** The id that an attempt of a refund is sent with. */
export const ownIdOf = (refundId: string, attempt: number): string => (attempt === 1 ? refundId : `${refundId}.${attempt}`);

/** Brings a refund to what the provider says. One that we did not ask for was made in the provider's dashboard: it is booked. */
export async function settleRefund(tx: Ctx, { visit, order }: LockedOrder, known: KnownRefund): Promise<void> {
  const [payment] = await tx.db.select().from(payments).where(eq(payments.providerPaymentId, known.paymentId));
  // Its payment's amount is not known yet.
  if (!payment) return;
  const row = await findRefund(tx, payment.id, known);
  if (row) return settle(tx, { visit, order }, row, known);
  // An earlier attempt of ours, or a refund that returned nothing.
  if (known.state === "failed") return;
  const left = minus(payment.amount, payment.refunded);
  const amount = paise(Math.min(known.amount, left));
  if (amount < known.amount) log.error({ payment: payment.id, refund: known.id }, "the provider returned more than was left of a payment");
  if (amount === 0) return;
  await bookRefund(tx, {
    paymentId: payment.id,
    patientId: visit.patientId,
    method: "online",
    amount,
    reason: "dashboard",
    key: known.id,
    providerRefundId: known.id,
  });
  const booked = await findRefund(tx, payment.id, known);
  if (booked) await settle(tx, { visit, order }, booked, known);
}

type Row = NonNullable<Awaited<ReturnType<typeof findRefund>>>;

async function findRefund(tx: Ctx, paymentId: string, known: KnownRefund) {
  const isOwn = sql`case ${providerRefunds.attempt} when 1 then ${providerRefunds.refundId}::text
    else ${providerRefunds.refundId}::text || '.' || ${providerRefunds.attempt} end = ${known.ownId ?? ""}`;
  const [row] = await tx.db
    .select({
      refundId: providerRefunds.refundId,
      state: providerRefunds.state,
      providerRefundId: providerRefunds.providerRefundId,
      bankReference: providerRefunds.bankReference,
      sentAt: providerRefunds.sentAt,
    })
    .from(providerRefunds)
    .innerJoin(refunds, eq(refunds.id, providerRefunds.refundId))
    .where(and(eq(refunds.paymentId, paymentId), or(eq(providerRefunds.providerRefundId, known.id), isOwn)));
  return row;
}

async function settle(tx: Ctx, { visit, order }: LockedOrder, row: Row, known: KnownRefund): Promise<void> {
  const action = known.state === "processed" ? "process" : known.state === "failed" ? "fail" : null;
  const rule = action && PROVIDER_REFUND_ACTIONS[action];
  const isChanged = rule && (rule.from as readonly ProviderRefundState[]).includes(row.state);
  const reference = known.reference ?? row.bankReference;
  if (!isChanged && row.sentAt && row.providerRefundId === known.id && reference === row.bankReference) return;
  await tx.db
    .update(providerRefunds)
    .set({
      providerRefundId: known.id,
      bankReference: reference,
      sentAt: row.sentAt ?? tx.now,
      ...(isChanged && { state: rule.to, settledAt: tx.now }),
    })
    .where(eq(providerRefunds.refundId, row.refundId));
  if (!isChanged) return;
  await recordEvent(tx, { kind: `provider-refund.${action}`, subjectId: row.refundId, doctorId: order.doctorId, data: { to: rule.to } });
  await publish(tx, visit.patientId, "appointmentChanged", { _id: visit.id });
}

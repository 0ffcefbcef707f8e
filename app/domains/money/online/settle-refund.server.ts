import { and, eq, isNull, ne, or, sql } from "drizzle-orm";
import { payments, providerRefunds, refunds } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { minus, type Paise, paise } from "#app/lib/money.ts";
import { withPlatformFee } from "#app/lib/platform-fee.ts";
import { leadsFrom } from "#app/lib/state-table.ts";
import type { RefundReason } from "#app/lib/vocabulary.ts";
import { log } from "#app/runtime/log.server.ts";
import type { KnownRefund } from "../events/state-of-events.ts";
import { createRefund } from "../payments/create-refund.server.ts";
import { withdrawRefund } from "../payments/withdraw-refund.server.ts";
import { notifyMoney } from "../refunds/notify-money.server.ts";
import { PROVIDER_REFUND_ACTIONS } from "../refunds/provider-refund.state.ts";
import { isSentAgain, WAITS } from "../refunds/waits.ts";
import type { LockedOrder } from "./locked-order.server.ts";

/** The id that an attempt of a refund is sent with. */
export const ownIdOf = (refundId: string, attempt: number): string => (attempt === 1 ? refundId : `${refundId}.${attempt}`);
/** True for the id of any attempt of a refund. */
export const isAttemptOf = (refundId: string, ownId: string): boolean => ownId === refundId || ownId.startsWith(`${refundId}.`);

/**
 * Brings a refund to what the provider says. One that we did not ask for was made in the provider's dashboard: it is booked, of the clinic's part first
 * and the rest of the platform fee.
 */
export async function settleRefund(tx: Ctx, locked: LockedOrder, known: KnownRefund): Promise<void> {
  const [payment] = await tx.db.select({ id: payments.id }).from(payments).where(eq(payments.providerPaymentId, known.paymentId));
  // Its payment's amount is not known yet.
  if (!payment) return;
  const row = await findRefund(tx, payment.id, known);
  if (row) return settle(tx, locked, row, known);
  // An earlier attempt of ours, or a refund that returned nothing.
  if (known.state === "failed") return;
  const reason = await makeRoom(tx, payment.id, known.amount);
  const left = await leftOf(tx, payment.id);
  const over = paise(Math.max(0, known.amount - withPlatformFee(left)));
  const platformFee = paise(Math.max(0, known.amount - over - left.amount));
  if (over > 0) log.error({ payment: payment.id, refund: known.id, over }, "the provider returned more than was left of a payment");
  await createRefund(tx, {
    paymentId: payment.id,
    patientId: locked.visit.patientId,
    method: "online",
    amount: minus(known.amount, platformFee),
    platformFee,
    over,
    reason,
    key: known.id,
    providerRefundId: known.id,
  });
  if (reason === "dashboard" && known.state === "pending")
    await notifyMoney(tx, "refund-started", locked.visit.id, { amount: known.amount });
  const booked = await findRefund(tx, payment.id, known);
  if (booked) await settle(tx, locked, booked, known);
}

/** Returns what is left of a payment: of the clinic's part, and of the platform fee. */
async function leftOf(tx: Ctx, paymentId: string): Promise<{ amount: Paise; platformFee: Paise }> {
  const [payment] = await tx.db.select().from(payments).where(eq(payments.id, paymentId));
  const { amount, refunded, platformFee, platformFeeRefunded } = payment!;
  return { amount: minus(amount, refunded), platformFee: minus(platformFee, platformFeeRefunded) };
}

/**
 * Withdraws refunds of ours that returned nothing, in favour of one that the provider's dashboard made: a failed one of the same amount, because the
 * dashboard's replaces it, and others as far as the payment has less left. Returns the reason of the dashboard's refund.
 */
async function makeRoom(tx: Ctx, paymentId: string, amount: Paise): Promise<RefundReason> {
  const sum = sql<Paise>`(${refunds.amount} + ${refunds.platformFee})`;
  const own = await tx.db
    .select({
      id: refunds.id,
      amount: sql<Paise>`${sum}::float8`,
      reason: refunds.reason,
      state: providerRefunds.state,
      attempt: providerRefunds.attempt,
    })
    .from(providerRefunds)
    .innerJoin(refunds, eq(refunds.id, providerRefunds.refundId))
    .where(
      and(
        eq(refunds.paymentId, paymentId),
        or(eq(providerRefunds.state, "failed"), and(eq(providerRefunds.state, "pending"), isNull(providerRefunds.sentAt))),
      ),
    )
    .orderBy(sql`${sum} = ${amount} desc`, sql`${providerRefunds.state} = 'failed' desc`, refunds.refundedAt);
  let replaced: RefundReason | undefined;
  for (const one of own) {
    const isReplaced = one.amount === amount && (one.state === "failed" || one.attempt > 1) && !replaced;
    if (!isReplaced && withPlatformFee(await leftOf(tx, paymentId)) >= amount) continue;
    await withdrawRefund(tx, one.id);
    if (one.amount === amount) replaced ??= one.reason;
  }
  return replaced ?? "dashboard";
}

type Row = NonNullable<Awaited<ReturnType<typeof findRefund>>>;

async function findRefund(tx: Ctx, paymentId: string, known: KnownRefund) {
  const isOwn = sql`case ${providerRefunds.attempt} when 1 then ${providerRefunds.refundId}::text
    else ${providerRefunds.refundId}::text || '.' || ${providerRefunds.attempt} end = ${known.ownId ?? ""}`;
  const [row] = await tx.db
    .select({
      refundId: providerRefunds.refundId,
      reason: refunds.reason,
      amount: refunds.amount,
      platformFee: refunds.platformFee,
      state: providerRefunds.state,
      attempt: providerRefunds.attempt,
      providerRefundId: providerRefunds.providerRefundId,
      bankReference: providerRefunds.bankReference,
      sentAt: providerRefunds.sentAt,
    })
    .from(providerRefunds)
    .innerJoin(refunds, eq(refunds.id, providerRefunds.refundId))
    .where(
      and(
        eq(refunds.paymentId, paymentId),
        ne(providerRefunds.state, "withdrawn"),
        or(eq(providerRefunds.providerRefundId, known.id), isOwn),
      ),
    );
  return row;
}

async function settle(tx: Ctx, locked: LockedOrder, row: Row, known: KnownRefund): Promise<void> {
  // Who made it in the dashboard sees there that it failed. What is owed without it is refunded by us.
  if (known.state === "failed" && row.reason === "dashboard" && row.state !== "processed") return withdrawRefund(tx, row.refundId);
  const action = known.state === "processed" ? "process" : known.state === "failed" ? "fail" : null;
  const rule = action && PROVIDER_REFUND_ACTIONS[action];
  const isChanged = rule && leadsFrom(rule, row.state);
  const reference = known.reference ?? row.bankReference;
  if (!isChanged && row.sentAt && row.providerRefundId === known.id && reference === row.bankReference) return;
  await tx.db
    .update(providerRefunds)
    .set({
      providerRefundId: known.id,
      bankReference: reference,
      sentAt: row.sentAt ?? tx.now,
      ...(isChanged && { state: rule.to, settledAt: tx.now, nextTryAt: afterWait(tx, row.attempt) }),
    })
    .where(eq(providerRefunds.refundId, row.refundId));
  if (isChanged) await announce(tx, locked, { ...row, reference }, action);
}

/** Ends an attempt that the provider refused again and again. */
export async function failUnsent(tx: Ctx, locked: LockedOrder, refundId: string): Promise<void> {
  const isUnsent = and(eq(providerRefunds.refundId, refundId), eq(providerRefunds.state, "pending"), isNull(providerRefunds.sentAt));
  const [row] = await tx.db
    .select({ refundId: refunds.id, amount: refunds.amount, platformFee: refunds.platformFee, attempt: providerRefunds.attempt })
    .from(providerRefunds)
    .innerJoin(refunds, eq(refunds.id, providerRefunds.refundId))
    .where(isUnsent);
  if (!row) return;
  await tx.db
    .update(providerRefunds)
    .set({ state: PROVIDER_REFUND_ACTIONS.fail.to, settledAt: tx.now, nextTryAt: afterWait(tx, row.attempt) })
    .where(isUnsent);
  await announce(tx, locked, { ...row, reference: null }, "fail");
}

const afterWait = (tx: Ctx, attempt: number) => new Date(tx.now.getTime() + (WAITS[attempt - 1] ?? WAITS.at(-1)!));

type Settled = { refundId: string; amount: Paise; platformFee: Paise; attempt: number; reference: string | null };
/** Records and publishes the end of an attempt. Patient, doctor, place and administrators are notified of a failure after the last attempt, each of their amount. */
async function announce(tx: Ctx, { visit, order }: LockedOrder, of: Settled, action: "process" | "fail"): Promise<void> {
  const { to } = PROVIDER_REFUND_ACTIONS[action];
  await recordChange(tx, `provider-refund.${action}`, {
    subject: { "provider-refund": of.refundId, appointment: visit.id },
    people: { patient: visit.patientId, doctor: order.doctorId },
    data: { to },
  });
  const ofPatient = { ...of, amount: withPlatformFee(of) };
  if (action === "process") await notifyMoney(tx, "refund-done", visit.id, ofPatient);
  else if (!isSentAgain(of)) {
    await notifyMoney(tx, "refund-failed", visit.id, ofPatient);
    await notifyMoney(tx, "refund-stuck", visit.id, { ...of, merchantId: order.merchantId });
    await notifyMoney(tx, "refund-unsolved", visit.id, ofPatient);
  }
}

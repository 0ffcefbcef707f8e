import { and, eq, gte, isNotNull, lt, lte, ne, notExists, type SQL, sql } from "drizzle-orm";
import { accountReturns, settlementLines as lines, paymentOrders, payments, providerRefunds, refunds } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import type { Paise } from "#app/lib/money.ts";
import type { PaymentProviderName, SettlementLineKind } from "#app/lib/vocabulary.ts";
import { compareAccounts, isReturn } from "./accounts.server.ts";
import { type Compared, type MismatchKind, mismatchOf } from "./compare.ts";
import { compareReversals } from "./reversals.server.ts";
import type { CheckedKind } from "./settlements.ts";

export type Mismatch = {
  mismatch: MismatchKind;
  kind: CheckedKind;
  /**
   * The provider's id of the payment, refund, transfer, reversal or adjustment. Of a transfer without a line: its payment, or its own id when it
   * gave a payout account money back. Of a reversal without one: its refund. Of what refunds took from a payout: its settlement.
   */
  id: string;
  /** null when no line has the id. */
  settlementId: string | null;
  /** Our order; null when we do not know the line. */
  orderId: string | null;
} & Pick<Compared, "line" | "ours">;

/** SQL: what the provider collected for a payment, and what it returned with a refund: with the platform fee. */
const COLLECTED = sql<Paise>`(${payments.amount} + ${payments.platformFee})::float8`;
const RETURNED = sql<Paise>`(${refunds.amount} + ${refunds.platformFee})::float8`;

/** What is compared: of a provider, from an instant, before another one. */
type Of = { provider: PaymentProviderName; since: Date; until: Date | undefined };

/** Compares what the provider paid out from an instant, before another one, and what it should have. Returns only what does not agree. */
export async function listMismatches(ctx: Ctx, since: Date, until?: Date): Promise<Mismatch[]> {
  const provider = ctx.integrations.payments?.name;
  if (!provider) return [];
  const of = { provider, since, until };
  const settled = await listSettled(ctx, of);
  const unpaid = await listUnpaid(ctx, of);
  const untransferred = await listUntransferred(ctx, of);
  const unreturned = await listUnreturned(ctx, of);
  const unpassed = await listUnpassed(ctx, of);
  const compared = [
    ...settled,
    ...unpaid.map(without("payment")),
    ...unreturned.map(without("refund")),
    ...untransferred.map(without("transfer")),
    ...unpassed.map(without("transfer")),
    ...(await compareReversals(ctx, provider, since, until)),
    ...(await compareAccounts(ctx, provider, since, until)),
  ];
  return compared.flatMap((one) => {
    const { kind, id, settlementId, orderId, line, ours } = one;
    const mismatch = mismatchOf(one, ctx.now);
    return mismatch ? [{ mismatch, kind, id, settlementId, orderId, line, ours }] : [];
  });
}

async function listSettled(ctx: Ctx, { provider, since, until }: Of) {
  const settled = await ctx.db
    .select({
      line: lines,
      payment: {
        // The clinic's account gets its part, without the platform fee.
        amount: sql<Paise>`(case ${lines.kind} when 'transfer' then ${payments.amount} else ${COLLECTED} end)::float8`,
        at: payments.receivedAt,
        orderId: payments.orderId,
      },
      transferAccount: paymentOrders.transferAccount,
      refund: { amount: RETURNED, at: refunds.refundedAt },
      returned: { amount: accountReturns.amount, at: accountReturns.requestedAt },
      refundOrderId: sql<string | null>`(select p.order_id from payments p where p.id = ${refunds.paymentId})`,
      times: sql<number>`(case when ${lines.kind} = 'transfer' and ${accountReturns.refundId} is null then (select count(*) from settlement_lines other
          where (other.provider, other.kind, other.payment_id) = (${lines.provider}, ${lines.kind}, ${lines.paymentId}) and not ${isReturn(sql`other.provider`, sql`other.line_id`)})
        else (select count(*) from settlement_lines other where (other.provider, other.kind, other.line_id)
          = (${lines.provider}, ${lines.kind}, ${lines.lineId})) end)::int`,
    })
    .from(lines)
    .leftJoin(
      payments,
      eq(
        payments.providerPaymentId,
        sql`case ${lines.kind} when 'payment' then ${lines.lineId} when 'transfer' then ${lines.paymentId} end`,
      ),
    )
    .leftJoin(paymentOrders, eq(paymentOrders.id, payments.orderId))
    .leftJoin(
      accountReturns,
      and(eq(lines.kind, "transfer"), eq(accountReturns.provider, lines.provider), eq(accountReturns.providerTransferId, lines.lineId)),
    )
    .leftJoin(
      providerRefunds,
      and(eq(lines.kind, "refund"), eq(providerRefunds.provider, lines.provider), eq(providerRefunds.providerRefundId, lines.lineId)),
    )
    .leftJoin(refunds, eq(refunds.id, providerRefunds.refundId))
    .where(and(eq(lines.provider, provider), ne(lines.kind, "reversal"), gte(lines.settledAt, since), until && lt(lines.settledAt, until)));
  return settled.map(({ line, payment, transferAccount, refund, refundOrderId, returned, times }) => ({
    kind: line.kind,
    id: line.lineId,
    settlementId: line.settlementId,
    orderId: payment?.orderId ?? refundOrderId,
    line,
    ours: line.kind === "transfer" && transferAccount === null ? null : (returned ?? payment ?? refund),
    times,
  }));
}

type WithoutLine = { id: string; amount: Paise; at: Date; orderId: string | null };

const without =
  (kind: SettlementLineKind) =>
  ({ id, amount, at, orderId }: WithoutLine) => ({
    kind,
    id,
    settlementId: null,
    orderId,
    line: null,
    ours: { amount, at },
    times: 0,
  });

type LineColumn = typeof lines.lineId | typeof lines.paymentId;
const hasNoLine = (ctx: Ctx, provider: PaymentProviderName, kind: SettlementLineKind, id: SQL, column: LineColumn = lines.lineId) =>
  notExists(
    ctx.db
      .select({ one: sql`1` })
      .from(lines)
      .where(and(eq(lines.provider, provider), eq(lines.kind, kind), eq(column, id))),
  );

const listPayments = (ctx: Ctx, { provider, since, until }: Of, amount: SQL<Paise>, condition: SQL | undefined) =>
  ctx.db
    .select({
      id: sql<string>`${payments.providerPaymentId}`,
      amount,
      at: payments.receivedAt,
      orderId: payments.orderId,
    })
    .from(payments)
    .innerJoin(paymentOrders, eq(paymentOrders.id, payments.orderId))
    .where(
      and(
        eq(paymentOrders.provider, provider),
        gte(payments.receivedAt, since),
        lte(payments.receivedAt, ctx.now),
        until && lt(payments.receivedAt, until),
        condition,
      ),
    );

/** Returns the payments without a line. */
const listUnpaid = (ctx: Ctx, of: Of) =>
  listPayments(ctx, of, COLLECTED, hasNoLine(ctx, of.provider, "payment", sql`${payments.providerPaymentId}`));

/** A transfer that failed leaves the clinic's money with us, unless everything went back to the patient. */
const listUntransferred = (ctx: Ctx, of: Of) =>
  listPayments(
    ctx,
    of,
    sql<Paise>`${payments.amount}::float8`,
    and(
      isNotNull(paymentOrders.transferAccount),
      ne(payments.state, "refunded"),
      hasNoLine(ctx, of.provider, "transfer", sql`${payments.providerPaymentId}`, lines.paymentId),
    ),
  );

/** Returns the processed refunds without a line. */
function listUnreturned(ctx: Ctx, { provider, since, until }: Of) {
  // A refund that failed may be sent days after it was booked.
  const sentAt = sql`coalesce(${providerRefunds.sentAt}, ${refunds.refundedAt})`.mapWith(refunds.refundedAt);
  return ctx.db
    .select({ id: sql<string>`${providerRefunds.providerRefundId}`, amount: RETURNED, at: sentAt, orderId: payments.orderId })
    .from(providerRefunds)
    .innerJoin(refunds, eq(refunds.id, providerRefunds.refundId))
    .innerJoin(payments, eq(payments.id, refunds.paymentId))
    .where(
      and(
        eq(providerRefunds.provider, provider),
        eq(providerRefunds.state, "processed"),
        gte(sentAt, since),
        until && lt(sentAt, until),
        hasNoLine(ctx, provider, "refund", sql`${providerRefunds.providerRefundId}`),
      ),
    );
}

/** Returns what was transferred to a payout account to give it money back, without a line. */
const listUnpassed = (ctx: Ctx, { provider, since, until }: Of) =>
  ctx.db
    .select({
      id: sql<string>`${accountReturns.providerTransferId}`,
      amount: accountReturns.amount,
      at: sql`${accountReturns.settledAt}`.mapWith(accountReturns.requestedAt),
      orderId: payments.orderId,
    })
    .from(accountReturns)
    .innerJoin(refunds, eq(refunds.id, accountReturns.refundId))
    .innerJoin(payments, eq(payments.id, refunds.paymentId))
    .where(
      and(
        eq(accountReturns.provider, provider),
        eq(accountReturns.state, "sent"),
        gte(accountReturns.settledAt, since),
        until && lt(accountReturns.settledAt, until),
        hasNoLine(ctx, provider, "transfer", sql`${accountReturns.providerTransferId}`),
      ),
    );

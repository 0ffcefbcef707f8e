import { and, eq, exists, gt, gte, inArray, isNotNull, lt, ne, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { accountReturns, settlementLines as lines, paymentOrders, payments, providerRefunds, refunds } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { paise } from "#app/lib/money.ts";
import type { PaymentProviderName } from "#app/lib/vocabulary.ts";
import { pairReversals } from "./compare.ts";

const SENT_AT = sql`coalesce(${providerRefunds.sentAt}, ${refunds.refundedAt})`.mapWith(refunds.refundedAt);

/**
 * Returns the reversals that were settled in a period, each with the refund that it was made for, and the processed refunds of that time that took
 * nothing back from the clinic's account although the payment was transferred.
 */
export async function compareReversals(ctx: Ctx, provider: PaymentProviderName, since: Date, until: Date | undefined) {
  const isReversal = and(eq(lines.provider, provider), eq(lines.kind, "reversal"));
  const settled = await ctx.db
    .select()
    .from(lines)
    .where(and(isReversal, gte(lines.settledAt, since), until && lt(lines.settledAt, until)));
  const returned = await refundsWhere(
    ctx,
    provider,
    and(eq(providerRefunds.state, "processed"), gte(SENT_AT, since), until && lt(SENT_AT, until)),
  );
  const about = [...new Set([...settled.map(({ paymentId }) => paymentId), ...returned.map(({ paymentId }) => paymentId)])].filter(
    (id) => id !== null,
  );
  // Also what was settled or sent outside the period: the first refund of a payment may be older than the second.
  const all = about.length
    ? await ctx.db
        .select({ paymentId: lines.paymentId, lineId: lines.lineId, amount: lines.amount })
        .from(lines)
        .where(and(isReversal, inArray(lines.paymentId, about)))
        .orderBy(lines.settledAt, lines.lineId)
    : [];
  const sent = about.length
    ? await refundsWhere(
        ctx,
        provider,
        and(
          inArray(payments.providerPaymentId, about),
          // What was given back to the account had been taken from it.
          or(
            ne(providerRefunds.state, "withdrawn"),
            exists(
              ctx.db
                .select({ one: sql`1` })
                .from(accountReturns)
                .where(and(eq(accountReturns.refundId, refunds.id), eq(accountReturns.state, "sent"))),
            ),
          ),
          or(isNotNull(providerRefunds.sentAt), ne(providerRefunds.attempt, 1)),
        ),
      )
    : [];

  const byPayment = Map.groupBy(all, ({ paymentId }) => paymentId);
  const { refundOf, unpaired } = pairByPayment(about, byPayment, sent);
  const kind = "reversal" as const;
  return [
    ...settled.map((line) => {
      const ours = refundOf.get(line.lineId) ?? null;
      const times = line.paymentId === null ? 1 : byPayment.get(line.paymentId)!.filter(({ lineId }) => lineId === line.lineId).length;
      return { kind, id: line.lineId, settlementId: line.settlementId, orderId: ours?.orderId ?? null, line, ours, times };
    }),
    ...returned
      .filter(({ id, wasTransferred }) => wasTransferred && unpaired.has(id))
      .map(({ id, orderId, amount, at }) => ({ kind, id, settlementId: null, orderId, line: null, ours: { amount, at }, times: 0 })),
  ];
}

/**
 * Returns refunds of payments with a transfer, of which the account had the clinic's part. One that was sent again may have taken the money back in an
 * earlier attempt.
 */
function refundsWhere(ctx: Ctx, provider: PaymentProviderName, condition: SQL | undefined) {
  const transferLines = alias(lines, "transfer_lines");
  const wasTransferred = exists(
    ctx.db
      .select({ one: sql`1` })
      .from(transferLines)
      .where(
        and(
          eq(transferLines.provider, provider),
          eq(transferLines.kind, "transfer"),
          eq(transferLines.paymentId, payments.providerPaymentId),
        ),
      ),
  );
  return ctx.db
    .select({
      id: sql<string>`coalesce(${providerRefunds.providerRefundId}, ${refunds.id}::text)`,
      paymentId: sql<string>`${payments.providerPaymentId}`,
      orderId: payments.orderId,
      amount: refunds.amount,
      state: providerRefunds.state,
      at: SENT_AT,
      wasTransferred: sql<boolean>`${wasTransferred}`,
    })
    .from(providerRefunds)
    .innerJoin(refunds, eq(refunds.id, providerRefunds.refundId))
    .innerJoin(payments, eq(payments.id, refunds.paymentId))
    .innerJoin(paymentOrders, eq(paymentOrders.id, payments.orderId))
    .where(and(eq(providerRefunds.provider, provider), isNotNull(paymentOrders.transferAccount), gt(refunds.amount, paise(0)), condition))
    .orderBy(refunds.refundedAt, refunds.id);
}

type Refund = Awaited<ReturnType<typeof refundsWhere>>[number];
type Reversal = Pick<typeof lines.$inferSelect, "paymentId" | "lineId" | "amount">;

/** Returns the refund of each reversal, and the refunds without one. */
function pairByPayment(paymentIds: readonly string[], reversalsOf: ReadonlyMap<string | null, Reversal[]>, sent: Refund[]) {
  const refundOf = new Map<string, Refund | null>();
  const unpaired = new Set<string>();
  const refundsOf = Map.groupBy(sent, ({ paymentId }) => paymentId);
  for (const paymentId of paymentIds) {
    // An id in two settlements is one reversal.
    const reversals = [...new Map((reversalsOf.get(paymentId) ?? []).map((line) => [line.lineId, line])).values()];
    const { pairs, unpaired: left } = pairReversals(reversals, refundsOf.get(paymentId) ?? []);
    for (const [{ lineId }, refund] of pairs) refundOf.set(lineId, refund);
    for (const { id } of left) unpaired.add(id);
  }
  return { refundOf, unpaired };
}

import type { EventFact } from "#app/db/schema/payment-orders.ts";
import { type Paise, paise } from "#app/lib/money.ts";
import type { ProviderRefundState } from "#app/lib/vocabulary.ts";

export type KnownRefund = {
  id: string;
  paymentId: string;
  amount: Paise;
  state: Exclude<ProviderRefundState, "withdrawn">;
  ownId: string | null;
  reference: string | null;
};
export type KnownPayment = {
  id: string;
  /** `released`: the bank gave the payer's money back before it was captured. It was never ours. */
  state: "started" | "failed" | "authorized" | "released" | "captured" | "partly-refunded" | "refunded";
  /** null while only a refund is known. */
  amount: Paise | null;
  refunded: Paise;
  /** The bank's reference. */
  reference: string | null;
};
/** What is known of an order. Both lists are sorted by id. */
export type KnownOrder = { payments: KnownPayment[]; refunds: KnownRefund[] };

/** A failed attempt may still be authorized late, so a failure is never the last word. */
const RANKS = ["started", "failed", "authorized", "released", "captured"] as const;
const CAPTURED = RANKS.indexOf("captured");
const RANK_OF: Record<string, (typeof RANKS)[number]> = {
  created: "started",
  failed: "failed",
  authorized: "authorized",
  refunded: "released",
};
const rankOf = ({ status, captured }: NonNullable<EventFact["payment"]>): number =>
  captured || status === "captured" ? CAPTURED : Math.max(0, RANKS.indexOf(RANK_OF[status] ?? "started"));
const REFUND_STATES: readonly KnownRefund["state"][] = ["pending", "failed", "processed"];
const later = <T>(ranks: readonly T[], one: T, other: T): T => (ranks.indexOf(one) >= ranks.indexOf(other) ? one : other);
const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);

/**
 * Returns what the messages of one order say together. It depends on their set only: their sequence and repeats change nothing, and a refund that
 * comes before its payment counts as a captured payment.
 */
export function stateOfEvents(events: readonly EventFact[]): KnownOrder {
  const refunds = new Map<string, KnownRefund>();
  const payments = new Map<string, { rank: number; amount: Paise | null; refunded: number; reference: string | null }>();
  const paymentOf = (id: string) => {
    const known = payments.get(id) ?? { rank: 0, amount: null, refunded: 0, reference: null };
    payments.set(id, known);
    return known;
  };
  for (const { payment, refund } of events) {
    if (payment) {
      const known = paymentOf(payment.id);
      known.rank = Math.max(known.rank, rankOf(payment));
      known.amount = paise(Math.max(known.amount ?? 0, payment.amount));
      known.refunded = Math.max(known.refunded, payment.refunded);
      if (payment.reference && payment.reference > (known.reference ?? "")) known.reference = payment.reference;
    }
    if (refund) {
      // Only captured money can be refunded.
      const of = paymentOf(refund.paymentId);
      of.rank = Math.max(of.rank, CAPTURED);
      const known = refunds.get(refund.id);
      refunds.set(refund.id, {
        id: refund.id,
        paymentId: refund.paymentId,
        amount: paise(Math.max(known?.amount ?? 0, refund.amount)),
        state: later(REFUND_STATES, refund.status as KnownRefund["state"], known?.state ?? "pending"),
        ownId: refund.ownId ?? known?.ownId ?? null,
        reference: refund.reference ?? known?.reference ?? null,
      });
    }
  }
  return {
    payments: [...payments]
      .map(([id, known]) => {
        const own = [...refunds.values()].filter((refund) => refund.paymentId === id);
        const sum = own.reduce((all, refund) => all + (refund.state === "failed" ? 0 : refund.amount), 0);
        // The payment's own figure also counts refunds whose message is lost, but it is too high after one that failed.
        const counted = own.some((refund) => refund.state === "failed") ? sum : Math.max(sum, known.refunded);
        const refunded = paise(known.amount === null ? counted : Math.min(counted, known.amount));
        return { id, state: stateOf(known.rank, known.amount, refunded), amount: known.amount, refunded, reference: known.reference };
      })
      .sort(byId),
    refunds: [...refunds.values()].sort(byId),
  };
}

function stateOf(rank: number, amount: Paise | null, refunded: Paise): KnownPayment["state"] {
  if (rank < CAPTURED) return RANKS[rank] as Exclude<(typeof RANKS)[number], "captured">;
  if (refunded === 0) return "captured";
  return refunded === amount ? "refunded" : "partly-refunded";
}

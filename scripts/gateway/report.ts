/**
 * The settlement report of the test gateway: what it paid out, line by line, with a fee of 2 % of payments and 0.25 % of transfers, and 18 % GST on
 * it. Razorpay documents lines of payments, refunds, transfers and adjustments; that of a reversal is like a transfer's, with a credit.
 */
import { randomBytes } from "node:crypto";
import type { GatewayPayment, GatewayRefund, GatewayReversal, GatewayTransfer } from "./types.ts";

type ReportLine = {
  entity_id: string;
  type: string;
  amount: number;
  fee: number;
  tax: number;
  credit: number;
  debit: number;
  payment_id: string | null;
  order_id: string | null;
  settlement_id: string;
  settlement_utr: string | null;
  settled_at: number;
};

/** India is 5:30 h ahead: the report of a day is that of its date there. */
const dateOf = (line: ReportLine) => new Date(line.settled_at * 1000 + 19_800_000);

export function startReport({
  payments,
  refunds,
  transfers,
  reversals,
  settle: settleAccounts,
}: {
  payments: ReadonlyMap<string, GatewayPayment>;
  refunds: ReadonlyMap<string, GatewayRefund>;
  transfers: ReadonlyMap<string, GatewayTransfer>;
  reversals: ReadonlyMap<string, GatewayReversal>;
  settle: (at: number) => void;
}) {
  const lines: ReportLine[] = [];
  const settled = new Set<string>();

  /** Pays out what was captured and returned since the last time, from our account and from the linked accounts. */
  function settle(at = Date.now()): void {
    settleAccounts(at);
    const id = randomBytes(7).toString("hex");
    const of = { settlement_id: `setl_${id}`, settlement_utr: `UTR${id}`, settled_at: Math.floor(at / 1000) };
    const line = (entity: { id: string; amount: number }, rest: Omit<ReportLine, keyof typeof of | "entity_id" | "amount">) => {
      if (settled.has(entity.id)) return;
      settled.add(entity.id);
      lines.push({ entity_id: entity.id, amount: entity.amount, ...rest, ...of });
    };
    for (const payment of payments.values()) {
      if (payment.released || !["captured", "refunded"].includes(payment.status)) continue;
      const tax = Math.round(payment.amount * 0.0036);
      const fee = Math.round(payment.amount * 0.02) + tax;
      line(payment, { type: "payment", fee, tax, credit: payment.amount - fee, debit: 0, payment_id: null, order_id: payment.orderId });
    }
    for (const refund of refunds.values())
      if (refund.status === "processed")
        line(refund, { type: "refund", fee: 0, tax: 0, credit: 0, debit: refund.amount, payment_id: refund.paymentId, order_id: null });
    for (const transfer of transfers.values()) {
      if (transfer.status === "failed") continue;
      const tax = Math.round(transfer.amount * 0.00045);
      const fee = Math.round(transfer.amount * 0.0025) + tax;
      const debit = transfer.amount + fee;
      line(transfer, { type: "transfer", fee, tax, credit: 0, debit, payment_id: transfer.paymentId, order_id: null });
    }
    for (const one of reversals.values())
      line(one, { type: "reversal", fee: 0, tax: 0, credit: one.amount, debit: 0, payment_id: one.paymentId, order_id: null });
  }

  /** Returns the lines that the query asks for. */
  function page(query: URLSearchParams): ReportLine[] {
    const number = (name: string, otherwise: number) => Number(query.get(name) ?? otherwise);
    const skip = number("skip", 0);
    return lines
      .filter((line) => {
        const date = dateOf(line);
        return (
          date.getUTCFullYear() === number("year", 0) &&
          date.getUTCMonth() + 1 === number("month", 0) &&
          date.getUTCDate() === number("day", date.getUTCDate())
        );
      })
      .slice(skip, skip + number("count", 10));
  }
  /** `lines` may be changed, to make the report wrong. */
  return { lines, settle, page };
}

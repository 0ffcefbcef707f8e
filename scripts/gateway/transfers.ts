/** Route transfers of the test gateway: each captured payment of an order with transfers moves money to linked accounts, a refund takes it back. */
import { randomBytes } from "node:crypto";
import type { startAccounts } from "./accounts.ts";
import type { GatewayOrder, GatewayPayment, GatewayRefund, GatewayReversal, GatewaySettlement, GatewayTransfer } from "./types.ts";

type Sent = { account?: unknown; amount?: unknown; currency?: unknown; notes?: Record<string, string> };
const newId = (kind: string) => `${kind}_${randomBytes(7).toString("hex")}`;
const inSeconds = (ms: number) => Math.floor(ms / 1000);

export function startTransfers({ accounts }: Pick<ReturnType<typeof startAccounts>, "accounts">) {
  const transfers = new Map<string, GatewayTransfer>();
  const reversals = new Map<string, GatewayReversal>();
  const settlements = new Map<string, GatewaySettlement>();
  const paidOut = new Set<string>();
  /** `noBalance`: linked accounts have no money, so a reversal is refused. `fail`: transfers fail. `refuse`: our account has no money for one. */
  const behaviour = { noBalance: false, fail: false, refuse: false };
  const ofPayment = (paymentId: string) => [...transfers.values()].filter((one) => one.paymentId === paymentId);

  /** Returns the transfers that an order asks for, or why the order is refused. */
  function read(sent: Sent[], orderAmount: number): GatewayOrder["transfers"] | string {
    const read: GatewayOrder["transfers"] = [];
    for (const { account, amount, currency } of sent) {
      const known = accounts.get(String(account));
      if (!known) return "The account id provided does not exist";
      if (known.status !== "activated") return "The linked account is not activated";
      if (!Number.isSafeInteger(amount) || Number(amount) < 100 || currency !== "INR")
        return "The transfer amount must be at least INR 1.00";
      read.push({ account: known.id, amount: Number(amount) });
    }
    const sum = read.reduce((total, one) => total + one.amount, 0);
    return sum > orderAmount ? "The sum of amounts requested for transfer is greater than the order amount" : read;
  }

  /** Moves the parts of a captured payment. */
  function make(order: GatewayOrder, payment: GatewayPayment): void {
    for (const { account, amount } of order.transfers) {
      const status = behaviour.fail ? "failed" : "processed";
      const made: GatewayTransfer = { id: newId("trf"), paymentId: payment.id, account, amount, reversed: 0, status, at: Date.now() };
      transfers.set(made.id, made);
    }
  }

  /** Moves parts of a captured payment at once. Returns the transfers, or why they are refused. */
  function add(payment: GatewayPayment, sent: Sent[]): GatewayTransfer[] | string {
    const parts = read(sent, payment.amount - payment.refunded - ofPayment(payment.id).reduce((sum, one) => sum + leftOf(one), 0));
    if (typeof parts === "string") return parts;
    if (behaviour.refuse) return "Your account does not have enough balance";
    return parts.map(({ account, amount }, n) => {
      const status = behaviour.fail ? "failed" : "processed";
      const of = { id: newId("trf"), paymentId: payment.id, account, amount, reversed: 0, status, at: Date.now() } as const;
      const made: GatewayTransfer = { ...of, notes: sent[n]!.notes ?? {} };
      transfers.set(made.id, made);
      return made;
    });
  }
  const leftOf = ({ status, amount, reversed }: GatewayTransfer) => (status === "failed" ? 0 : amount - reversed);

  /** Returns why a refund of an amount cannot be taken back from the linked accounts; null when it can. A part only from one account. */
  function problemOf(payment: GatewayPayment, amount: number): string | null {
    const made = ofPayment(payment.id).filter(({ status }) => status === "processed");
    if (made.length > 1 && amount < payment.amount) return "reverse_all is not allowed for partial refunds of several transfers";
    // What stayed with our account is not reversed.
    const kept = payment.amount - made.reduce((sum, one) => sum + one.amount, 0);
    if (made.length === 1 && amount - kept > made[0]!.amount - made[0]!.reversed)
      return "The reversal amount is greater than the amount available";
    return behaviour.noBalance && made.length ? "The linked account does not have enough balance for the reversal" : null;
  }

  function reverse({ id: refundId, paymentId, amount }: GatewayRefund): void {
    const made = ofPayment(paymentId).filter(({ status }) => status === "processed");
    for (const transfer of made) {
      const left = transfer.amount - transfer.reversed;
      const back = made.length === 1 ? Math.min(amount, left) : left;
      if (back === 0) continue;
      transfer.reversed += back;
      const reversal = { id: newId("rvrsl"), transferId: transfer.id, paymentId, refundId, amount: back, at: Date.now() };
      reversals.set(reversal.id, reversal);
    }
  }

  /** Pays out to the bank of each linked account what it received since the last time, less what was reversed. */
  function settle(at = Date.now()): void {
    const due = [...transfers.values()].filter(({ status, settlementId }) => status === "processed" && !settlementId);
    for (const [account, made] of Map.groupBy(due, (one) => one.account)) {
      const back = [...reversals.values()].filter(
        ({ id, transferId }) => !paidOut.has(id) && transfers.get(transferId)?.account === account,
      );
      const sumOf = (list: readonly { amount: number }[]) => list.reduce((sum, { amount }) => sum + amount, 0);
      const amount = sumOf(made) - sumOf(back);
      // What is below zero is taken from the next payout.
      if (amount < 0) continue;
      const id = randomBytes(7).toString("hex");
      const settlement = { id: `setl_${id}`, account, amount, status: "processed", fees: 0, tax: 0, utr: `CN${id}`, at } as const;
      settlements.set(settlement.id, { ...settlement });
      for (const transfer of made) transfer.settlementId = settlement.id;
      for (const reversal of back) paidOut.add(reversal.id);
    }
  }

  /** Returns the transfers that the query asks for, the newest first. */
  function page(query: URLSearchParams) {
    const number = (name: string, otherwise: number) => Number(query.get(name) ?? otherwise);
    const [of, skip] = [query.get("recipient_settlement_id"), number("skip", 0)];
    const isExpanded = query.get("expand[]") === "recipient_settlement";
    return [...transfers.values()]
      .filter((one) => of === null || one.settlementId === of)
      .filter(({ at }) => inSeconds(at) >= number("from", 0) && inSeconds(at) <= number("to", Number.POSITIVE_INFINITY))
      .toSorted((one, other) => other.at - one.at)
      .slice(skip, skip + Math.min(100, number("count", 10)))
      .map((one) => ({
        ...json(one),
        ...(isExpanded && { recipient_settlement: settlementJson(settlements.get(one.settlementId ?? "")) }),
      }));
  }
  const settlementJson = (one: GatewaySettlement | undefined) =>
    one
      ? {
          id: one.id,
          entity: "settlement",
          amount: one.amount,
          status: one.status,
          fees: one.fees,
          tax: one.tax,
          utr: one.utr,
          created_at: inSeconds(one.at),
        }
      : null;

  const statusOf = ({ status, reversed, amount }: GatewayTransfer) =>
    reversed === 0 ? status : reversed === amount ? "reversed" : "partially_reversed";
  const json = (one: GatewayTransfer) => ({
    id: one.id,
    entity: "transfer",
    status: statusOf(one),
    source: one.sourceId ?? one.paymentId,
    recipient: one.account,
    amount: one.amount,
    currency: "INR",
    amount_reversed: one.reversed,
    fees: 0,
    tax: 0,
    notes: one.notes ?? [],
    linked_account_notes: [],
    on_hold: false,
    on_hold_until: null,
    settlement_status: one.status === "failed" ? null : one.settlementId ? "settled" : "pending",
    recipient_settlement_id: one.settlementId ?? null,
    created_at: inSeconds(one.at),
    processed_at: one.status === "failed" ? null : inSeconds(one.at),
  });
  /** `settlements` and `transfers` may be changed, to make what they say wrong. */
  return { transfers, reversals, settlements, behaviour, ofPayment, read, make, add, problemOf, reverse, settle, page, json };
}

/** Route transfers of the test gateway: each captured payment of an order with transfers moves money to linked accounts, a refund takes it back. */
import { randomBytes } from "node:crypto";
import type { startAccounts } from "./accounts.ts";
import type { GatewayOrder, GatewayPayment, GatewayRefund, GatewayReversal, GatewayTransfer } from "./types.ts";

type Sent = { account?: unknown; amount?: unknown; currency?: unknown };
const newId = (kind: string) => `${kind}_${randomBytes(7).toString("hex")}`;

export function startTransfers({ accounts }: Pick<ReturnType<typeof startAccounts>, "accounts">) {
  const transfers = new Map<string, GatewayTransfer>();
  const reversals = new Map<string, GatewayReversal>();
  /** `noBalance`: linked accounts have no money, so a reversal is refused. `fail`: transfers fail. */
  const behaviour = { noBalance: false, fail: false };
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

  /** Returns why a refund of an amount cannot be taken back from the linked accounts; null when it can. A part only from one account. */
  function problemOf(payment: GatewayPayment, amount: number): string | null {
    const made = ofPayment(payment.id).filter(({ status }) => status === "processed");
    if (made.length > 1 && amount < payment.amount) return "reverse_all is not allowed for partial refunds of several transfers";
    if (made.length === 1 && amount > made[0]!.amount - made[0]!.reversed)
      return "The reversal amount is greater than the amount available";
    return behaviour.noBalance && made.length ? "The linked account does not have enough balance for the reversal" : null;
  }

  function reverse({ id: refundId, paymentId, amount }: GatewayRefund): void {
    const made = ofPayment(paymentId).filter(({ status }) => status === "processed");
    for (const transfer of made) {
      const back = made.length === 1 ? amount : transfer.amount - transfer.reversed;
      transfer.reversed += back;
      const reversal = { id: newId("rvrsl"), transferId: transfer.id, paymentId, refundId, amount: back, at: Date.now() };
      reversals.set(reversal.id, reversal);
    }
  }

  const statusOf = ({ status, reversed, amount }: GatewayTransfer) =>
    reversed === 0 ? status : reversed === amount ? "reversed" : "partially_reversed";
  const json = (one: GatewayTransfer) => ({
    id: one.id,
    entity: "transfer",
    status: statusOf(one),
    source: one.paymentId,
    recipient: one.account,
    amount: one.amount,
    currency: "INR",
    amount_reversed: one.reversed,
    created_at: Math.floor(one.at / 1000),
  });
  return { transfers, reversals, behaviour, ofPayment, read, make, problemOf, reverse, json };
}

import type { EventFact } from "#app/db/schema/payment-orders.ts";
import type { Paise } from "#app/lib/money.ts";
import type { PlatformFee } from "#app/lib/platform-fee.ts";
import type { PaymentProviderName, SettlementLineKind } from "#app/lib/vocabulary.ts";
import type { LinkedAccounts } from "./linked-accounts.ts";

/** An order as the provider has it. */
export type ProviderOrder = { id: string; amount: Paise; amountPaid: Paise; status: "created" | "attempted" | "paid" };

/** A payment as the provider has it. `captured`: the money is ours, also after refunds. */
export type ProviderPayment = {
  id: string;
  orderId: string | null;
  status: "created" | "authorized" | "captured" | "refunded" | "failed";
  amount: Paise;
  currency: string;
  captured: boolean;
  refunded: Paise;
  /** upi, card, netbanking or wallet. */
  method: string | null;
  /** The bank's reference (RRN), also of a transfer by net banking or UPI. */
  reference: string | null;
  /** Fee of the provider, with its GST; null while unknown. */
  fee: Paise | null;
  tax: Paise | null;
  createdAt: Date;
};

/** A refund as the provider has it. `ownId`: the id that we gave it; null for a refund made in the provider's dashboard. */
export type ProviderRefund = {
  id: string;
  paymentId: string;
  amount: Paise;
  status: "pending" | "processed" | "failed";
  ownId: string | null;
  /** The reference of the bank (ARN, RRN or UTR); null while unknown. */
  reference: string | null;
  createdAt: Date;
};

/** A part of an order that the provider passes on to the linked account of a clinic (Route). */
export type Transfer = { account: string; amount: Paise; onHold?: boolean };

/** A transfer of a payment as the provider has it. */
export type ProviderTransfer = {
  id: string;
  /** `failed`: nothing was passed on. */
  state: "pending" | "processed" | "failed";
  /** The id that we gave it; null for one that an order asked for. */
  ownId: string | null;
  /** What reversals have taken from it. */
  reversed: Paise;
};

/** A line of the provider's settlement report. Credit: for the account, debit: from it. */
export type SettlementLine = {
  id: string;
  kind: SettlementLineKind;
  orderId: string | null;
  paymentId: string | null;
  amount: Paise;
  fee: Paise;
  tax: Paise;
  credit: Paise;
  debit: Paise;
  settlementId: string | null;
  settledAt: Date | null;
  /** The UTR of the bank. */
  reference: string | null;
};

/** What the provider paid out from a linked account to its bank. `amount`: after reversals and the fee. */
export type AccountSettlement = {
  id: string;
  amount: Paise;
  fee: Paise;
  tax: Paise;
  /** The UTR of the bank. */
  reference: string;
  settledAt: Date;
};

/** A transfer to a linked account, as the provider pays it out there. `settlement`: null until the bank has the money. */
export type AccountTransfer = {
  id: string;
  account: string;
  /** The provider's payment, or its order when the order asked for the transfer. */
  sourceId: string;
  amount: Paise;
  /** What reversals have taken from it. */
  reversed: Paise;
  settlement: AccountSettlement | null;
};

/** The form that sends the patient's browser to the provider's page; it works without scripts. */
export type HostedCheckout = { action: string; fields: Readonly<Record<string, string>> };

/**
 * A payment provider. Every call has a deadline. @throws DomainError("unavailable") when the provider is down, too slow or sends an invalid response;
 * DomainError("conflict") when it refuses
 */
export interface PaymentProvider {
  readonly name: PaymentProviderName;
  /** What patients pay to Nadi beside the clinic's part of an order; null: nothing. */
  readonly platformFee: PlatformFee | null;
  /** Accounts of merchants to which the provider pays out. */
  readonly accounts: LinkedAccounts;
  /** Origin of the provider's page, for `form-action`. */
  readonly checkoutOrigin: string;
  /** Creates an order. `ownId`: our id, sent as the receipt number, which finds the order after a lost response. */
  createOrder(order: { ownId: string; amount: Paise; transfers?: readonly Transfer[] }): Promise<ProviderOrder>;
  /** Returns the order that was created with `ownId`, or null. */
  findOrder(ownId: string): Promise<ProviderOrder | null>;
  fetchOrder(providerOrderId: string): Promise<ProviderOrder>;
  /** Returns every payment of an order, also failed ones. */
  fetchPayments(providerOrderId: string): Promise<ProviderPayment[]>;
  fetchPayment(providerPaymentId: string): Promise<ProviderPayment>;
  /** Returns the transfers of a payment; none while the provider has not made them. */
  fetchTransfers(providerPaymentId: string): Promise<ProviderTransfer[]>;
  /** Passes a part of a payment on to a linked account. Not safe to repeat: `ownId` finds the transfer after a lost answer. */
  transfer(transfer: { paymentId: string; account: string; amount: Paise; ownId: string }): Promise<ProviderTransfer>;
  /** Returns money. The same key never refunds twice. `reverseAll`: also takes it back from linked accounts. */
  refund(refund: { paymentId: string; amount: Paise; ownId: string; key: string; reverseAll?: boolean }): Promise<ProviderRefund>;
  fetchRefund(providerRefundId: string): Promise<ProviderRefund>;
  fetchRefunds(providerPaymentId: string): Promise<ProviderRefund[]>;
  /** The settlement report of a day. */
  listSettlementLines(day: { year: number; month: number; day: number }): Promise<SettlementLine[]>;
  /** Returns the transfers that were made to linked accounts from an instant, before another one. */
  listAccountTransfers(made: { from: Date; to: Date }): Promise<AccountTransfer[]>;
  /** Returns every transfer of a settlement of a linked account, whenever it was made. */
  listTransfersOfSettlement(settlementId: string): Promise<AccountTransfer[]>;
  /** The form to the provider's page. `returnUrl` receives the signed result, `cancelUrl` a patient who gives up. */
  hostedCheckout(order: { providerOrderId: string; amount: Paise; name: string; returnUrl: string; cancelUrl: string }): HostedCheckout;
  /** True when the bytes were signed by the provider. */
  verifyWebhook(raw: Uint8Array, signature: string): boolean;
  /** Returns what a message says about money; null for bytes that are no message. */
  readWebhook(raw: Uint8Array): EventFact | null;
  /** True when the provider signed the result that the patient's browser brings back. */
  verifyReturn(result: { orderId: string; paymentId: string; signature: string }): boolean;
}

/** What the test gateway stores in memory. */
export type GatewayOrder = {
  id: string;
  amount: number;
  receipt: string;
  status: "created" | "attempted" | "paid";
  /** The parts that go to linked accounts. */
  transfers: { account: string; amount: number }[];
  at: number;
};
/** A part of a captured payment that went to a linked account. */
export type GatewayTransfer = {
  id: string;
  paymentId: string;
  account: string;
  amount: number;
  reversed: number;
  status: "processed" | "failed";
  /** What it names as its source: by default the payment. The provider may name the order that asked for it. */
  sourceId?: string;
  notes?: Record<string, string>;
  /** The settlement of the linked account that it is in. */
  settlementId?: string;
  at: number;
};
/** What was paid out from a linked account to its bank. */
export type GatewaySettlement = {
  id: string;
  account: string;
  amount: number;
  status: "created" | "processed" | "failed";
  fees: number;
  tax: number;
  utr: string | null;
  at: number;
};
/** What a linked account gave back for a refund. */
export type GatewayReversal = { id: string; transferId: string; paymentId: string; refundId: string; amount: number; at: number };
export type GatewayPayment = {
  id: string;
  orderId: string;
  amount: number;
  /** Default: INR. */
  currency?: string;
  refunded: number;
  status: "created" | "authorized" | "captured" | "refunded" | "failed";
  /** Returned to the payer without having been captured. */
  released?: boolean;
  at: number;
};
export type GatewayRefund = {
  id: string;
  paymentId: string;
  amount: number;
  status: "pending" | "processed" | "failed";
  ownId: string | null;
  reference: string | null;
  at: number;
};

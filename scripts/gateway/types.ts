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
  at: number;
};
/** What a linked account gave back for a refund. */
export type GatewayReversal = { id: string; transferId: string; paymentId: string; refundId: string; amount: number; at: number };
export type GatewayPayment = {
  id: string;
  orderId: string;
  amount: number;
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

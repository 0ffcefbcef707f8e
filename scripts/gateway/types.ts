/** What the test gateway stores in memory. */
export type GatewayOrder = { id: string; amount: number; receipt: string; status: "created" | "attempted" | "paid"; at: number };
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

import { createHmac, timingSafeEqual } from "node:crypto";
import type { z } from "zod";
import { DomainError } from "#app/lib/domain-error.ts";
import type { PlatformFee } from "#app/lib/platform-fee.ts";
import type { PaymentProviderName } from "#app/lib/vocabulary.ts";
import { unavailable } from "../failure.server.ts";
import { callJson } from "../http-call.server.ts";
import type { PaymentProvider } from "./payment-provider.server.ts";
import { fieldOf, linkedAccounts } from "./razorpay-accounts.server.ts";
import {
  asAccountTransfer,
  asLine,
  asOrder,
  asPayment,
  asRefund,
  asTransfer,
  Line,
  listOf,
  Order,
  Payment,
  Refund,
  Refused,
  readMessage,
  SettledTransfer,
  Transfer,
} from "./razorpay-shapes.ts";

export type RazorpaySettings = {
  provider: PaymentProviderName;
  keyId: string;
  keySecret: string;
  webhookSecrets: readonly string[];
  baseUrl: string;
  platformFee?: PlatformFee | null;
};

/** A hundred payments of an order fit. */
const LONGEST = 512 * 1024;
const inPath = encodeURIComponent;
const hmac = (secret: string, data: Uint8Array | string) => createHmac("sha256", secret).update(data).digest();
const isSigned = (secret: string, data: Uint8Array | string, signature: string) =>
  /^[0-9a-f]{64}$/i.test(signature) && timingSafeEqual(hmac(secret, data), Buffer.from(signature, "hex"));

/** Calls Razorpay, and validates what it answers. `limit`: deadline of a call. */
function razorpayClient(settings: RazorpaySettings, limit: number | undefined) {
  const authorization = `Basic ${Buffer.from(`${settings.keyId}:${settings.keySecret}`).toString("base64")}`;

  async function call<T extends z.ZodType>(
    shape: T,
    method: "GET" | "POST" | "PATCH",
    path: string,
    body?: object,
    headers?: Record<string, string>,
    version: "v1" | "v2" = "v1",
  ) {
    const { status, json } = await callJson(
      "Razorpay",
      `${settings.baseUrl}/${version}${path}`,
      {
        method,
        headers: { authorization, accept: "application/json", ...(body && { "content-type": "application/json" }), ...headers },
        ...(body && { body: JSON.stringify(body) }),
      },
      limit,
      LONGEST,
    );
    if (status >= 400 && status < 500 && ![401, 408, 429].includes(status)) {
      const { code, field, description } = Refused.safeParse(json).data?.error ?? {};
      const cause = new Error(`Razorpay: status ${status}${code ? `, ${code}` : ""}`);
      // Only accounts are refused by a field.
      throw new DomainError("conflict", undefined, { cause, ...(version === "v2" && { detail: { field: fieldOf(field), description } }) });
    }
    if (status < 200 || status > 299) throw unavailable("Razorpay", `status ${status}`);
    const parsed = shape.safeParse(json);
    if (!parsed.success) throw unavailable("Razorpay", "answered something else");
    return parsed.data as z.infer<T>;
  }
  /** Reads twice at most: reading changes nothing. */
  const read = async <T extends z.ZodType>(shape: T, path: string): Promise<z.infer<T>> =>
    call(shape, "GET", path).catch((error: unknown) => {
      if (error instanceof DomainError && error.code === "unavailable") return call(shape, "GET", path);
      throw error;
    });
  /** Reads a list page by page, until a page is not full. */
  async function readPages<T extends z.ZodType>(shape: T, path: string, page: number): Promise<z.infer<T>[]> {
    const all: z.infer<T>[] = [];
    for (let skip = 0; ; skip += page) {
      const { items } = await read(listOf(shape), `${path}&count=${page}&skip=${skip}`);
      all.push(...items);
      if (items.length < page) return all;
    }
  }
  const inAccounts: Parameters<typeof linkedAccounts>[0] = (shape, method, path, body) => call(shape, method, path, body, undefined, "v2");
  return { call, inAccounts, read, readPages };
}

/** Razorpay over its REST API: Orders, Payments, Refunds, Route transfers and the settlement report. `limit`: deadline of a call. */
export function razorpay(settings: RazorpaySettings, limit?: number): PaymentProvider {
  const { call, inAccounts, read, readPages } = razorpayClient(settings, limit);
  const accountTransfers = async (query: string) =>
    (await readPages(SettledTransfer, `/transfers?expand[]=recipient_settlement&${query}`, TRANSFERS_PAGE)).map(asAccountTransfer);
  return {
    name: settings.provider,
    platformFee: settings.platformFee ?? null,
    accounts: linkedAccounts(inAccounts),
    checkoutOrigin: new URL(settings.baseUrl).origin,
    createOrder: async (order) => asOrder(await call(Order, "POST", "/orders", orderBody(order))),
    findOrder: async (ownId) => {
      const [order] = (await read(listOf(Order), `/orders?receipt=${inPath(ownId)}`)).items;
      return order ? asOrder(order) : null;
    },
    fetchOrder: async (id) => asOrder(await read(Order, `/orders/${inPath(id)}`)),
    fetchPayments: async (id) => (await read(listOf(Payment), `/orders/${inPath(id)}/payments`)).items.map(asPayment),
    fetchPayment: async (id) => asPayment(await read(Payment, `/payments/${inPath(id)}`)),
    fetchTransfers: async (id) => (await read(listOf(Transfer), `/payments/${inPath(id)}/transfers`)).items.map(asTransfer),
    transfer: async ({ paymentId, account, amount, ownId }) => {
      const transfers = [{ account, amount, currency: "INR", on_hold: false, notes: { nadi_refund: ownId } }];
      const [made] = (await call(listOf(Transfer), "POST", `/payments/${inPath(paymentId)}/transfers`, { transfers })).items;
      if (!made) throw unavailable("Razorpay", "answered something else");
      return asTransfer(made);
    },
    refund: async ({ paymentId, amount, ownId, key, reverseAll = false }) =>
      asRefund(
        await call(
          Refund,
          "POST",
          `/payments/${inPath(paymentId)}/refund`,
          { amount, receipt: ownId, notes: { nadi_refund: ownId }, ...(reverseAll && { reverse_all: 1 }) },
          { "x-refund-idempotency": key },
        ),
      ),
    fetchRefund: async (id) => asRefund(await read(Refund, `/refunds/${inPath(id)}`)),
    fetchRefunds: async (id) => (await read(listOf(Refund), `/payments/${inPath(id)}/refunds?count=100`)).items.map(asRefund),
    listSettlementLines: async ({ year, month, day }) =>
      (await readPages(Line, `/settlements/recon/combined?year=${year}&month=${month}&day=${day}`, LINES_PAGE)).map(asLine),
    // Both bounds belong to the period.
    listAccountTransfers: ({ from, to }) =>
      accountTransfers(`from=${Math.floor(from.getTime() / 1000)}&to=${Math.ceil(to.getTime() / 1000) - 1}`),
    listTransfersOfSettlement: (id) => accountTransfers(`recipient_settlement_id=${inPath(id)}`),
    hostedCheckout: ({ providerOrderId, amount, name, returnUrl, cancelUrl }) => ({
      action: `${settings.baseUrl}/v1/checkout/embedded`,
      fields: {
        key_id: settings.keyId,
        amount: String(amount),
        currency: "INR",
        order_id: providerOrderId,
        name,
        callback_url: returnUrl,
        cancel_url: cancelUrl,
      },
    }),
    verifyWebhook: (raw, signature) => settings.webhookSecrets.some((secret) => isSigned(secret, raw, signature)),
    readWebhook: readMessage,
    verifyReturn: ({ orderId, paymentId, signature }) => isSigned(settings.keySecret, `${orderId}|${paymentId}`, signature),
  };
}

const orderBody = ({ ownId, amount, transfers = [] }: Parameters<PaymentProvider["createOrder"]>[0]) => ({
  amount,
  currency: "INR",
  receipt: ownId,
  notes: { nadi_order: ownId },
  payment: {
    capture: "automatic",
    capture_options: { automatic_expiry_period: 12, manual_expiry_period: 7200, refund_speed: "normal" },
  },
  ...(transfers.length > 0 && {
    transfers: transfers.map((t) => ({ account: t.account, amount: t.amount, currency: "INR", on_hold: t.onHold ?? false })),
  }),
});

/** Lines of a page of the settlement report. */
const LINES_PAGE = 500;
/** The provider allows no more. */
const TRANSFERS_PAGE = 100;

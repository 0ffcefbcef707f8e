/**
 * A payment provider for tests and the demo: Razorpay's paths, payloads and signatures on this machine, without money. It can misbehave
 * (`behaviour`). Its state is in memory.
 */
import { createHmac, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { startAccounts } from "./accounts.ts";
import { checkoutPage, returnPage } from "./pages.ts";
import { startReport } from "./report.ts";
import { startTransfers } from "./transfers.ts";
import type { GatewayOrder, GatewayPayment, GatewayRefund } from "./types.ts";

export type Behaviour = {
  /** Answers of the API: 503 to each call, or after this many milliseconds. */
  down: boolean;
  slowMs: number;
  /** Refuses new orders, as for an account that is suspended. */
  refusesOrders: boolean;
  /** Performs writes and then drops the connection, so that the caller does not learn of them. */
  losesAnswers: boolean;
  /** Messages: each this many times, 0 for none, in reverse order when held back, with a signature of another key. */
  copies: number;
  held: boolean;
  wrongSignature: boolean;
  /** A refund is processed at once, or stays pending until `settleRefund`. */
  refundsAtOnce: boolean;
};
/** A provider without faults. */
export const CALM: Readonly<Behaviour> = {
  down: false,
  slowMs: 0,
  refusesOrders: false,
  losesAnswers: false,
  copies: 1,
  held: false,
  wrongSignature: false,
  refundsAtOnce: true,
};
export type GatewaySettings = {
  keyId: string;
  keySecret: string;
  webhookSecret: string;
  /** Where messages go; null: nowhere. */
  webhookUrl: string | null;
  port?: number;
};
type Message = { id: string; body: string };
/** What a patient does on the provider's page. `slow`: the bank is not done. `lost`: paid, but the browser never comes back. */
export type Outcome = "pay" | "slow" | "lost" | "fail";

const newId = (kind: string) => `${kind}_${randomBytes(7).toString("hex")}`;
const sign = (secret: string, text: string) => createHmac("sha256", secret).update(text).digest("hex");
const rrnOf = (id: string) =>
  String(Number.parseInt(id.slice(-10), 16))
    .padStart(12, "0")
    .slice(-12);
const inSeconds = (ms: number) => Math.floor(ms / 1000);

export async function startGateway(settings: GatewaySettings) {
  const orders = new Map<string, GatewayOrder>();
  const payments = new Map<string, GatewayPayment>();
  const refunds = new Map<string, GatewayRefund>();
  const keys = new Map<string, string>();
  const behaviour: Behaviour = { ...CALM };
  const heldBack: Message[] = [];
  const delivered: { id: string; status: number }[] = [];
  /** Calls of the API so far: `GET /v1/orders/order_…/payments`. */
  const calls: string[] = [];
  const underWay = new Set<Promise<void>>();
  const linked = startAccounts();
  const transferred = startTransfers(linked);
  const report = startReport({ payments, refunds, ...transferred });
  let webhookUrl = settings.webhookUrl;

  const orderJson = (o: GatewayOrder) => ({
    id: o.id,
    entity: "order",
    amount: o.amount,
    amount_paid: o.status === "paid" ? o.amount : 0,
    currency: "INR",
    receipt: o.receipt,
    status: o.status,
    notes: [],
    created_at: inSeconds(o.at),
  });
  const paymentJson = (p: GatewayPayment) => ({
    id: p.id,
    entity: "payment",
    amount: p.amount,
    currency: p.currency ?? "INR",
    status: p.status,
    order_id: p.orderId,
    method: "upi",
    captured: !p.released && (p.status === "captured" || p.status === "refunded"),
    amount_refunded: p.refunded,
    // A bank's reference has twelve digits.
    acquirer_data: p.status === "captured" || p.status === "refunded" ? { rrn: rrnOf(p.id) } : {},
    vpa: "payer@bank",
    email: "payer@example.test",
    fee: null,
    tax: null,
    notes: [],
    created_at: inSeconds(p.at),
  });
  const refundJson = (r: GatewayRefund) => ({
    id: r.id,
    entity: "refund",
    payment_id: r.paymentId,
    amount: r.amount,
    currency: "INR",
    status: r.status,
    receipt: r.ownId,
    notes: r.ownId ? { nadi_refund: r.ownId } : [],
    acquirer_data: r.reference ? { rrn: r.reference } : {},
    created_at: inSeconds(r.at),
  });

  /** Sends a message once, or as often as the behaviour says. Repeats a refused one (4xx) three times, and one that failed (5xx, no response) for half a minute. */
  async function deliver({ id, body }: Message): Promise<void> {
    for (let copy = 0; copy < behaviour.copies; copy++)
      for (let attempt = 1; attempt <= 16; attempt++) {
        const secret = behaviour.wrongSignature ? "another-secret" : settings.webhookSecret;
        const status = webhookUrl
          ? await fetch(webhookUrl, {
              method: "POST",
              headers: {
                "content-type": "application/json",
                "x-razorpay-event-id": id,
                "x-razorpay-signature": sign(secret, body),
              },
              body,
              signal: AbortSignal.timeout(5000),
            }).then(
              (response) => response.status,
              () => 0,
            )
          : 200;
        delivered.push({ id, status });
        if (status === 200 || status === 401 || (status >= 400 && status < 500 && attempt >= 4)) break;
        await new Promise((again) => setTimeout(again, Math.min(2000, 250 * attempt)));
      }
  }
  function send(event: string, payload: { payment?: GatewayPayment | undefined; refund?: GatewayRefund }): void {
    const body = JSON.stringify({
      entity: "event",
      account_id: "acc_local",
      event,
      contains: Object.keys(payload),
      payload: {
        ...(payload.payment && { payment: { entity: paymentJson(payload.payment) } }),
        ...(payload.refund && { refund: { entity: refundJson(payload.refund) } }),
      },
      created_at: inSeconds(Date.now()),
    });
    const message = { id: newId("evt"), body };
    if (behaviour.held) return void heldBack.push(message);
    const work: Promise<void> = deliver(message).finally(() => underWay.delete(work));
    underWay.add(work);
  }

  /** The bank's reservation ends without a capture: the payer has the money back. The provider sends no message. */
  function release(payment: GatewayPayment): void {
    Object.assign(payment, { status: "refunded", refunded: payment.amount, released: true });
  }
  function capture(payment: GatewayPayment): void {
    payment.status = "captured";
    const order = orders.get(payment.orderId)!;
    order.status = "paid";
    transferred.make(order, payment);
    send("payment.captured", { payment });
    send("order.paid", { payment });
  }
  /** A patient pays, or tries to. The order accepts any number of payments: two tabs, or after it should have ended. */
  function attempt(orderId: string, outcome: Outcome): GatewayPayment {
    const order = orders.get(orderId)!;
    const payment: GatewayPayment = { id: newId("pay"), orderId, amount: order.amount, refunded: 0, status: "created", at: Date.now() };
    payments.set(payment.id, payment);
    if (order.status === "created") order.status = "attempted";
    if (outcome === "fail") {
      payment.status = "failed";
      send("payment.failed", { payment });
      return payment;
    }
    payment.status = "authorized";
    send("payment.authorized", { payment });
    if (outcome !== "slow") capture(payment);
    return payment;
  }
  /** `reverse`: the linked accounts give the money back. */
  function refund(payment: GatewayPayment, amount: number, ownId: string | null, reverse: boolean): GatewayRefund {
    const at = Date.now();
    const made: GatewayRefund = { id: newId("rfnd"), paymentId: payment.id, amount, status: "pending", ownId, reference: null, at };
    refunds.set(made.id, made);
    if (reverse) transferred.reverse(made);
    payment.refunded += amount;
    if (payment.refunded === payment.amount) payment.status = "refunded";
    send("refund.created", { payment, refund: made });
    if (behaviour.refundsAtOnce) settleRefund(made.id, "processed");
    return made;
  }
  function settleRefund(id: string, status: "processed" | "failed"): void {
    const made = refunds.get(id)!;
    const payment = payments.get(made.paymentId)!;
    made.status = status;
    if (status === "processed") made.reference = `RRN${made.id.slice(-10)}`;
    else {
      payment.refunded -= made.amount;
      payment.status = "captured";
    }
    send(`refund.${status}`, { payment, refund: made });
  }

  const signatureOf = (payment: GatewayPayment) => sign(settings.keySecret, `${payment.orderId}|${payment.id}`);
  type Answer = { status?: number; json?: unknown; html?: string };
  const list = (items: unknown[]): Answer => ({ json: { entity: "collection", count: items.length, items } });
  const refused = (description: string): Answer => ({ status: 400, json: { error: { code: "BAD_REQUEST_ERROR", description } } });

  function answerApi(method: string, url: URL, body: string, headers: IncomingMessage["headers"]): Answer {
    const [, , what, id, part] = url.pathname.split("/");
    const route = `${method} ${what}${id ? "/:id" : ""}${part ? `/${part}` : ""}`;
    const sent = body ? JSON.parse(body) : {};
    if (url.pathname.startsWith("/v2/accounts")) return linked.answer(method, url.pathname, sent);
    if (what === "orders" && id && !orders.has(id)) return refused("The id provided does not exist");
    if (what === "payments" && id && !payments.has(id)) return refused("The id provided does not exist");
    switch (route) {
      case "POST orders": {
        if (behaviour.refusesOrders) return refused("Merchant is not allowed to create orders");
        if (!Number.isSafeInteger(sent.amount) || sent.amount < 100 || sent.currency !== "INR")
          return refused("Order amount less than minimum");
        const transfers = transferred.read(sent.transfers ?? [], sent.amount);
        if (typeof transfers === "string") return refused(transfers);
        const order: GatewayOrder = {
          id: newId("order"),
          amount: sent.amount,
          receipt: sent.receipt ?? "",
          status: "created",
          transfers,
          at: Date.now(),
        };
        orders.set(order.id, order);
        return { json: orderJson(order) };
      }
      case "GET orders":
        return list([...orders.values()].filter((order) => order.receipt === url.searchParams.get("receipt")).map(orderJson));
      case "GET orders/:id":
        return { json: orderJson(orders.get(id!)!) };
      case "GET orders/:id/payments":
        return list([...payments.values()].filter((payment) => payment.orderId === id).map(paymentJson));
      case "GET payments/:id":
        return { json: paymentJson(payments.get(id!)!) };
      case "GET payments/:id/refunds":
        return list([...refunds.values()].filter((one) => one.paymentId === id).map(refundJson));
      case "GET payments/:id/transfers":
        return list(transferred.ofPayment(id!).map(transferred.json));
      case "POST payments/:id/transfers": {
        const payment = payments.get(id!)!;
        if (payment.released || !["captured", "refunded"].includes(payment.status)) return refused("The payment has not been captured");
        const made = transferred.add(payment, sent.transfers ?? []);
        return typeof made === "string" ? refused(made) : list(made.map(transferred.json));
      }
      case "POST payments/:id/refund": {
        const key = String(headers["x-refund-idempotency"] ?? "");
        const known = refunds.get(keys.get(key) ?? "");
        if (known) return { json: refundJson(known) };
        const payment = payments.get(id!)!;
        if (payment.released || !["captured", "refunded"].includes(payment.status)) return refused("The payment has not been captured");
        if (payment.refunded + sent.amount > payment.amount)
          return refused("The total refund amount is greater than the refund payment amount");
        const reverse = sent.reverse_all === 1;
        const problem = reverse ? transferred.problemOf(payment, sent.amount) : null;
        if (problem) return refused(problem);
        const made = refund(payment, sent.amount, sent.notes?.nadi_refund ?? sent.receipt ?? null, reverse);
        if (key) keys.set(key, made.id);
        return { json: refundJson(made) };
      }
      case "GET transfers":
        return list(transferred.page(url.searchParams));
      case "GET settlements/:id/combined":
        return list(report.page(url.searchParams));
      case "GET refunds/:id": {
        const made = refunds.get(id!);
        return made ? { json: refundJson(made) } : refused("The id provided does not exist");
      }
      default:
        return { status: 404, json: { error: { code: "BAD_REQUEST_ERROR" } } };
    }
  }

  function answerPage(url: URL, body: string): Answer {
    const fields = new URLSearchParams(body);
    const order = orders.get(fields.get("order_id") ?? "");
    const callback = fields.get("callback_url") ?? "";
    if (!order || fields.get("key_id") !== settings.keyId || !URL.canParse(callback)) return { status: 400, html: "Unknown order" };
    const cancel = fields.get("cancel_url") ?? callback;
    if (url.pathname === "/v1/checkout/embedded") return { html: checkoutPage(Object.fromEntries(fields), order.amount, cancel) };
    const outcome = fields.get("outcome") as Outcome;
    const payment = attempt(order.id, outcome);
    if (outcome === "lost") return { html: "<!doctype html><title>Network error</title><h1>The network is gone</h1>" };
    if (outcome === "fail")
      return {
        html: returnPage(callback, { "error[code]": "BAD_REQUEST_ERROR", "error[description]": "Payment failed" }, "Payment failed"),
      };
    const result = { razorpay_payment_id: payment.id, razorpay_order_id: order.id, razorpay_signature: signatureOf(payment) };
    return { html: returnPage(callback, result, "Payment done") };
  }

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    let body = "";
    for await (const chunk of req) body += chunk;
    const url = new URL(req.url ?? "/", "http://gateway");
    if (!url.pathname.startsWith("/v1/checkout/")) calls.push(`${req.method} ${url.pathname}`);
    if (behaviour.slowMs) await new Promise((done) => setTimeout(done, behaviour.slowMs));
    const isPage = url.pathname.startsWith("/v1/checkout/");
    const known = `Basic ${Buffer.from(`${settings.keyId}:${settings.keySecret}`).toString("base64")}`;
    const answer: Answer = behaviour.down
      ? { status: 503, json: {} }
      : isPage
        ? answerPage(url, body)
        : req.headers.authorization === known
          ? answerApi(req.method ?? "", url, body, req.headers)
          : { status: 401, json: { error: { code: "BAD_REQUEST_ERROR" } } };
    if (behaviour.losesAnswers && (req.method === "POST" || req.method === "PATCH") && !isPage) return void req.socket.destroy();
    res.writeHead(answer.status ?? 200, {
      "content-type": answer.html === undefined ? "application/json" : "text/html; charset=utf-8",
    });
    res.end(answer.html ?? JSON.stringify(answer.json));
  }
  const server = createServer((req, res) => {
    serve(req, res).catch(() => res.writeHead(500).end());
  });
  await new Promise<void>((ready, no) => {
    server.once("error", no);
    server.listen(settings.port ?? 0, "127.0.0.1", ready);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    behaviour,
    calls,
    orders,
    payments,
    refunds,
    delivered,
    report,
    linked,
    transferred,
    /** Sets where messages go. */
    sendTo: (url: string) => {
      webhookUrl = url;
    },
    attempt,
    capture: (paymentId: string) => capture(payments.get(paymentId)!),
    releaseReserved: (paymentId: string) => release(payments.get(paymentId)!),
    signatureOf,
    /** A refund that a person makes in the provider's dashboard. `reverse`: with the option to take it back from linked accounts. */
    dashboardRefund: (paymentId: string, amount: number, reverse = false) => refund(payments.get(paymentId)!, amount, null, reverse),
    settleRefund,
    /** Removes the messages that were held back, with their signatures. */
    takeHeld: () => heldBack.splice(0).map((message) => ({ ...message, signature: sign(settings.webhookSecret, message.body) })),
    /** Sends the messages that were held back, the last first. */
    async release(): Promise<void> {
      behaviour.held = false;
      for (const message of heldBack.splice(0).reverse()) await deliver(message);
    },
    /** Waits for the messages under way. */
    async quiet(): Promise<void> {
      while (underWay.size) await Promise.all(underWay);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
/** @internal for tests */
export type Gateway = Awaited<ReturnType<typeof startGateway>>;

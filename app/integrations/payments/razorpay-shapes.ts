import { z } from "zod";
import type { EventFact } from "#app/db/schema/payment-orders.ts";
import { seconds } from "#app/lib/durations.ts";
import { paise } from "#app/lib/money.ts";
import type {
  AccountTransfer,
  ProviderOrder,
  ProviderPayment,
  ProviderRefund,
  ProviderTransfer,
  SettlementLine,
} from "./payment-provider.server.ts";

// Razorpay's formats: what its API and its messages say, without the payer's names and addresses.

const amount = z.number().int().nonnegative().transform(paise);
const instant = z.number().transform((at) => new Date(seconds(at)));
/** Razorpay writes an empty list for an empty object. */
const notes = z.union([z.record(z.string(), z.unknown()), z.array(z.unknown()).transform(() => ({}) as Record<string, unknown>)]).nullish();

const AcquirerData = z.record(z.string(), z.unknown()).or(z.array(z.unknown())).nullish();

export const Order = z.object({ id: z.string(), amount, amount_paid: amount, status: z.enum(["created", "attempted", "paid"]) });
export const Payment = z.object({
  id: z.string(),
  order_id: z.string().nullish(),
  status: z.enum(["created", "authorized", "captured", "refunded", "failed"]),
  amount,
  currency: z.string(),
  captured: z.boolean().nullish(),
  amount_refunded: amount.nullish(),
  method: z.string().nullish(),
  acquirer_data: AcquirerData,
  fee: amount.nullish(),
  tax: amount.nullish(),
  created_at: instant,
});
export const Refund = z.object({
  id: z.string(),
  payment_id: z.string(),
  amount,
  status: z.enum(["pending", "processed", "failed"]),
  receipt: z.string().nullish(),
  notes,
  acquirer_data: AcquirerData,
  created_at: instant,
});
export const Transfer = z.object({ id: z.string(), status: z.string().nullish(), amount_reversed: amount.nullish(), notes });
export const SettledTransfer = z.object({
  id: z.string(),
  source: z.string(),
  recipient: z.string(),
  amount,
  amount_reversed: amount.nullish(),
  recipient_settlement: z
    .object({
      id: z.string(),
      amount,
      status: z.string(),
      fees: amount.nullish(),
      tax: amount.nullish(),
      utr: z.string().nullish(),
      created_at: instant,
    })
    .nullish(),
});
export const Line = z.object({
  entity_id: z.string(),
  type: z.string(),
  order_id: z.string().nullish(),
  payment_id: z.string().nullish(),
  amount,
  fee: amount.nullish(),
  tax: amount.nullish(),
  credit: amount,
  debit: amount,
  settlement_id: z.string().nullish(),
  settled_at: z.number().nullish(),
  settlement_utr: z.string().nullish(),
});
export const listOf = <T extends z.ZodType>(one: T) => z.object({ items: z.array(one) });
export const Refused = z.object({
  error: z.object({ code: z.string().max(60), field: z.string().max(60).nullish(), description: z.string().max(400).nullish() }),
});

export const asOrder = (o: z.infer<typeof Order>): ProviderOrder => ({
  id: o.id,
  amount: o.amount,
  amountPaid: o.amount_paid,
  status: o.status,
});
export const asPayment = (p: z.infer<typeof Payment>): ProviderPayment => ({
  id: p.id,
  orderId: p.order_id ?? null,
  status: p.status,
  amount: p.amount,
  currency: p.currency,
  captured: p.captured ?? (p.status === "captured" || p.status === "refunded"),
  refunded: p.amount_refunded ?? paise(0),
  method: p.method ?? null,
  reference: referenceOf(p.acquirer_data, ["rrn", "bank_transaction_id", "upi_transaction_id"]),
  fee: p.fee ?? null,
  tax: p.tax ?? null,
  createdAt: p.created_at,
});
export const asRefund = (r: z.infer<typeof Refund>): ProviderRefund => ({
  id: r.id,
  paymentId: r.payment_id,
  amount: r.amount,
  status: r.status,
  ownId: ownIdOf(r),
  reference: referenceOf(r.acquirer_data, ["arn", "rrn", "utr"]),
  createdAt: r.created_at,
});
const TRANSFER_STATES: Record<string, ProviderTransfer["state"]> = { failed: "failed", created: "pending", pending: "pending" };
export const asTransfer = (t: z.infer<typeof Transfer>): ProviderTransfer => ({
  id: t.id,
  // Also reversed ones were made.
  state: TRANSFER_STATES[t.status ?? ""] ?? "processed",
  ownId: ownNoteOf(t),
  reversed: t.amount_reversed ?? paise(0),
});
/** A settlement that is not `processed`, or without the bank's reference, has not reached the bank. */
export const asAccountTransfer = ({ recipient_settlement: s, ...t }: z.infer<typeof SettledTransfer>): AccountTransfer => ({
  id: t.id,
  account: t.recipient,
  sourceId: t.source,
  amount: t.amount,
  reversed: t.amount_reversed ?? paise(0),
  settlement:
    s?.status === "processed" && s.utr
      ? { id: s.id, amount: s.amount, fee: s.fees ?? paise(0), tax: s.tax ?? paise(0), reference: s.utr, settledAt: s.created_at }
      : null,
});
/** Returns our id of a refund from the notes of a refund or transfer. */
function ownNoteOf({ notes }: Pick<z.infer<typeof Refund>, "notes">): string | null {
  return typeof notes?.nadi_refund === "string" ? notes.nadi_refund : null;
}
/** Returns the id that we gave a refund. */
const ownIdOf = (r: Pick<z.infer<typeof Refund>, "notes" | "receipt">) => ownNoteOf(r) ?? r.receipt ?? null;
/** Returns the bank's reference of a payment or a refund: the first of `names` that the bank gave. */
function referenceOf(data: unknown, names: readonly string[]): string | null {
  if (typeof data !== "object" || data === null) return null;
  for (const name of names) {
    const value = (data as Record<string, unknown>)[name];
    if (typeof value === "string" && /^[\w-]{4,40}$/.test(value)) return value;
  }
  return null;
}
const KINDS: Record<string, SettlementLine["kind"]> = { payment: "payment", refund: "refund", transfer: "transfer", reversal: "reversal" };
/** The type of a reversal's line is not documented, the form of its id is. */
const kindOf = ({ type, entity_id: id }: z.infer<typeof Line>) => KINDS[type] ?? (id.startsWith("rvrsl_") ? "reversal" : "adjustment");
export const asLine = (l: z.infer<typeof Line>): SettlementLine => ({
  id: l.entity_id,
  kind: kindOf(l),
  orderId: l.order_id ?? null,
  paymentId: l.payment_id ?? (l.type === "payment" ? l.entity_id : null),
  amount: l.amount,
  fee: l.fee ?? paise(0),
  tax: l.tax ?? paise(0),
  credit: l.credit,
  debit: l.debit,
  settlementId: l.settlement_id ?? null,
  settledAt: l.settled_at ? new Date(seconds(l.settled_at)) : null,
  reference: l.settlement_utr ?? null,
});

const Message = z.object({
  event: z.string().max(60),
  payload: z.object({
    payment: z.object({ entity: Payment }).optional(),
    refund: z.object({ entity: Refund }).optional(),
    order: z.object({ entity: z.object({ id: z.string() }) }).optional(),
  }),
});

/** Returns what a message says about money; null for bytes that are no message. A message about something else has neither payment nor refund. */
export function readMessage(raw: Uint8Array): EventFact | null {
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(raw).toString("utf8"));
  } catch {
    return null;
  }
  const parsed = Message.safeParse(json);
  if (!parsed.success) return null;
  const { event, payload } = parsed.data;
  const payment = payload.payment && asPayment(payload.payment.entity);
  const refund = payload.refund && asRefund(payload.refund.entity);
  return { kind: event, orderId: payment?.orderId ?? payload.order?.entity.id ?? null, ...factOf(payment ?? null, refund ?? null) };
}

/** Returns a payment and a refund as a message says them. */
export const factOf = (payment: ProviderPayment | null, refund: ProviderRefund | null): Pick<EventFact, "payment" | "refund"> => ({
  payment: payment && {
    id: payment.id,
    status: payment.status,
    amount: payment.amount,
    currency: payment.currency,
    captured: payment.captured,
    refunded: payment.refunded,
    method: payment.method,
    reference: payment.reference,
  },
  refund: refund && {
    id: refund.id,
    paymentId: refund.paymentId,
    status: refund.status,
    amount: refund.amount,
    ownId: refund.ownId,
    reference: refund.reference,
  },
});

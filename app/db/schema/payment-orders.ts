/** What a payment provider is asked to collect, and what it says. */
import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { paise } from "#app/lib/money.ts";
import type { InvoiceTerms } from "#app/lib/platform-fee.ts";
import { MESSAGE_REFUSALS, PAYMENT_ORDER_STATES, PAYMENT_PROVIDERS } from "#app/lib/vocabulary.ts";
import { appointments } from "./appointments.ts";
import { at, createdAt, id, inPaise, sealedText } from "./columns.ts";
import { doctors } from "./people.ts";
import { hidden, LAW, ofNoPatient, ofPatients, shown } from "./policy.ts";

/**
 * What a payment provider is asked to collect for an appointment. An appointment has at most one open order, so that two tabs pay the same one.
 * Only ids and amounts: rows stay when an account is deleted.
 */
export const paymentOrders = pgTable(
  "payment_orders",
  {
    id: id(),
    appointmentId: uuid()
      .notNull()
      .references(() => appointments.id),
    doctorId: uuid()
      .notNull()
      .references(() => doctors.id),
    /** Who receives the money: as in `payments`. */
    merchantId: uuid().notNull(),
    /** What the clinic gets. The provider collects it with the platform fee. */
    amount: inPaise().notNull(),
    platformFee: inPaise().notNull().default(paise(0)),
    /** What its invoice will say, whatever is configured when the money comes. */
    platformFeeTerms: jsonb().$type<InvoiceTerms>(),
    provider: text({ enum: PAYMENT_PROVIDERS }).notNull(),
    /** null until the provider has answered. */
    providerOrderId: text(),
    /**
     * The linked account to which the provider passes the whole amount on, without the platform fee; null: none. Never changes, whatever happens to
     * the payout account.
     */
    transferAccount: text(),
    /** Transitions: money/orders/order.state.ts. A payment may still arrive for an expired order. */
    state: text({ enum: PAYMENT_ORDER_STATES }).notNull().default("created"),
    expiresAt: at().notNull(),
    /** When the patient came back from the provider, or the bank reserved the money: the bank is still confirming. */
    confirmingAt: at(),
    /** When an attempt failed last. The patient may try again with the same order. */
    attemptFailedAt: at(),
    /** When the provider was asked last. */
    checkedAt: at(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("payment_orders_of_provider").on(t.provider, t.providerOrderId),
    uniqueIndex("payment_orders_one_open").on(t.appointmentId).where(sql`${t.state} = 'created'`),
    index("payment_orders_appointment").on(t.appointmentId),
    index("payment_orders_created").on(t.createdAt),
    check("payment_orders_amount", sql`${t.amount} > 0`),
    check("payment_orders_platform_fee", sql`${t.platformFee} >= 0 and (${t.platformFee} > 0) = (${t.platformFeeTerms} is not null)`),
    check("payment_orders_transfer", sql`${t.transferAccount} <> ''`),
  ],
);
ofPatients(paymentOrders, {
  section: "paymentOrders",
  owner: { by: "appointmentId", of: appointments },
  may: ["SELECT", "INSERT", "UPDATE"],
  stays: {
    ...shown("id appointmentId provider state expiresAt createdAt"),
    ...hidden("doctorId merchantId platformFeeTerms providerOrderId transferAccount confirmingAt attemptFailedAt"),
    ...hidden("checkedAt"),
    amount: "amountPaise",
    platformFee: "platformFeePaise",
  },
  why: LAW.tax,
});

/** What an event says about money: without names, numbers and addresses of the payer. */
export type EventFact = {
  kind: string;
  orderId: string | null;
  payment: {
    id: string;
    status: string;
    amount: number;
    currency: string;
    captured: boolean;
    refunded: number;
    method: string | null;
    /** The bank's reference. Absent from facts that were stored before it was read. */
    reference?: string | null;
  } | null;
  refund: { id: string; paymentId: string; status: string; amount: number; ownId: string | null; reference: string | null } | null;
};

/**
 * Signed messages of a provider, stored before they are applied. The message names the payer, so it is sealed under the row's own key. Append-only
 * by trigger, except `appliedAt`, once, and a new sealing of `dataKey`.
 */
export const paymentEvents = pgTable(
  "payment_events",
  {
    provider: text({ enum: PAYMENT_PROVIDERS }).notNull(),
    /** The provider's id: the same event may be delivered several times. */
    eventId: text().notNull(),
    dataKey: sealedText().notNull(),
    /** The bytes as they were signed, base64. */
    raw: sealedText("row").notNull(),
    fact: jsonb().$type<EventFact>().notNull(),
    /** Our order. */
    orderId: uuid()
      .notNull()
      .references(() => paymentOrders.id),
    receivedAt: createdAt(),
    appliedAt: at(),
  },
  (t) => [
    primaryKey({ name: "payment_events_pk", columns: [t.provider, t.eventId] }),
    index("payment_events_order").on(t.orderId, t.receivedAt),
    index("payment_events_received").on(t.receivedAt),
    index("payment_events_unapplied").on(t.receivedAt).where(sql`${t.appliedAt} is null`),
  ],
);
ofPatients(paymentEvents, {
  section: null,
  owner: { by: "orderId", of: paymentOrders },
  // A trigger allows one change: `appliedAt`, and a new sealing of the key.
  may: ["SELECT", "INSERT", "UPDATE"],
  stays: hidden("provider eventId dataKey raw fact orderId receivedAt appliedAt"),
  why: LAW.tax,
});

/**
 * Messages to the payment webhook that were refused, counted by hour and reason, so that an attacker cannot fill the table. Nothing of the message
 * is stored, except the provider's id of one with a valid signature.
 */
export const refusedMessages = pgTable(
  "refused_messages",
  {
    provider: text({ enum: PAYMENT_PROVIDERS }).notNull(),
    /** The start of the hour. */
    hour: at().notNull(),
    reason: text({ enum: MESSAGE_REFUSALS }).notNull(),
    /** Stops at `MOST_COUNTED` (money/refused-messages). */
    count: integer().notNull(),
    firstAt: at().notNull(),
    lastAt: at().notNull(),
    /** The provider's id of the last message with a valid signature. */
    eventId: text(),
  },
  (t) => [primaryKey({ name: "refused_messages_pk", columns: [t.provider, t.hour, t.reason] })],
);
ofNoPatient(refusedMessages);

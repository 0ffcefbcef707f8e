import { sql } from "drizzle-orm";
import { bigint, check, index, pgTable, smallint, text, unique, uuid } from "drizzle-orm/pg-core";
import { WEBHOOK_DELIVERY_STATES, WEBHOOK_STATES } from "#app/lib/vocabulary.ts";
import { at, createdAt, id, sealedText } from "./columns.ts";
import { hospitals } from "./people.ts";
import { ofNoPatient } from "./policy.ts";

/** Where a place sends its events: the software of a partner (docs/decisions/083). */
export const webhookEndpoints = pgTable(
  "webhook_endpoints",
  {
    id: id(),
    hospitalId: uuid()
      .notNull()
      .references(() => hospitals.id, { onDelete: "cascade" }),
    url: text().notNull(),
    label: text().notNull().default(""),
    /** The subjects whose events are sent: "appointment", "queue-entry". */
    subjects: text().array().notNull(),
    /** `paused` by an owner: events wait. `disabled` after days of failures: events are no longer recorded. */
    state: text({ enum: WEBHOOK_STATES }).notNull().default("active"),
    /** "whsec_" and base64: signs each message. */
    secret: sealedText().notNull(),
    /** The secret before the last rotation. It signs too until `previousUntil`. */
    previousSecret: sealedText(),
    previousUntil: at(),
    /** Since when every attempt has failed; null: the last one succeeded. */
    failingSince: at(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (t) => [
    index("webhook_endpoints_place").on(t.hospitalId, t.state),
    check("webhook_endpoints_previous", sql`(${t.previousSecret} is null) = (${t.previousUntil} is null)`),
    check("webhook_endpoints_url", sql`length(${t.url}) <= 500 and ${t.url} ~ '^https?://'`),
  ],
);
ofNoPatient(webhookEndpoints, {
  columns: {
    url: { clear: "sent to; a host only in the audit log" },
    label: { clear: "the owner's word for a partner" },
  },
});

/**
 * One event for one endpoint, or a test event. A trigger of `domain_events` writes it in the transaction of the change. Its id is the
 * `webhook-id` of every attempt.
 */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: id(),
    endpointId: uuid()
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: "cascade" }),
    /** Of `domain_events`; null: a test event. */
    eventId: bigint({ mode: "number" }),
    state: text({ enum: WEBHOOK_DELIVERY_STATES }).notNull().default("waiting"),
    attempts: smallint().notNull().default(0),
    /** When it may be sent (again). While it is sent: when the attempt counts as lost. null: delivered or failed. */
    nextAt: at(),
    /** Of the last attempt: the HTTP status, or why there was none. */
    status: smallint(),
    error: text(),
    triedAt: at(),
    createdAt: createdAt(),
  },
  (t) => [
    unique("webhook_deliveries_once").on(t.endpointId, t.eventId),
    index("webhook_deliveries_due").on(t.endpointId, t.nextAt).where(sql`${t.state} = 'waiting'`),
    index("webhook_deliveries_list").on(t.endpointId, t.createdAt),
    // For the sweep.
    index("webhook_deliveries_created").on(t.createdAt),
    check("webhook_deliveries_next", sql`(${t.state} = 'waiting') = (${t.nextAt} is not null)`),
  ],
);
ofNoPatient(webhookDeliveries);

import { index, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { sessions, users } from "./accounts.ts";
import { at, createdAt, id, sealedJson } from "./columns.ts";
import { hidden, ofPatients, shown } from "./policy.ts";

/** What a push service needs to deliver a message to a browser (RFC 8030, RFC 8291). */
type Address = { endpoint: string; p256dh: string; auth: string };

/**
 * A browser that shows notifications of Nadi: one for each login. It ends with the session, so no message reaches a browser after
 * its user logged out (docs/decisions/086).
 */
export const pushSubscriptions = pgTable(
  "push_subscriptions",
  {
    id: id(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    sessionHash: text()
      .notNull()
      .references(() => sessions.tokenHash, { onDelete: "cascade" }),
    /** Finds the subscription of a browser: the endpoint itself is sealed, because knowing it is the permission to send. */
    endpointHash: text().notNull(),
    address: sealedJson<Address>().notNull(),
    userAgent: text().notNull(),
    createdAt: createdAt(),
    /** When a push service last accepted a message. */
    lastSentAt: at(),
    /** The push service: the origin of the endpoint. null before the first message. */
    service: text(),
    /** Since when the push service answers 403; null after a message that it accepted. */
    refusedSince: at(),
  },
  (t) => [
    unique("push_subscriptions_endpoint").on(t.endpointHash),
    unique("push_subscriptions_session").on(t.sessionHash),
    index("push_subscriptions_user").on(t.userId),
  ],
);
ofPatients(pushSubscriptions, {
  section: "pushDevices",
  owner: "userId",
  removed: {
    ...shown("id address lastSentAt service refusedSince"),
    ...hidden("userId sessionHash endpointHash"),
    userAgent: "browser",
    createdAt: "since",
  },
});

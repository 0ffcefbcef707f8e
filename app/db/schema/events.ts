import { isNotNull, isNull, sql } from "drizzle-orm";
import { bigint, bigserial, check, customType, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { MEMBER_ROLES } from "#app/lib/vocabulary.ts";
import { ROLES, users } from "./accounts.ts";
import { at, createdAt, id } from "./columns.ts";
import { hidden, LAW, ofNoPatient, ofPatients, shown } from "./policy.ts";

/** Spec 000 §3: success → success style, warning → reschedule, danger → cancel, anything else → reschedule. */
export const NOTIFICATION_TYPES = ["success", "warning", "danger", "info"] as const;

/** A notification to a user. The text is created from `kind` and `params` when read, in the reader's language. */
export const notifications = pgTable(
  "notifications",
  {
    id: id(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text().notNull(),
    type: text({ enum: NOTIFICATION_TYPES }).notNull(),
    params: jsonb().$type<Record<string, string>>().notNull().default({}),
    targetPath: text(),
    readAt: at(),
    /** Deleted by the user, who can undo it until the sweep (`sweepNotifications`). */
    deletedAt: at(),
    createdAt: createdAt(),
  },
  (t) => [
    index("notifications_user").on(t.userId, t.createdAt),
    index("notifications_unread").on(t.userId).where(isNull(t.readAt)),
    // For the sweep.
    index("notifications_deleted").on(t.deletedAt).where(isNotNull(t.deletedAt)),
  ],
);
ofPatients(notifications, {
  section: "notifications",
  owner: "userId",
  removed: {
    ...shown("id kind readAt deletedAt"),
    ...hidden("userId type targetPath"),
    params: { name: "params", clear: "names in notices, and the administrator's word about a cancelled visit" },
    createdAt: "at",
  },
});

/** Who read or changed whose record. Append-only: a trigger refuses update and delete. */
export const auditLog = pgTable(
  "audit_log",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    at: createdAt(),
    actorId: uuid(),
    actorRole: text({ enum: [...ROLES, "system", "visitor"] as const }).notNull(),
    action: text().notNull(),
    subjectType: text().notNull(),
    subjectId: text().notNull(),
    /** The user whose record it is: their own log shows who opened it. */
    personId: uuid(),
    details: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    requestId: text(),
    ip: text(),
    /** A member of a place acted for it: the place, the member's role there, and the doctor. */
    hospitalId: uuid(),
    memberRole: text({ enum: MEMBER_ROLES }),
    onBehalfOf: uuid(),
  },
  (t) => [
    index("audit_log_subject").on(t.subjectType, t.subjectId),
    index("audit_log_person").on(t.personId, t.at),
    index("audit_log_actor").on(t.actorId, t.at),
    index("audit_log_action").on(t.action, t.id),
    index("audit_log_at").on(t.at),
  ],
);
ofPatients(auditLog, {
  section: "whatIDid",
  owner: "actorId",
  may: ["SELECT", "INSERT"],
  stays: {
    ...shown("id at action subjectId"),
    ...hidden("actorId actorRole personId requestId hospitalId memberRole onBehalfOf"),
    subjectType: "subject",
    details: { name: null, clear: "why staff looked, suspended or disabled; without health text" },
    ip: "address",
  },
  why: LAW.log,
});

/**
 * One row for each change of a state (platform/events). Append-only: a trigger refuses update and delete. Ids only, without
 * foreign keys: rows outlive their subjects. Nothing personal and no health text.
 */
export const domainEvents = pgTable(
  "domain_events",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    /** Subject and action of the state table: "appointment.cancel". */
    kind: text().notNull(),
    subjectKind: text().notNull(),
    subjectId: uuid().notNull(),
    /** null: a job. */
    actorId: uuid(),
    /** The doctor that a member of a place acted for. */
    onBehalfOf: uuid(),
    doctorId: uuid(),
    hospitalId: uuid(),
    at: createdAt(),
    data: jsonb().$type<Record<string, string>>().notNull().default({}),
  },
  // The check of a prescription compares its state with its events.
  (t) => [index("domain_events_visit_document").on(t.subjectId).where(sql`${t.subjectKind} = 'visit-document'`)],
);
ofNoPatient(domainEvents, { may: ["SELECT", "INSERT"] });

const bytes = customType<{ data: Buffer }>({ dataType: () => "bytea" });
/** "{[1,51),[53,54)}": a compact list of ids. */
const idRanges = customType<{ data: string }>({ dataType: () => "int8multirange" });

/**
 * The hash chain over the audit log: each seal covers the rows of a batch and the hash of the previous seal. Append-only by a
 * trigger. A row that is committed late is in a later seal than its neighbours.
 */
export const auditSeals = pgTable(
  "audit_seals",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    at: createdAt(),
    /** "archived": archive-log has removed these rows from the log. */
    kind: text({ enum: ["sealed", "archived"] }).notNull(),
    fromId: bigint({ mode: "number" }).notNull(),
    toId: bigint({ mode: "number" }).notNull(),
    rows: integer().notNull(),
    ids: idRanges().notNull(),
    /** 16 bytes of each row's SHA-256 in the order of the ids, to find a changed row. */
    digests: bytes().notNull(),
    /** The hash of the previous seal; 64 zeros for the first. */
    previous: text().notNull(),
    /** SHA-256 over the columns above, hex. */
    hash: text().notNull(),
  },
  (t) => [uniqueIndex("audit_seals_previous").on(t.previous), index("audit_seals_kind").on(t.kind, t.id)],
);
ofNoPatient(auditSeals, { may: ["SELECT", "INSERT"] });

/** Rows of the audit log without a seal. A trigger of the log adds them in the same transaction. */
export const auditUnsealed = pgTable("audit_unsealed", { auditId: bigint({ mode: "number" }).primaryKey() });
// Written by a trigger of the audit log, emptied by sealing.
ofNoPatient(auditUnsealed, { may: ["SELECT", "DELETE"] });

/** SMS and emails in demo mode, without a provider. Read by /dev/outbox. */
export const outboxMessages = pgTable(
  "outbox_messages",
  {
    id: id(),
    channel: text({ enum: ["sms", "whatsapp", "email"] }).notNull(),
    to: text().notNull(),
    subject: text(),
    body: text().notNull(),
    sentAt: createdAt(),
  },
  (t) => [index("outbox_messages_to").on(t.to, t.sentAt)],
);
ofNoPatient(outboxMessages, {
  columns: {
    to: { clear: "demo only: in place of the network" },
    subject: { clear: "demo only: in place of the network" },
    body: { clear: "demo only: in place of the network, codes too" },
  },
});

/**
 * Live events of committed transactions, until the relay sends them with NOTIFY and deletes them (realtime/relay.server.ts). The limit
 * is that of NOTIFY: a longer payload would stop the relay.
 */
export const liveEvents = pgTable(
  "live_events",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    channel: text().notNull(),
    payload: text().notNull(),
  },
  (t) => [
    check("live_events_channel", sql`${t.channel} ~ '^nadi_[a-z]+$'`),
    check("live_events_payload", sql`octet_length(${t.payload}) < 8000`),
  ],
);
ofNoPatient(liveEvents);

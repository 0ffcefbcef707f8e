import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { LANGUAGES } from "../../lib/language.ts";
import { ANSWERERS, MESSAGE_CHANNELS, MESSAGE_STATES } from "../../lib/vocabulary.ts";
import { users } from "./accounts.ts";
import { at, createdAt, id, sealedJson, sealedText } from "./columns.ts";
import { doctors, hospitals, patients } from "./people.ts";
import { hidden, ofNoPatient, ofPatients, shown } from "./policy.ts";

/** A conversation by SMS or WhatsApp with a phone (app/domains/messages). */
export const messageThreads = pgTable(
  "message_threads",
  {
    id: id(),
    channel: text({ enum: MESSAGE_CHANNELS }).notNull(),
    phone: text().notNull(),
    /** The account of the phone, once it is needed. */
    patientId: uuid().references(() => patients.id, { onDelete: "cascade" }),
    language: text({ enum: LANGUAGES }),
    /** The open questions, and the last doctor (messages/conversation/conversation.ts). */
    state: sealedJson<Record<string, unknown>>(),
    /** The clinic that was asked what Nadi does not understand, and the doctor whom the question was about. */
    doctorId: uuid().references(() => doctors.id, { onDelete: "set null" }),
    hospitalId: uuid().references(() => hospitals.id, { onDelete: "set null" }),
    answerer: text({ enum: ANSWERERS }).notNull().default("nadi"),
    /** When the user wrote the first message that a member is to answer. */
    waitingSince: at(),
    /** The member who answered last. */
    memberId: uuid().references(() => users.id, { onDelete: "set null" }),
    /** The user wrote STOP. */
    stoppedAt: at(),
    /** When the user wrote last. */
    lastInAt: at(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("message_threads_phone").on(t.phone, t.channel),
    index("message_threads_patient").on(t.patientId),
    index("message_threads_place").on(t.hospitalId, t.lastInAt),
    index("message_threads_waiting").on(t.hospitalId, t.waitingSince).where(sql`${t.waitingSince} is not null`),
    index("message_threads_old").on(t.lastInAt),
    check("message_threads_phone_form", sql`${t.phone} ~ '^\\+91[0-9]{10}$'`),
    check("message_threads_waits", sql`(${t.answerer} = 'waiting') <= (${t.waitingSince} is not null)`),
  ],
);
ofPatients(messageThreads, {
  section: "messageConversations",
  owner: "patientId",
  removed: {
    ...shown("id channel language stoppedAt createdAt"),
    ...hidden("patientId state doctorId hospitalId answerer waitingSince memberId"),
    phone: { name: "phone", clear: "an incoming message is looked up by it, and shown to the clinic that answers" },
    lastInAt: "lastWroteAt",
  },
});

/** A message or call of a user, stored before it is answered. A provider's id is stored once. */
export const inboundMessages = pgTable(
  "inbound_messages",
  {
    provider: text().notNull(),
    providerId: text().notNull(),
    id: uuid().notNull().default(sql`gen_random_uuid()`),
    threadId: uuid()
      .notNull()
      .references(() => messageThreads.id, { onDelete: "cascade" }),
    kind: text({ enum: ["text", "call"] }).notNull(),
    content: sealedText().notNull(),
    /** The value of a pressed button, or the key of a call. */
    pressed: text(),
    /** The clinic that the conversation was about, whose members may read the message. */
    hospitalId: uuid().references(() => hospitals.id, { onDelete: "set null" }),
    /** By the provider's clock. */
    sentAt: at().notNull(),
    receivedAt: createdAt(),
    answeredAt: at(),
  },
  (t) => [
    primaryKey({ name: "inbound_messages_pk", columns: [t.provider, t.providerId] }),
    uniqueIndex("inbound_messages_id").on(t.id),
    index("inbound_messages_thread").on(t.threadId, t.receivedAt),
    index("inbound_messages_waiting").on(t.threadId).where(sql`${t.answeredAt} is null`),
    index("inbound_messages_old").on(t.receivedAt),
  ],
);
ofPatients(inboundMessages, {
  section: "messagesFromYou",
  owner: { by: "threadId", of: messageThreads },
  removed: {
    ...shown("id kind sentAt"),
    ...hidden("provider providerId hospitalId pressed receivedAt answeredAt"),
    threadId: "conversationId",
    content: "message",
  },
});

/** A message to a user: of Nadi, or of a member of the clinic. */
export const outboundMessages = pgTable(
  "outbound_messages",
  {
    id: id(),
    threadId: uuid()
      .notNull()
      .references(() => messageThreads.id, { onDelete: "cascade" }),
    /** The clinic that the conversation was about, whose members may read the message. */
    hospitalId: uuid().references(() => hospitals.id, { onDelete: "set null" }),
    /** The member who wrote it; null: Nadi. */
    memberId: uuid().references(() => users.id, { onDelete: "set null" }),
    /** As it is sent, with its template and buttons. */
    content: sealedJson<Record<string, unknown>>().notNull(),
    /** The name of its text (integrations/sms/reply-templates.ts), for statistics. */
    template: text().notNull(),
    /** What an SMS costs. */
    segments: integer().notNull().default(1),
    /** The form of a member that is sent twice adds one message. */
    formKey: text(),
    state: text({ enum: MESSAGE_STATES }).notNull().default("queued"),
    /** The provider's id, for messages about its delivery. */
    providerId: text(),
    createdAt: createdAt(),
    sentAt: at(),
  },
  (t) => [
    index("outbound_messages_thread").on(t.threadId, t.createdAt),
    uniqueIndex("outbound_messages_provider").on(t.providerId),
    uniqueIndex("outbound_messages_form").on(t.threadId, t.formKey),
    index("outbound_messages_old").on(t.createdAt),
  ],
);
ofPatients(outboundMessages, {
  section: "messagesToYou",
  owner: { by: "threadId", of: messageThreads },
  removed: {
    ...shown("id state createdAt"),
    ...hidden("memberId hospitalId template segments formKey providerId sentAt"),
    threadId: "conversationId",
    content: "message",
  },
});

/** Phones whose owner wrote STOP. It outlasts the conversation and the account: a number stays silent until START. */
export const messageStops = pgTable("message_stops", { phoneHash: text().primaryKey(), stoppedAt: at().notNull() });
ofNoPatient(messageStops);

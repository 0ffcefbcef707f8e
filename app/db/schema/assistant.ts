import { sql } from "drizzle-orm";
import { bigserial, boolean, check, index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { users } from "./accounts.ts";
import { at, createdAt, id, sealedJson, sealedText } from "./columns.ts";
import { hidden, ofPatients, shown } from "./policy.ts";
import { files } from "./records.ts";

/** A conversation of a user with the assistant. */
export const conversations = pgTable(
  "conversations",
  {
    id: id(),
    ownerId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Spec 001 §9: the first 40 characters of the first answer, or "Voice Chat"; null before there is one. */
    title: sealedText(),
    voice: boolean().notNull().default(false),
    createdAt: createdAt(),
    /** Time of the last message. */
    updatedAt: createdAt(),
  },
  (t) => [index("conversations_owner").on(t.ownerId, t.updatedAt)],
);
ofPatients(conversations, {
  section: "chats",
  owner: "ownerId",
  removed: {
    ...hidden("id ownerId voice createdAt updatedAt"),
    title: "chat",
  },
});

/**
 * State of an answer. `waiting`: in progress. `unreachable`: no answer came. `empty`: the answer had no text. `emergency`:
 * answered with the emergency numbers before any model was called.
 */
export const ANSWER_STATES = ["waiting", "answered", "unreachable", "empty", "emergency"] as const;
export type AnswerState = (typeof ANSWER_STATES)[number];
/** Who answers: Google's model, or our own helper, which is not AI. */
export const ANSWERERS = ["model", "helper"] as const;
export type Answerer = (typeof ANSWERERS)[number];
/** Source of an answer: a label, and a path of ours or an http(s) URL. */
export type Source = { label: string; to?: string };

/** A message. Texts of failures are created when read, in the reader's language. */
export const chatMessages = pgTable(
  "chat_messages",
  {
    id: id(),
    /** Order of the messages. */
    seq: bigserial({ mode: "number" }).notNull(),
    conversationId: uuid()
      .notNull()
      .references(() => conversations.id, { onDelete: "cascade" }),
    role: text({ enum: ["user", "assistant"] }).notNull(),
    content: sealedText().notNull().default(sql`''`),
    /** Of questions: a voice message or an attached file. */
    fileId: uuid().references(() => files.id, { onDelete: "set null" }),
    voice: boolean().notNull().default(false),
    /** Of questions: makes a second press idempotent. Random, with a hash of the message. */
    requestKey: text(),
    /** Of answers only. */
    state: text({ enum: ANSWER_STATES }),
    by: text({ enum: ANSWERERS }),
    sources: sealedJson<Source[]>().notNull().default(sql`'[]'::jsonb`),
    /** Doctors to book, shown as cards. */
    doctorIds: sealedJson<string[]>().notNull().default(sql`'[]'::jsonb`),
    createdAt: createdAt(),
  },
  (t) => [
    index("chat_messages_conversation").on(t.conversationId, t.seq),
    uniqueIndex("chat_messages_request").on(t.requestKey).where(sql`${t.requestKey} is not null`),
    index("chat_messages_file").on(t.fileId),
    check("chat_messages_state", sql`(${t.role} = 'assistant') = (${t.state} is not null)`),
  ],
);
ofPatients(chatMessages, {
  section: "chats",
  owner: { by: "conversationId", of: conversations },
  removed: {
    ...shown("conversationId fileId state"),
    ...hidden("id voice requestKey sources doctorIds"),
    seq: "id",
    role: "by",
    content: "words",
    by: "answeredBy",
    createdAt: "at",
  },
});

/** Whether a user allows Google's model to answer, and when they consented. */
export const assistantChoices = pgTable("assistant_choices", {
  userId: uuid()
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  consentedAt: at(),
  helperOnly: boolean().notNull().default(false),
});
ofPatients(assistantChoices, {
  section: "assistant",
  owner: "userId",
  removed: {
    ...shown("consentedAt helperOnly"),
    ...hidden("userId"),
  },
});

import { sql } from "drizzle-orm";
import { bigserial, boolean, check, index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { users } from "./accounts.ts";
import { at, createdAt, id, sealedJson, sealedText } from "./columns.ts";
import { files } from "./records.ts";

/** A talk of one person with the assistant. */
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
    /** When something was last said. */
    updatedAt: createdAt(),
  },
  (t) => [index("conversations_owner").on(t.ownerId, t.updatedAt)],
);

/**
 * What became of a question. `waiting`: on its way. `unreachable`: no answer came. `empty`: the assistant said nothing.
 * `emergency`: a sign of danger, answered with the emergency numbers before any model was asked.
 */
export const ANSWER_STATES = ["waiting", "answered", "unreachable", "empty", "emergency"] as const;
export type AnswerState = (typeof ANSWER_STATES)[number];
/** Who answers: Google's model, or the helper of our own, which is no AI. */
export const ANSWERERS = ["model", "helper"] as const;
export type Answerer = (typeof ANSWERERS)[number];
/** Where an answer comes from: a name, and a path of ours or an http(s) address. */
export type Source = { label: string; to?: string };

/** One thing said. The words of refusals are made when it is read, in the reader's language. */
export const chatMessages = pgTable(
  "chat_messages",
  {
    id: id(),
    /** The order in which things were said. */
    seq: bigserial({ mode: "number" }).notNull(),
    conversationId: uuid()
      .notNull()
      .references(() => conversations.id, { onDelete: "cascade" }),
    role: text({ enum: ["user", "assistant"] }).notNull(),
    content: sealedText().notNull().default(sql`''`),
    /** Of the person: a voice message or a file that came with it. */
    fileId: uuid().references(() => files.id, { onDelete: "set null" }),
    voice: boolean().notNull().default(false),
    /** Of the person: what makes a second press the same question. Random, with a hash of what was said. */
    requestKey: text(),
    /** Of the assistant. */
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

/** Whether a person lets Google's model answer, and since when they know what is sent there. */
export const assistantChoices = pgTable("assistant_choices", {
  userId: uuid()
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  consentedAt: at(),
  helperOnly: boolean().notNull().default(false),
});

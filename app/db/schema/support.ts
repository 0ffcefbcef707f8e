import { sql } from "drizzle-orm";
import { boolean, check, index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { SUPPORT_STATES, SUPPORT_TOPICS } from "../../lib/vocabulary.ts";
import { users } from "./accounts.ts";
import { appointments } from "./appointments.ts";
import { at, createdAt, id, sealedText } from "./columns.ts";
import { hidden, ofPatients, shown } from "./policy.ts";

/** A conversation of a user with the administrators. */
export const supportThreads = pgTable(
  "support_threads",
  {
    id: id(),
    /** "NS-7K3M-Q2XA", for notifications and calls. */
    reference: text().notNull(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    topic: text({ enum: SUPPORT_TOPICS }).notNull(),
    /** One of the user's own appointments. */
    appointmentId: uuid().references(() => appointments.id, { onDelete: "set null" }),
    state: text({ enum: SUPPORT_STATES }).notNull().default("open"),
    /** The administrator who answers. null: not assigned. */
    assigneeId: uuid().references(() => users.id, { onDelete: "set null" }),
    /** When the user wrote the first message that has no answer yet. Set while `open`. */
    waitingSince: at(),
    lastMessageAt: at().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("support_threads_reference").on(t.reference),
    index("support_threads_user").on(t.userId, t.lastMessageAt),
    index("support_threads_state").on(t.state, t.lastMessageAt),
    index("support_threads_waiting").on(t.waitingSince).where(sql`${t.state} = 'open'`),
    check("support_threads_waits", sql`(${t.state} = 'open') = (${t.waitingSince} is not null)`),
  ],
);
ofPatients(supportThreads, {
  section: "supportQuestions",
  owner: "userId",
  removed: {
    ...shown("id reference topic appointmentId state lastMessageAt"),
    ...hidden("userId assigneeId waitingSince"),
    createdAt: "writtenAt",
  },
});

/** A message of a thread. */
export const supportMessages = pgTable(
  "support_messages",
  {
    id: id(),
    threadId: uuid()
      .notNull()
      .references(() => supportThreads.id, { onDelete: "cascade" }),
    authorId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** Written by an administrator. */
    bySupport: boolean().notNull(),
    content: sealedText().notNull(),
    /** The random key of the form: a form that is sent twice adds one message. */
    formKey: text().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("support_messages_form").on(t.authorId, t.formKey),
    index("support_messages_thread").on(t.threadId, t.createdAt, t.id),
  ],
);
ofPatients(supportMessages, {
  section: "supportMessages",
  owner: { by: "threadId", of: supportThreads },
  removed: {
    ...shown("id bySupport"),
    ...hidden("authorId formKey"),
    threadId: "questionId",
    content: "message",
    createdAt: "at",
  },
});

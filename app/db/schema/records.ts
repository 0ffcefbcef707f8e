import { index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { users } from "./accounts.ts";
import { createdAt, id } from "./columns.ts";

export const FILE_PURPOSES = ["medical-record", "patient-photo", "doctor-document", "doctor-photo", "chat-file", "chat-voice"] as const;
export type FilePurpose = (typeof FILE_PURPOSES)[number];

/** A stored upload. `pending` until a command attaches it to something; a sweep removes what stays pending. */
export const files = pgTable(
  "files",
  {
    id: id(),
    ownerId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    purpose: text({ enum: FILE_PURPOSES }).notNull(),
    status: text({ enum: ["pending", "attached"] })
      .notNull()
      .default("pending"),
    /** Random; says nothing about the person. */
    storageKey: text().notNull().unique(),
    mediaType: text().notNull(),
    byteSize: integer().notNull(),
    width: integer(),
    height: integer(),
    originalName: text().notNull(),
    createdAt: createdAt(),
  },
  (t) => [index("files_owner").on(t.ownerId), index("files_pending").on(t.status, t.createdAt)],
);

import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { users } from "./accounts.ts";
import { createdAt, id, sealedText } from "./columns.ts";
import { hidden, ofPatients, shown } from "./policy.ts";

export const FILE_PURPOSES = [
  "medical-record",
  "patient-photo",
  "doctor-document",
  "doctor-photo",
  "chat-file",
  "chat-voice",
  "import",
  "export",
] as const;
export type FilePurpose = (typeof FILE_PURPOSES)[number];

/** A stored upload. `pending` until a command attaches it; a sweep deletes files that stay pending. */
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
    /** Random; contains no personal data. */
    storageKey: text().notNull().unique(),
    mediaType: text().notNull(),
    byteSize: integer().notNull(),
    width: integer(),
    height: integer(),
    originalName: sealedText().notNull(),
    /** The random key of the file; null: unencrypted bytes of an old version that the job has not reached. */
    dataKey: sealedText(),
    /** The stored bytes are encrypted: plain ones are refused (stored-bytes.server.ts). */
    sealed: boolean().notNull().default(false),
    createdAt: createdAt(),
  },
  (t) => [
    index("files_owner").on(t.ownerId),
    index("files_pending").on(t.status, t.createdAt),
    index("files_plain").on(t.id).where(sql`not ${t.sealed}`),
  ],
);
ofPatients(files, {
  section: "files",
  owner: "ownerId",
  command: "removeFiles",
  removed: {
    ...shown("id"),
    ...hidden("ownerId storageKey mediaType width height dataKey sealed"),
    purpose: "kind",
    status: "attached",
    byteSize: "bytes",
    originalName: "name",
    createdAt: "storedAt",
  },
});

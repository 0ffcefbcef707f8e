import { date, index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { RECORD_TYPES } from "#app/lib/vocabulary.ts";
import { createdAt, id, sealedText } from "./columns.ts";
import { patients } from "./people.ts";
import { files } from "./records.ts";

/** A document that a patient stores in the own records, without an appointment. Deleting it deletes its file. */
export const ownRecords = pgTable(
  "own_records",
  {
    id: id(),
    patientId: uuid()
      .notNull()
      .references(() => patients.id, { onDelete: "cascade" }),
    fileId: uuid()
      .notNull()
      .references(() => files.id),
    /** Whose document it is: the same hash as in `encounters`. */
    personKey: text().notNull(),
    /** Stays when the family member is removed from the list. */
    personName: sealedText().notNull(),
    recordType: text({ enum: RECORD_TYPES }).notNull(),
    description: sealedText().notNull(),
    /** The day of the document. */
    date: date({ mode: "string" }).notNull(),
    createdAt: createdAt(),
  },
  (t) => [index("own_records_patient").on(t.patientId, t.date), uniqueIndex("own_records_file").on(t.fileId)],
);

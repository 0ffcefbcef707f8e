import { sql } from "drizzle-orm";
import { check, date, index, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { RECORD_TYPES } from "#app/lib/vocabulary.ts";
import { at, createdAt, id, sealedText } from "./columns.ts";
import { doctors, patients } from "./people.ts";
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

/**
 * A doctor whom the patient allows to see all records of one person of the account, until a day. Allowing the doctor again changes the same row;
 * the audit log has each change.
 */
export const recordPermissions = pgTable(
  "record_permissions",
  {
    id: id(),
    patientId: uuid()
      .notNull()
      .references(() => patients.id, { onDelete: "cascade" }),
    doctorId: uuid()
      .notNull()
      .references(() => doctors.id, { onDelete: "cascade" }),
    /** Whose records: the same hash as in `encounters`. */
    personKey: text().notNull(),
    personName: sealedText().notNull(),
    allowedAt: createdAt(),
    /** The last day. */
    until: date({ mode: "string" }).notNull(),
    /** When the patient ended it before that day. */
    endedAt: at(),
  },
  (t) => [
    uniqueIndex("record_permissions_one").on(t.patientId, t.personKey, t.doctorId),
    index("record_permissions_doctor").on(t.doctorId, t.patientId),
    check(
      "record_permissions_until",
      sql`${t.until} between (${t.allowedAt} at time zone 'Asia/Kolkata')::date and (${t.allowedAt} at time zone 'Asia/Kolkata')::date + 366`,
    ),
    check("record_permissions_ended", sql`${t.endedAt} >= ${t.allowedAt}`),
  ],
);

import { sql } from "drizzle-orm";
import { boolean, check, date, index, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { RECORD_TYPES } from "#app/lib/vocabulary.ts";
import { medicalRecords } from "./appointments.ts";
import { at, createdAt, id, sealedText } from "./columns.ts";
import { doctors, patients } from "./people.ts";
import { hidden, ofPatients, shown } from "./policy.ts";
import { files } from "./records.ts";
import { visitDocuments } from "./visit.ts";

/** A document in the own records of a patient, without an appointment. Deleting it deletes its file. */
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
    /** The order of tests whose result it is: the doctor who signed it can open the file. */
    orderId: uuid().references(() => visitDocuments.id),
    /** The doctor or the staff of the place added it, as the result of an order. */
    fromPlace: boolean().notNull().default(false),
    description: sealedText().notNull(),
    /** The day of the document. */
    date: date({ mode: "string" }).notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index("own_records_patient").on(t.patientId, t.date),
    uniqueIndex("own_records_file").on(t.fileId),
    index("own_records_order").on(t.orderId),
  ],
);
ofPatients(ownRecords, {
  section: "ownDocuments",
  owner: "patientId",
  removed: {
    ...shown("id fileId description date"),
    ...hidden("patientId personKey"),
    personName: "of",
    recordType: "type",
    orderId: "resultOf",
    fromPlace: "addedByPlace",
    createdAt: "addedAt",
  },
});

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
ofPatients(recordPermissions, {
  section: "recordPermissions",
  owner: "patientId",
  removed: {
    ...shown("id allowedAt until endedAt"),
    ...hidden("patientId doctorId personKey"),
    personName: "of",
  },
});

/** A link that opens one prescription, certificate or document without a login: /s/{secret}. Only the hash of the secret is stored. */
export const recordShares = pgTable(
  "record_shares",
  {
    id: id(),
    /** Null: sent to a patient without an account. */
    patientId: uuid().references(() => patients.id, { onDelete: "cascade" }),
    /** Whose record it is: the same hash as in `encounters`. */
    personKey: text(),
    documentId: uuid().references(() => visitDocuments.id, { onDelete: "cascade" }),
    ownRecordId: uuid().references(() => ownRecords.id, { onDelete: "cascade" }),
    medicalRecordId: uuid().references(() => medicalRecords.id, { onDelete: "cascade" }),
    secretHash: text().notNull(),
    /** The prescription has the patient's full name. Otherwise initials. */
    showsName: boolean().notNull().default(false),
    /** Sent by SMS after the doctor signed: the account shared nothing, and may be another person's. */
    byDoctor: boolean().notNull().default(false),
    /** How many times it may be opened, and was. */
    most: integer().notNull(),
    opened: integer().notNull().default(0),
    lastOpenedAt: at(),
    createdAt: createdAt(),
    expiresAt: at().notNull(),
    endedAt: at(),
  },
  (t) => [
    uniqueIndex("record_shares_secret").on(t.secretHash),
    index("record_shares_patient").on(t.patientId, t.createdAt),
    index("record_shares_document").on(t.documentId),
    index("record_shares_own").on(t.ownRecordId),
    index("record_shares_medical").on(t.medicalRecordId),
    check("record_shares_of_one", sql`num_nonnulls(${t.documentId}, ${t.ownRecordId}, ${t.medicalRecordId}) = 1`),
    check(
      "record_shares_of_patient",
      sql`(${t.patientId} is null) = (${t.personKey} is null) and (${t.patientId} is not null or ${t.documentId} is not null)`,
    ),
    check("record_shares_opened", sql`${t.most} between 1 and 50 and ${t.opened} between 0 and ${t.most}`),
    check("record_shares_last", sql`(${t.opened} = 0) = (${t.lastOpenedAt} is null)`),
    check("record_shares_expires", sql`${t.expiresAt} > ${t.createdAt} and ${t.expiresAt} <= ${t.createdAt} + interval '31 days'`),
    check("record_shares_ended", sql`${t.endedAt} >= ${t.createdAt}`),
  ],
);
ofPatients(recordShares, {
  section: "recordLinks",
  owner: "patientId",
  removed: {
    ...shown("id opened lastOpenedAt createdAt expiresAt endedAt"),
    ...hidden("patientId personKey secretHash"),
    documentId: "signedDocumentId",
    ownRecordId: "ownDocumentId",
    medicalRecordId: "recordId",
    showsName: "withName",
    byDoctor: "sentByDoctor",
    most: "mostOpenings",
  },
});

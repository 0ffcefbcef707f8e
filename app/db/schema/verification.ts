import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { ROLES, users } from "./accounts.ts";
import { at, createdAt, id, sealedText } from "./columns.ts";
import { doctors, hospitals } from "./people.ts";
import { files } from "./records.ts";

/**
 * What a doctor has given so far, step by step, kept until they are verified. Steps are sealed JSON (AES-256-GCM): they
 * hold identity and account numbers.
 */
export const verificationDrafts = pgTable("verification_drafts", {
  doctorId: uuid()
    .primaryKey()
    .references(() => doctors.id, { onDelete: "cascade" }),
  hospital: sealedText(),
  professional: sealedText(),
  bank: sealedText(),
  /** Grows with each save; a form that was read at an older version is refused. */
  version: integer().notNull().default(0),
  updatedAt: createdAt(),
});

export const DOCUMENT_KINDS = ["profileImage", "identityDocument", "medicalCouncilCertificate", "qualificationCertificates"] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];
export const DOCUMENT_DECISIONS = ["undecided", "matches", "ask-again"] as const;

/** A document image of a doctor. Of the first three kinds the newest counts; of certificates all. */
export const doctorDocuments = pgTable(
  "doctor_documents",
  {
    id: id(),
    doctorId: uuid()
      .notNull()
      .references(() => doctors.id, { onDelete: "cascade" }),
    kind: text({ enum: DOCUMENT_KINDS }).notNull(),
    /** Null: erased at `erasedAt`. */
    fileId: uuid().references(() => files.id),
    erasedAt: at(),
    decision: text({ enum: DOCUMENT_DECISIONS }).notNull().default("undecided"),
    /** Sent to the doctor word for word. */
    reason: text(),
    decidedBy: uuid().references(() => users.id),
    decidedAt: at(),
    /** Who accepted it for the hospital. Set when the hospital approves; the administrator then decides from nothing. */
    hospitalDecidedBy: uuid().references(() => users.id),
    hospitalDecidedAt: at(),
    /** A keyed hash of what was uploaded: the same picture sent twice is received once. */
    fingerprint: text(),
    createdAt: createdAt(),
  },
  (t) => [
    index("doctor_documents_doctor").on(t.doctorId, t.kind),
    uniqueIndex("doctor_documents_file").on(t.fileId),
    uniqueIndex("doctor_documents_same").on(t.doctorId, t.kind, t.fingerprint),
    check("doctor_documents_file_or_erased", sql`(${t.fileId} is null) = (${t.erasedAt} is not null)`),
  ],
);

/** Where a doctor is paid. */
export const doctorBankAccounts = pgTable("doctor_bank_accounts", {
  doctorId: uuid()
    .primaryKey()
    .references(() => doctors.id, { onDelete: "cascade" }),
  bankName: text().notNull(),
  bankBranch: text().notNull(),
  accountHolderName: text().notNull(),
  accountSealed: text().notNull(),
  accountLast4: text().notNull(),
  ifscCode: text().notNull(),
  updatedAt: createdAt(),
});

export type DocumentReason = { kind: DocumentKind; reason: string };

/** Every step of every case, in order. */
export const verificationEvents = pgTable(
  "verification_events",
  {
    id: id(),
    doctorId: uuid()
      .notNull()
      .references(() => doctors.id, { onDelete: "cascade" }),
    action: text().notNull(),
    fromStatus: text().notNull(),
    toStatus: text().notNull(),
    byUserId: uuid()
      .notNull()
      .references(() => users.id),
    byRole: text({ enum: ROLES }).notNull(),
    /** Told to the doctor. */
    note: text(),
    /** What was wrong with which document, word for word: the documents themselves may be replaced later. */
    reasons: jsonb().$type<DocumentReason[]>().notNull().default([]),
    at: createdAt(),
  },
  (t) => [index("verification_events_doctor").on(t.doctorId, t.at)],
);

/** Who reviews doctors for a hospital. */
export const hospitalReviewers = pgTable(
  "hospital_reviewers",
  {
    hospitalId: uuid()
      .notNull()
      .references(() => hospitals.id, { onDelete: "cascade" }),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ name: "hospital_reviewers_pk", columns: [t.hospitalId, t.userId] }), index("hospital_reviewers_user").on(t.userId)],
);

/** A letter that lets one address become a reviewer of one hospital, once. */
export const reviewerInvitations = pgTable(
  "reviewer_invitations",
  {
    tokenHash: text().primaryKey(),
    hospitalId: uuid()
      .notNull()
      .references(() => hospitals.id, { onDelete: "cascade" }),
    email: text().notNull(),
    name: text().notNull().default(""),
    invitedBy: uuid()
      .notNull()
      .references(() => users.id),
    expiresAt: at().notNull(),
    acceptedAt: at(),
    createdAt: createdAt(),
  },
  (t) => [index("reviewer_invitations_open").on(t.hospitalId).where(sql`${t.acceptedAt} is null`)],
);

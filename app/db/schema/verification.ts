import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { ROLES, users } from "./accounts.ts";
import { at, createdAt, id, sealedText } from "./columns.ts";
import { doctors, hospitals } from "./people.ts";
import { ofNoPatient } from "./policy.ts";
import { files } from "./records.ts";

/**
 * A doctor's draft, step by step, stored until they are verified. Steps are encrypted JSON (AES-256-GCM), because they contain
 * identity and account numbers.
 */
export const verificationDrafts = pgTable("verification_drafts", {
  doctorId: uuid()
    .primaryKey()
    .references(() => doctors.id, { onDelete: "cascade" }),
  hospital: sealedText(),
  professional: sealedText(),
  bank: sealedText(),
  /** Increases with each save; a form rendered from an older version is refused. */
  version: integer().notNull().default(0),
  updatedAt: createdAt(),
});
ofNoPatient(verificationDrafts);

export const DOCUMENT_KINDS = ["profileImage", "identityDocument", "medicalCouncilCertificate", "qualificationCertificates"] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];
export const DOCUMENT_DECISIONS = ["undecided", "matches", "ask-again"] as const;

/** A document image of a doctor. Of the first three kinds the newest is valid, of certificates all. */
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
    /** Sent to the doctor unchanged. */
    reason: text(),
    decidedBy: uuid().references(() => users.id),
    decidedAt: at(),
    /**
     * Reviewer who accepted it for the hospital. Set by the hospital's approval; the administrator's decision starts undecided.
     */
    hospitalDecidedBy: uuid().references(() => users.id),
    hospitalDecidedAt: at(),
    /** A keyed hash of the upload: the same image sent twice is stored once. */
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
ofNoPatient(doctorDocuments, {
  columns: {
    reason: { clear: "the reviewer's word to the doctor about a scan" },
  },
});

/** A doctor's bank account. */
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
ofNoPatient(doctorBankAccounts, {
  columns: {
    bankName: { clear: "shown to reviewers; the number is sealed" },
    bankBranch: { clear: "shown to reviewers; the number is sealed" },
    accountHolderName: { clear: "shown to reviewers; the number is sealed" },
    ifscCode: { clear: "names the branch; the number is sealed" },
  },
});

export type DocumentReason = { kind: DocumentKind; reason: string };

/** All events of all cases, in order. */
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
    /** Shown to the doctor. */
    note: text(),
    /** The problems of each document, as text, because documents may be replaced later. */
    reasons: jsonb().$type<DocumentReason[]>().notNull().default([]),
    at: createdAt(),
  },
  (t) => [index("verification_events_doctor").on(t.doctorId, t.at)],
);
ofNoPatient(verificationEvents, {
  columns: {
    note: { clear: "the reviewer's word to the doctor" },
    reasons: { clear: "the reviewer's words to the doctor about scans" },
  },
});

/**
 * The reviewer who takes care of a case. Counts only while the user is an active reviewer of the doctor's hospital, so that nothing has to
 * follow a change of either. Stays when the case is sent back: a corrected case returns to the same reviewer.
 */
export const caseAssignments = pgTable(
  "case_assignments",
  {
    doctorId: uuid()
      .primaryKey()
      .references(() => doctors.id, { onDelete: "cascade" }),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
  },
  (t) => [index("case_assignments_user").on(t.userId)],
);
ofNoPatient(caseAssignments);

/** Steps of the reminders about a waiting case. */
export const CASE_STEPS = ["first", "second", "escalated"] as const;

/** Reminders sent about a case that waits since `since`: a case that moves on or returns has another instant and therefore new reminders. */
export const caseReminders = pgTable(
  "case_reminders",
  {
    doctorId: uuid()
      .notNull()
      .references(() => doctors.id, { onDelete: "cascade" }),
    since: at().notNull(),
    step: text({ enum: CASE_STEPS }).notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ name: "case_reminders_pk", columns: [t.doctorId, t.since, t.step] })],
);
ofNoPatient(caseReminders);

/** Reviewers of a hospital. */
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
ofNoPatient(hospitalReviewers);

/** An invitation for an email address to become a reviewer of a hospital. Works once. */
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
ofNoPatient(reviewerInvitations, {
  columns: {
    email: { clear: "finds the invitation" },
    name: { clear: "shown on the invitation" },
  },
});

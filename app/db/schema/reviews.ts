import { sql } from "drizzle-orm";
import { boolean, check, index, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { users } from "./accounts.ts";
import { appointments } from "./appointments.ts";
import { at, createdAt, id, sealedText } from "./columns.ts";
import { doctors, hospitals, patients } from "./people.ts";
import { hidden, ofPatients, shown } from "./policy.ts";

export const REVIEW_STATUSES = ["shown", "hidden", "withdrawn"] as const;
export type ReviewStatus = (typeof REVIEW_STATUSES)[number];

/** A patient's review of a visit. One for each appointment; `withdrawn` stays as a row without stars and text. */
export const reviews = pgTable(
  "reviews",
  {
    id: id(),
    appointmentId: uuid()
      .notNull()
      .references(() => appointments.id),
    patientId: uuid()
      .notNull()
      .references(() => patients.id),
    doctorId: uuid()
      .notNull()
      .references(() => doctors.id),
    /** The doctor's hospital when it was written: the review counts for it. */
    hospitalId: uuid().references(() => hospitals.id),
    status: text({ enum: REVIEW_STATUSES }).notNull().default("shown"),
    /** 1 to 5 stars. */
    rating: integer(),
    words: text(),
    /** The doctor's public reply, deleted with the review's text. */
    reply: text(),
    repliedAt: at(),
    /** Why an administrator hid the reply; shown to the doctor, who can then only remove it. */
    replyHiddenReason: text(),
    /** Why an administrator hid it; shown to the author. */
    hiddenReason: text(),
    decidedBy: uuid().references(() => users.id, { onDelete: "set null" }),
    decidedAt: at(),
    editedAt: at(),
    isDemo: boolean().notNull().default(false),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("reviews_appointment").on(t.appointmentId),
    index("reviews_doctor").on(t.doctorId, t.status, t.createdAt, t.id),
    index("reviews_hospital").on(t.hospitalId, t.status),
    index("reviews_patient").on(t.patientId),
    index("reviews_status").on(t.status, t.createdAt),
    check("reviews_rating", sql`(${t.status} = 'withdrawn') = (${t.rating} is null) and ${t.rating} between 1 and 5`),
    check("reviews_withdrawn", sql`${t.status} <> 'withdrawn' or (${t.words} is null and ${t.reply} is null)`),
    check("reviews_reply", sql`(${t.reply} is null) = (${t.repliedAt} is null)`),
  ],
);
ofPatients(reviews, {
  section: "reviews",
  owner: "patientId",
  emptied: {
    ...hidden("repliedAt"),
    rating: "stars",
    words: { name: "words", clear: "public" },
    reply: { name: "reply", clear: "public" },
    replyHiddenReason: { name: null, clear: "the administrator's word, shown to the doctor" },
    hiddenReason: { name: "hiddenBecause", clear: "the administrator's word, shown to the author" },
  },
  stays: {
    ...shown("id appointmentId status editedAt"),
    ...hidden("patientId doctorId hospitalId decidedBy decidedAt isDemo"),
    createdAt: "writtenAt",
  },
  why: "one review for each visit",
});

export const REPORT_REASONS = ["abuse", "untrue", "private", "advert", "other"] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];

/** A report of a review; one for each user. Open until an administrator has decided. */
export const reviewReports = pgTable(
  "review_reports",
  {
    id: id(),
    reviewId: uuid()
      .notNull()
      .references(() => reviews.id, { onDelete: "cascade" }),
    reporterId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    reason: text({ enum: REPORT_REASONS }).notNull(),
    note: sealedText(),
    decidedAt: at(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("review_reports_once").on(t.reviewId, t.reporterId),
    index("review_reports_reporter").on(t.reporterId),
    index("review_reports_open").on(t.reviewId, t.createdAt).where(sql`${t.decidedAt} is null`),
  ],
);
ofPatients(reviewReports, {
  section: "reviewReports",
  owner: "reporterId",
  removed: {
    ...shown("id reviewId reason note"),
    ...hidden("reporterId decidedAt"),
    createdAt: "at",
  },
});

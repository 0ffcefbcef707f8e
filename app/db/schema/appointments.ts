import { sql } from "drizzle-orm";
import { bigint, boolean, check, date, index, integer, pgTable, primaryKey, text, time, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { APPOINTMENT_STATUSES, type BloodGroup, GENDERS, PAYMENT_METHODS, RECORD_TYPES, type RecordType } from "#app/lib/vocabulary.ts";
import { ROLES } from "./accounts.ts";
import { at, createdAt, id, sealedJson, sealedText } from "./columns.ts";
import { doctors, patients } from "./people.ts";
import { files } from "./records.ts";

/** A bookable half hour of a doctor. `time` is local time in India. */
export const availabilitySlots = pgTable(
  "availability_slots",
  {
    doctorId: uuid()
      .notNull()
      .references(() => doctors.id, { onDelete: "cascade" }),
    date: date({ mode: "string" }).notNull(),
    time: time().notNull(),
  },
  (t) => [primaryKey({ name: "availability_slots_pk", columns: [t.doctorId, t.date, t.time] })],
);

export const appointments = pgTable(
  "appointments",
  {
    id: id(),
    patientId: uuid()
      .notNull()
      .references(() => patients.id),
    doctorId: uuid()
      .notNull()
      .references(() => doctors.id),
    date: date({ mode: "string" }).notNull(),
    time: time().notNull(),
    status: text({ enum: APPOINTMENT_STATUSES }).notNull().default("pending"),
    reason: sealedText().notNull().default(sql`'Routine Checkup'`),
    /** The patient of the visit: one phone often serves a family. */
    patientName: text().notNull(),
    patientPhone: text().notNull(),
    patientAge: integer().notNull(),
    patientGender: text({ enum: GENDERS }).notNull(),
    bloodGroup: sealedText<BloodGroup>(),
    medicalHistory: sealedText(),
    /** Note of the patient to the doctor before the visit. */
    patientNote: sealedText(),
    /** The doctor's fee at the time of booking, in paise; null: none given. */
    fee: bigint({ mode: "number" }),
    /** Discount of a wallet's code, in paise; the patient pays the rest, Nadi bears this (docs/figures.md). */
    discount: bigint({ mode: "number" }).notNull().default(0),
    /** Payment reference, shown to the payer. */
    paymentReference: text().notNull(),
    paymentMethod: text({ enum: PAYMENT_METHODS }),
    /** The form's key: a second press or a retry returns the first booking. */
    idempotencyKey: text().notNull(),
    acceptedAt: at(),
    completedAt: at(),
    cancelledAt: at(),
    cancelledBy: text({ enum: ROLES }),
    /** Why the doctor or an administrator cancelled: a code of domains/visit-reasons.ts. */
    cancelReason: text(),
    /** The patient asked for SMS about this appointment when booking it. */
    smsUpdates: boolean().notNull().default(false),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (t) => [
    // The only check against double booking.
    uniqueIndex("appointments_one_per_slot").on(t.doctorId, t.date, t.time).where(sql`${t.status} <> 'cancelled'`),
    uniqueIndex("appointments_idempotency").on(t.patientId, t.idempotencyKey),
    uniqueIndex("appointments_payment_reference").on(t.paymentReference),
    // Index-only scans for a doctor's lists, search and figures: further columns are at the end.
    index("appointments_doctor_status").on(t.doctorId, t.status, t.date, t.time, t.fee, t.patientId, t.patientName, t.patientPhone),
    index("appointments_patient").on(t.patientId, t.date, t.time),
    // For reminders of visits within a day.
    index("appointments_coming").on(t.date, t.time).where(sql`${t.status} in ('pending', 'accepted')`),
    check("appointments_age", sql`${t.patientAge} between 1 and 120`),
    check("appointments_discount", sql`${t.discount} between 0 and coalesce(${t.fee}, 0)`),
  ],
);

/** A document attached to an appointment. */
export const medicalRecords = pgTable(
  "medical_records",
  {
    id: id(),
    appointmentId: uuid()
      .notNull()
      .references(() => appointments.id, { onDelete: "cascade" }),
    fileId: uuid()
      .notNull()
      .references(() => files.id),
    recordType: text({ enum: RECORD_TYPES }).notNull(),
    description: sealedText().notNull(),
    createdAt: createdAt(),
  },
  (t) => [index("medical_records_appointment").on(t.appointmentId), uniqueIndex("medical_records_file").on(t.fileId)],
);

export type BookingDraftValues = {
  name?: string;
  phone?: string;
  age?: string;
  gender?: string;
  bloodGroup?: string;
  medicalHistory?: string;
  note?: string;
  reason?: string;
  /** The chosen patient: "me", "new" or the id of a family member. `filledAt`: when their details were filled in. */
  forWhom?: string;
  filledAt?: string;
  relation?: string;
  remember?: string;
  /** "on": SMS about this appointment. A first form has it ticked. */
  smsUpdates?: string;
};
/** `forWhom`: the patient it was added for, as in BookingDraftValues. Older drafts lack it. */
export type BookingDraftRecord = { fileId: string; recordType: RecordType; description: string; forWhom?: string };

/** The typed values and uploads of a patient's unfinished booking with a doctor. */
export const bookingDrafts = pgTable(
  "booking_drafts",
  {
    patientId: uuid()
      .notNull()
      .references(() => patients.id, { onDelete: "cascade" }),
    doctorId: uuid()
      .notNull()
      .references(() => doctors.id, { onDelete: "cascade" }),
    values: sealedJson<BookingDraftValues>().notNull().default(sql`'{}'::jsonb`),
    records: sealedJson<BookingDraftRecord[]>().notNull().default(sql`'[]'::jsonb`),
    /** The files of `records`, so that the sweep does not delete them. */
    fileIds: uuid().array().notNull().default(sql`'{}'::uuid[]`),
    updatedAt: createdAt(),
  },
  (t) => [primaryKey({ name: "booking_drafts_pk", columns: [t.patientId, t.doctorId] })],
);

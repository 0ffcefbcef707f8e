import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  time,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { paise } from "#app/lib/money.ts";
import {
  APPOINTMENT_STATUSES,
  type BloodGroup,
  DELETED_NAME,
  GENDERS,
  PAYMENT_METHODS,
  RECORD_TYPES,
  type RecordType,
} from "#app/lib/vocabulary.ts";
import { ROLES } from "./accounts.ts";
import { practices } from "./clinic.ts";
import { at, createdAt, id, inPaise, sealedJson, sealedText } from "./columns.ts";
import { doctors, hospitals, patients } from "./people.ts";
import { hidden, ofNoPatient, ofPatients, shown } from "./policy.ts";
import { queueSessions } from "./queue-sessions.ts";
import { files } from "./records.ts";

/** The practice of a slot or appointment. A trigger fills in the doctor's first practice. */
const practiceId = () => uuid().notNull().default(sql`null`);

/**
 * A bookable time of a doctor, in local time of India. `availability_one_place_at_a_time` refuses times of two practices
 * that overlap.
 */
export const availabilitySlots = pgTable(
  "availability_slots",
  {
    doctorId: uuid()
      .notNull()
      .references(() => doctors.id, { onDelete: "cascade" }),
    date: date({ mode: "string" }).notNull(),
    time: time().notNull(),
    practiceId: practiceId(),
    minutes: smallint().notNull().default(30),
    /** How many patients may book this time. */
    seats: smallint().notNull().default(1),
    /** Opened by the job that follows the weekly hours of the practice. */
    fromHours: boolean().notNull().default(false),
    /** A session: its patients get tokens. `time` is its start, `minutes` its length, `seats` how many tokens can be booked. */
    tokens: boolean().notNull().default(false),
  },
  (t) => [
    primaryKey({ name: "availability_slots_pk", columns: [t.doctorId, t.date, t.time] }),
    foreignKey({
      name: "availability_slots_practice",
      columns: [t.practiceId, t.doctorId],
      foreignColumns: [practices.id, practices.doctorId],
    }).onDelete("cascade"),
    check("availability_slots_minutes", sql`${t.minutes} between 5 and case when ${t.tokens} then 1440 else 240 end`),
    check("availability_slots_seats", sql`${t.seats} between 1 and case when ${t.tokens} then 500 else 10 end`),
  ],
);
ofNoPatient(availabilitySlots);

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
    practiceId: practiceId(),
    /**
     * The hospital or clinic of the practice when it was booked; null: none. Triggers fill it in. When the doctor's profile names another hospital,
     * appointments to come move there, and earlier ones stay.
     */
    hospitalId: uuid().references(() => hospitals.id),
    date: date({ mode: "string" }).notNull(),
    time: time().notNull(),
    minutes: smallint().notNull().default(30),
    /** Set when the patient booked a session: `time` is its start, and the appointment takes no claim (app/domains/clinic/practices). */
    queueSessionId: uuid().references(() => queueSessions.id),
    token: integer(),
    /** About when the patient is called, by the token and the length of the session. */
    expectedTime: time(),
    status: text({ enum: APPOINTMENT_STATUSES }).notNull().default("pending"),
    reason: sealedText().notNull().default(sql`'Routine Checkup'`),
    /** The patient of the visit: one phone often serves a family. */
    patientName: text().notNull(),
    patientPhone: text().notNull(),
    /** In whole years on the day of the visit, 1 to 120 (spec 001 §5): 1 for a baby. */
    patientAge: integer().notNull(),
    /** Where it is known: pages show the age that follows from it (`app/lib/age.ts`). */
    patientBirthDate: date({ mode: "string" }),
    patientGender: text({ enum: GENDERS }).notNull(),
    bloodGroup: sealedText<BloodGroup>(),
    medicalHistory: sealedText(),
    /** Note of the patient to the doctor before the visit. */
    patientNote: sealedText(),
    /** The fee of the practice at the time of booking, in paise; null: none given. */
    fee: inPaise(),
    /** Discount of a wallet's code, in paise; the patient pays the rest, Nadi bears this (docs/figures.md). */
    discount: inPaise().notNull().default(paise(0)),
    /** The refund policy at the time of booking: a cancellation by the patient is refunded until this many hours before the start. */
    refundHours: smallint().notNull().default(24),
    /** The patient must pay online by then, or a job cancels. null: paid at the clinic or whenever the patient wants (app/domains/money/online). */
    prepayUntil: at(),
    /** Set by a cancellation: the patient gets back what was paid. null: not cancelled, or cancelled before this rule. */
    refundOwed: boolean(),
    /** Payment reference, shown to the payer. */
    paymentReference: text().notNull(),
    paymentMethod: text({ enum: PAYMENT_METHODS }),
    /** The form's key: a second press or a retry returns the first booking. */
    idempotencyKey: text().notNull(),
    acceptedAt: at(),
    completedAt: at(),
    cancelledAt: at(),
    cancelledBy: text({ enum: ROLES }),
    /** A member of the place cancelled it for the doctor, whom `cancelledBy` names. */
    cancelledAtDesk: boolean().notNull().default(false),
    /** Why the doctor or an administrator cancelled: a code of domains/visit-reasons.ts. */
    cancelReason: text(),
    /** The patient did not come: set when the queue of the day is closed. The status stays accepted. */
    noShowAt: at(),
    /** What the doctor wrote to the patient when cancelling. */
    cancelNote: sealedText(),
    /** When the doctor last moved it to another time: its patient may cancel it until the start. */
    movedAt: at(),
    /** The patient asked for SMS about this appointment when booking it. */
    smsUpdates: boolean().notNull().default(false),
    /** The doctor or a member of the place booked it for a patient on the phone (app/domains/booking/appointments). */
    forCaller: boolean().notNull().default(false),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (t) => [
    foreignKey({ name: "appointments_practice", columns: [t.practiceId, t.doctorId], foreignColumns: [practices.id, practices.doctorId] }),
    // A time for several patients: the same patient has it once. Double bookings are refused by `slot_claims`.
    uniqueIndex("appointments_once_per_patient")
      .on(t.doctorId, t.date, t.time, t.patientId, t.patientName)
      .where(sql`${t.status} in ('pending', 'accepted')`),
    uniqueIndex("appointments_idempotency").on(t.patientId, t.idempotencyKey),
    uniqueIndex("appointments_payment_reference").on(t.paymentReference),
    // Index-only scans for a doctor's lists, search and figures: further columns are at the end.
    index("appointments_doctor_status").on(t.doctorId, t.status, t.date, t.time, t.fee, t.patientId, t.patientName, t.patientPhone),
    index("appointments_patient").on(t.patientId, t.date, t.time),
    // For reminders of visits within a day.
    index("appointments_coming").on(t.date, t.time).where(sql`${t.status} in ('pending', 'accepted')`),
    // For the job that cancels unpaid ones.
    index("appointments_prepay").on(t.prepayUntil).where(sql`${t.prepayUntil} is not null and ${t.status} in ('pending', 'accepted')`),
    // For the figures of administrators.
    index("appointments_created").on(t.createdAt),
    index("appointments_missed").on(t.doctorId, t.status).where(sql`${t.noShowAt} is not null`),
    // Counts the booked tokens of a session.
    index("appointments_tokens").on(t.doctorId, t.date, t.time).where(sql`${t.queueSessionId} is not null and ${t.status} <> 'cancelled'`),
    index("appointments_session").on(t.queueSessionId).where(sql`${t.queueSessionId} is not null`),
    check(
      "appointments_token",
      sql`(${t.queueSessionId} is null) = (${t.token} is null) and (${t.token} is null) = (${t.expectedTime} is null)`,
    ),
    check("appointments_age", sql`${t.patientAge} between 1 and 120`),
    check("appointments_discount", sql`${t.discount} between 0 and coalesce(${t.fee}, 0)`),
  ],
);
ofPatients(appointments, {
  section: "appointments",
  owner: "patientId",
  emptied: {
    ...shown("reason patientBirthDate bloodGroup medicalHistory patientNote cancelNote"),
    patientName: { name: "patientName", becomes: DELETED_NAME, clear: "searched by the doctor" },
    patientPhone: { name: "patientPhone", clear: "searched by the doctor" },
  },
  stays: {
    ...shown("id date time token expectedTime status patientAge patientGender refundOwed paymentReference"),
    ...shown("paymentMethod acceptedAt completedAt cancelledAt cancelledBy cancelledAtDesk cancelReason movedAt smsUpdates"),
    ...hidden("patientId doctorId practiceId hospitalId minutes queueSessionId discount idempotencyKey updatedAt"),
    fee: "feePaise",
    refundHours: "refundUntilHoursBefore",
    prepayUntil: "payOnlineUntil",
    noShowAt: "missedAt",
    forCaller: "bookedByClinic",
    createdAt: "bookedAt",
  },
  why: "doctors account for what they earn (Income-tax Rules, 6F)",
});

export const PROPOSAL_STATES = ["proposed", "taken", "declined", "lapsed"] as const;
export type ProposalState = (typeof PROPOSAL_STATES)[number];

/**
 * Other times that the doctor proposes for an appointment: one to three. They take no slot, so each may be gone when the patient takes it
 * (app/domains/booking/appointments).
 */
export const appointmentProposals = pgTable(
  "appointment_proposals",
  {
    id: id(),
    appointmentId: uuid()
      .notNull()
      .references(() => appointments.id, { onDelete: "cascade" }),
    options: jsonb().$type<{ date: string; time: string }[]>().notNull(),
    /** Set when the doctor is away at the booked time: why. Without an answer the appointment is then cancelled. */
    awayReason: text(),
    /** A member of the place proposed for the doctor. */
    atDesk: boolean().notNull().default(false),
    state: text({ enum: PROPOSAL_STATES }).notNull().default("proposed"),
    expiresAt: at().notNull(),
    createdAt: createdAt(),
    /** When the patient answered, or when it lapsed. */
    endedAt: at(),
  },
  (t) => [
    uniqueIndex("appointment_proposals_one_open").on(t.appointmentId).where(sql`${t.state} = 'proposed'`),
    index("appointment_proposals_due").on(t.expiresAt).where(sql`${t.state} = 'proposed'`),
    index("appointment_proposals_appointment").on(t.appointmentId, t.createdAt),
    check("appointment_proposals_ended", sql`(${t.state} = 'proposed') = (${t.endedAt} is null)`),
    check("appointment_proposals_options", sql`jsonb_array_length(${t.options}) between 1 and 3`),
  ],
);
ofPatients(appointmentProposals, {
  section: null,
  owner: { by: "appointmentId", of: appointments },
  stays: hidden("id appointmentId options awayReason atDesk state expiresAt createdAt endedAt"),
  why: "dates and times of an appointment that stays",
});

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
ofPatients(medicalRecords, {
  section: "records",
  owner: { by: "appointmentId", of: appointments },
  removed: {
    ...shown("id appointmentId fileId description"),
    recordType: "type",
    createdAt: "addedAt",
  },
});

export type BookingDraftValues = {
  name?: string;
  phone?: string;
  age?: string;
  dateOfBirth?: string;
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
ofPatients(bookingDrafts, {
  section: "notBookedYet",
  owner: "patientId",
  removed: {
    ...shown("doctorId"),
    ...hidden("patientId fileIds"),
    values: "typed",
    records: "documents",
    updatedAt: "at",
  },
});

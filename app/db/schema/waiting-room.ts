import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  pgTable,
  smallint,
  text,
  time,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import {
  GENDERS,
  PARTS_OF_DAY,
  PLACE_LINK_KINDS,
  QUEUE_ENTRY_STATES,
  QUEUE_KINDS,
  QUEUE_PRIORITIES,
  QUEUE_SESSION_STATES,
} from "#app/lib/vocabulary.ts";
import { appointments } from "./appointments.ts";
import { practices } from "./clinic.ts";
import { at, createdAt, id, sealedText } from "./columns.ts";
import { hospitals, patients } from "./people.ts";

/**
 * One run of a practice: "Tuesday evening". A session keeps its date past midnight. Transitions: waiting-room/queue/session.state.ts.
 * `lastNumber` issues the tokens: only `issueNumber` changes it.
 */
export const queueSessions = pgTable(
  "queue_sessions",
  {
    id: id(),
    practiceId: uuid().notNull(),
    doctorId: uuid().notNull(),
    date: date({ mode: "string" }).notNull(),
    part: text({ enum: PARTS_OF_DAY }).notNull(),
    state: text({ enum: QUEUE_SESSION_STATES }).notNull().default("planned"),
    /** The planned times, in India. */
    startsAt: time().notNull(),
    endsAt: time().notNull(),
    lastNumber: integer().notNull().default(0),
    /** Number of calls so far. Orders the calls, and says when a skipped patient may return. */
    calls: integer().notNull().default(0),
    /** How many tokens can be booked; null: as many as there are times. */
    seats: smallint(),
    /** Announced delay of the start. */
    lateMinutes: smallint().notNull().default(0),
    doctorInAt: at(),
    pausedAt: at(),
    closedAt: at(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (t) => [
    foreignKey({
      name: "queue_sessions_practice",
      columns: [t.practiceId, t.doctorId],
      foreignColumns: [practices.id, practices.doctorId],
    }).onDelete("cascade"),
    unique("queue_sessions_once").on(t.practiceId, t.date, t.part),
    index("queue_sessions_doctor").on(t.doctorId, t.date),
    check("queue_sessions_last_number", sql`${t.lastNumber} >= 0 and ${t.calls} >= 0`),
    check("queue_sessions_late", sql`${t.lateMinutes} between 0 and 480`),
    check("queue_sessions_seats", sql`${t.seats} between 1 and 500`),
  ],
);

/** SQL: the entry still takes part in its session. */
const live = (t: { state: unknown }) => sql`${t.state} in ('expected', 'arrived', 'called', 'with-doctor', 'skipped')`;

/** A patient of a session. Transitions: waiting-room/queue/entry.state.ts. */
export const queueEntries = pgTable(
  "queue_entries",
  {
    id: id(),
    sessionId: uuid()
      .notNull()
      .references(() => queueSessions.id, { onDelete: "cascade" }),
    /** The token. Unique in the session and never used again. */
    number: integer().notNull(),
    kind: text({ enum: QUEUE_KINDS }).notNull(),
    appointmentId: uuid().references(() => appointments.id, { onDelete: "cascade" }),
    /** The account, when there is one. */
    patientId: uuid().references(() => patients.id, { onDelete: "set null" }),
    /** Name, phone and `personKey` are erased 30 days after the session (`sweepQueues`). */
    name: sealedText().notNull(),
    phone: sealedText().notNull(),
    /** A keyed hash of phone and name: three children on one phone are three patients. null once erased. */
    personKey: text(),
    age: smallint(),
    gender: text({ enum: GENDERS }),
    priority: text({ enum: QUEUE_PRIORITIES }).notNull().default("normal"),
    state: text({ enum: QUEUE_ENTRY_STATES }).notNull(),
    /** Opens /q/{code}. */
    code: text().notNull(),
    /** The form's key: a second press gives no second token. */
    formKey: text(),
    /** The booked or expected time; the arrival of a walk-in. */
    dueAt: at().notNull(),
    /** The call of the session that called this patient last, counted from 1. */
    callNumber: integer(),
    /** Calls of the session when a skipped patient returned: called after two others. */
    returnedAtCall: integer(),
    arrivedAt: at(),
    calledAt: at(),
    withDoctorAt: at(),
    doneAt: at(),
    skippedAt: at(),
    leftAt: at(),
    noShowAt: at(),
    /** The range of the call that was shown at arrival, to measure its accuracy. */
    estimateLowAt: at(),
    estimateHighAt: at(),
    /** Chosen on the patient's page; null: the default. */
    travelMinutes: smallint(),
    /** SMS that were sent, and whether the patient stopped them. */
    soonSmsAt: at(),
    lateSmsAt: at(),
    smsStopped: boolean().notNull().default(false),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (t) => [
    unique("queue_entries_number").on(t.sessionId, t.number),
    unique("queue_entries_code").on(t.code),
    uniqueIndex("queue_entries_form").on(t.sessionId, t.formKey),
    uniqueIndex("queue_entries_one_per_person").on(t.sessionId, t.personKey).where(live(t)),
    uniqueIndex("queue_entries_one_per_appointment").on(t.appointmentId).where(live(t)),
    uniqueIndex("queue_entries_one_with_doctor").on(t.sessionId).where(sql`${t.state} = 'with-doctor'`),
    index("queue_entries_patient").on(t.patientId),
    check("queue_entries_appointment", sql`${t.kind} <> 'booked' or ${t.appointmentId} is not null`),
    check("queue_entries_age", sql`${t.age} between 0 and 120`),
    check("queue_entries_travel", sql`${t.travelMinutes} between 0 and 240`),
  ],
);

/**
 * A secret address of a place: /tv/{key} or /arrive/{key}. Replacing it deletes the row, so a photographed key opens nothing. The key is
 * found by its hash, and sealed so that staff can open and print it again.
 */
export const placeLinks = pgTable(
  "place_links",
  {
    id: id(),
    hospitalId: uuid()
      .notNull()
      .references(() => hospitals.id, { onDelete: "cascade" }),
    kind: text({ enum: PLACE_LINK_KINDS }).notNull(),
    keyHash: text().notNull(),
    key: sealedText().notNull(),
    /** `arrive`: patients without a booking can take a token with the code. */
    allowsWalkIns: boolean().notNull().default(false),
    createdAt: createdAt(),
  },
  (t) => [unique("place_links_once").on(t.hospitalId, t.kind), unique("place_links_key").on(t.keyHash)],
);

import { sql } from "drizzle-orm";
import { boolean, check, date, index, integer, pgTable, smallint, text, unique, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { GENDERS, PLACE_LINK_KINDS, QUEUE_ENTRY_STATES, QUEUE_KINDS, QUEUE_PRIORITIES } from "#app/lib/vocabulary.ts";
import { appointments } from "./appointments.ts";
import { at, createdAt, id, sealedText } from "./columns.ts";
import { hospitals, patients } from "./people.ts";
import { hidden, ofNoPatient, ofPatients, shown } from "./policy.ts";
import { queueSessions } from "./queue-sessions.ts";

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
    birthDate: date({ mode: "string" }),
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
ofPatients(queueEntries, {
  section: "tokens",
  owner: "patientId",
  emptied: {
    ...shown("name phone age birthDate gender"),
    ...hidden("personKey"),
  },
  stays: {
    ...shown("id number kind appointmentId priority state arrivedAt calledAt withDoctorAt doneAt skippedAt leftAt"),
    ...shown("travelMinutes"),
    ...hidden("sessionId patientId code callNumber returnedAtCall soonSmsAt lateSmsAt updatedAt"),
    formKey: { name: null, clear: "the random key of a form" },
    dueAt: "expectedAt",
    noShowAt: "missedAt",
    estimateLowAt: "shownFrom",
    estimateHighAt: "shownTo",
    smsStopped: "noSms",
    createdAt: "at",
  },
  why: "numbers and times stay as figures",
});

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
ofNoPatient(placeLinks);

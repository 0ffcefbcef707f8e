import { sql } from "drizzle-orm";
import { bigserial, boolean, check, date, index, integer, pgTable, smallint, text, time, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { GENDERS } from "#app/lib/vocabulary.ts";
import { appointments } from "./appointments.ts";
import { practices } from "./clinic.ts";
import { at, createdAt, id } from "./columns.ts";
import { familyMembers } from "./family.ts";
import { doctors, patients } from "./people.ts";
import { hidden, ofPatients, shown } from "./policy.ts";

/** Their transitions are in booking/waitlist/waitlist.state.ts. `passed` and `lapsed` last within a transaction only. */
export const WAITLIST_STATES = ["waiting", "offered", "taken", "passed", "lapsed", "ended"] as const;
export type WaitlistState = (typeof WAITLIST_STATES)[number];
export const PARTS_OF_DAY = ["morning", "afternoon", "evening"] as const;

/** Why an entry is over. `unanswered`: several offers in a row lapsed. */
export const WAITLIST_ENDS = [
  "left",
  "unanswered",
  "days-over",
  "visit-over",
  "visit-cancelled",
  "place-closed",
  "gives-tokens",
  "person-removed",
  "account",
] as const;
export type WaitlistEnd = (typeof WAITLIST_ENDS)[number];

/** A patient who waits for a time of a doctor. The details are those at joining, as an appointment stores them. */
export const waitlistEntries = pgTable(
  "waitlist_entries",
  {
    id: id(),
    /** The place in the order: joins of one doctor are serialized. */
    number: bigserial({ mode: "number" }).notNull(),
    patientId: uuid()
      .notNull()
      .references(() => patients.id, { onDelete: "cascade" }),
    doctorId: uuid()
      .notNull()
      .references(() => doctors.id, { onDelete: "cascade" }),
    /** null: any place of the doctor. */
    practiceId: uuid().references(() => practices.id, { onDelete: "cascade" }),
    /** null: the patient, or a name that is not on the family list. */
    memberId: uuid().references(() => familyMembers.id, { onDelete: "cascade" }),
    /** The later appointment that a taken offer moves; after that the one that was booked. */
    appointmentId: uuid().references(() => appointments.id, { onDelete: "set null" }),
    patientName: text().notNull(),
    patientPhone: text().notNull(),
    patientAge: integer().notNull(),
    patientBirthDate: date({ mode: "string" }),
    patientGender: text({ enum: GENDERS }).notNull(),
    fromDate: date({ mode: "string" }).notNull(),
    untilDate: date({ mode: "string" }).notNull(),
    /** Parts of the day that suit. Empty: every part. */
    parts: text({ enum: PARTS_OF_DAY }).array().notNull().default(sql`'{}'::text[]`),
    /** Offers come by SMS too, whatever the settings are. */
    sms: boolean().notNull().default(true),
    state: text({ enum: WAITLIST_STATES }).notNull().default("waiting"),
    /** Offers in a row without an answer. */
    lapses: smallint().notNull().default(0),
    endReason: text({ enum: WAITLIST_ENDS }),
    endedAt: at(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (t) => [
    uniqueIndex("waitlist_entries_live")
      .on(t.patientId, t.doctorId, sql`lower(${t.patientName})`)
      .where(sql`${t.state} not in ('taken', 'ended')`),
    // The order of the list.
    index("waitlist_entries_order").on(t.doctorId, t.number).where(sql`${t.state} not in ('taken', 'ended')`),
    check("waitlist_entries_days", sql`${t.fromDate} <= ${t.untilDate}`),
    check("waitlist_entries_age", sql`${t.patientAge} between 1 and 120`),
    check("waitlist_entries_end", sql`(${t.state} = 'ended') = (${t.endReason} is not null)`),
  ],
);
ofPatients(waitlistEntries, {
  section: "waitlist",
  owner: "patientId",
  removed: {
    ...shown("id appointmentId patientAge patientBirthDate patientGender sms state endedAt"),
    ...hidden("number patientId doctorId practiceId memberId lapses updatedAt"),
    patientName: { name: "patientName", clear: "read by the doctor and the staff who see the waitlist; one entry for each name" },
    patientPhone: { name: "patientPhone", clear: "read by the doctor and the staff who see the waitlist" },
    fromDate: "from",
    untilDate: "until",
    parts: "partsOfDay",
    endReason: "endedBecause",
    createdAt: "joinedAt",
  },
});

/** `withdrawn`: the time is gone, so it may be offered again. */
export const OFFER_STATES = ["offered", "taken", "passed", "lapsed", "withdrawn"] as const;

/** A time that was offered to one entry. While it is live, a row of `slot_claims` takes the seat. */
export const waitlistOffers = pgTable(
  "waitlist_offers",
  {
    id: id(),
    entryId: uuid()
      .notNull()
      .references(() => waitlistEntries.id, { onDelete: "cascade" }),
    doctorId: uuid()
      .notNull()
      .references(() => doctors.id, { onDelete: "cascade" }),
    practiceId: uuid()
      .notNull()
      .references(() => practices.id, { onDelete: "cascade" }),
    date: date({ mode: "string" }).notNull(),
    time: time().notNull(),
    /** How many moves of waiting patients freed this time, one after the other. */
    chain: smallint().notNull().default(0),
    state: text({ enum: OFFER_STATES }).notNull().default("offered"),
    /** No message is sent before: 07:00 for a time that became free at night. */
    sendAt: at().notNull(),
    endsAt: at().notNull(),
    notifiedAt: at(),
    decidedAt: at(),
    /** The time that the patient gave up by taking this one. */
    freedDate: date({ mode: "string" }),
    freedTime: time(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("waitlist_offers_live").on(t.entryId).where(sql`${t.state} = 'offered'`),
    uniqueIndex("waitlist_offers_once").on(t.entryId, t.date, t.time).where(sql`${t.state} <> 'withdrawn'`),
    index("waitlist_offers_doctor").on(t.doctorId, t.date),
    check("waitlist_offers_time", sql`${t.sendAt} < ${t.endsAt}`),
  ],
);
ofPatients(waitlistOffers, {
  section: "waitlistOffers",
  owner: { by: "entryId", of: waitlistEntries },
  removed: {
    ...shown("id date time state endsAt decidedAt freedDate freedTime"),
    ...hidden("doctorId practiceId chain sendAt notifiedAt"),
    entryId: "waitlistId",
    createdAt: "offeredAt",
  },
});

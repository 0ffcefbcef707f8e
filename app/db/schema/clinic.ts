import { sql } from "drizzle-orm";
import { bigint, check, date, index, pgTable, primaryKey, smallint, text, time, unique, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { PRACTICE_MODES, PRACTICE_STATES, SLOT_LENGTHS } from "#app/lib/vocabulary.ts";
import { at, createdAt, id, sealedText } from "./columns.ts";
import { doctors, hospitals, spacePoint, wordList } from "./people.ts";
import { ofNoPatient } from "./policy.ts";

/**
 * A doctor at a place. The first practice has the doctor's own id, is created with the doctor (trigger, 0042), and takes place and fee from
 * the doctor's profile, so that each of them has one definition.
 */
export const practices = pgTable(
  "practices",
  {
    id: id(),
    doctorId: uuid()
      .notNull()
      .references(() => doctors.id, { onDelete: "cascade" }),
    /** null for the first practice: the hospital of the profile. */
    hospitalId: uuid().references(() => hospitals.id),
    /** Paise; null: the fee of the profile. */
    fee: bigint({ mode: "number" }),
    slotMinutes: smallint().notNull().default(30),
    patientsPerSlot: smallint().notNull().default(1),
    /** `tokens`: patients book a session and get a number (app/domains/clinic/practices). */
    mode: text({ enum: PRACTICE_MODES }).notNull().default("slots"),
    /** In mode `tokens`: how many patients can book a session. */
    seatsPerSession: smallint().notNull().default(30),
    /** The word that starts a booking by SMS or WhatsApp: "RAO". */
    keyword: text(),
    /** Transitions: clinic/practices/practice.state.ts. `asked`: the place has not accepted the doctor yet. */
    state: text({ enum: PRACTICE_STATES }).notNull().default("active"),
    closedAt: at(),
    /** The last day whose weekly hours were opened. The job opens the days after it. */
    openedUntil: date({ mode: "string" }),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (t) => [
    unique("practices_of_doctor").on(t.id, t.doctorId),
    uniqueIndex("practices_once_per_place").on(t.doctorId, t.hospitalId).where(sql`${t.state} <> 'closed'`),
    uniqueIndex("practices_keyword").on(t.keyword),
    check("practices_keyword_form", sql`${t.keyword} ~ '^[A-Z][A-Z0-9]{1,14}$'`),
    index("practices_place").on(t.hospitalId).where(sql`${t.state} <> 'closed'`),
    check("practices_first", sql`(${t.id} = ${t.doctorId}) = (${t.hospitalId} is null)`),
    check("practices_first_stays", sql`${t.id} <> ${t.doctorId} or ${t.state} = 'active'`),
    check("practices_fee", sql`${t.fee} between 0 and 10000000`),
    check("practices_slot_minutes", sql`${t.slotMinutes} in (${sql.raw(SLOT_LENGTHS.join(", "))})`),
    check("practices_seats_per_session", sql`${t.seatsPerSession} between 1 and 500`),
    check("practices_patients_per_slot", sql`${t.patientsPerSlot} between 1 and 10`),
  ],
);
ofNoPatient(practices);

/**
 * Weekly hours: spans of a weekday (0 = Sunday), local time of India. `practice_hours_one_place_at_a_time` refuses spans of a doctor that
 * overlap, in one practice or in two.
 */
export const practiceHours = pgTable(
  "practice_hours",
  {
    practiceId: uuid()
      .notNull()
      .references(() => practices.id, { onDelete: "cascade" }),
    doctorId: uuid()
      .notNull()
      .references(() => doctors.id, { onDelete: "cascade" }),
    weekday: smallint().notNull(),
    from: time().notNull(),
    until: time().notNull(),
  },
  (t) => [
    primaryKey({ name: "practice_hours_pk", columns: [t.practiceId, t.weekday, t.from] }),
    check("practice_hours_weekday", sql`${t.weekday} between 0 and 6`),
    check("practice_hours_order", sql`${t.from} < ${t.until}`),
  ],
);
ofNoPatient(practiceHours);

/** Days that the doctor changed by hand. The weekly hours leave them as they are. */
export const practiceDays = pgTable(
  "practice_days",
  {
    practiceId: uuid()
      .notNull()
      .references(() => practices.id, { onDelete: "cascade" }),
    date: date({ mode: "string" }).notNull(),
    changedAt: createdAt(),
  },
  (t) => [primaryKey({ name: "practice_days_pk", columns: [t.practiceId, t.date] })],
);
ofNoPatient(practiceDays);

/** Days on which a doctor sees no patients. No time can be opened on them. */
export const leaves = pgTable(
  "leaves",
  {
    id: id(),
    doctorId: uuid()
      .notNull()
      .references(() => doctors.id, { onDelete: "cascade" }),
    /** null: everywhere. */
    practiceId: uuid().references(() => practices.id, { onDelete: "cascade" }),
    from: date({ mode: "string" }).notNull(),
    until: date({ mode: "string" }).notNull(),
    /** The doctor's own note. Patients do not see it. */
    reason: sealedText(),
    endedAt: at(),
    createdAt: createdAt(),
  },
  (t) => [
    index("leaves_doctor").on(t.doctorId, t.until).where(sql`${t.endedAt} is null`),
    check("leaves_order", sql`${t.from} <= ${t.until}`),
  ],
);
ofNoPatient(leaves);

/**
 * The directory's entries of doctors at their further places: one for each active practice after the first, at a listed hospital. Triggers of
 * `practices`, `doctors` and `hospitals` write them. The first practice is the entry in `doctors`.
 */
export const doctorPlaces = pgTable(
  "doctor_places",
  {
    practiceId: uuid()
      .primaryKey()
      .references(() => practices.id, { onDelete: "cascade" }),
    doctorId: uuid()
      .notNull()
      .references(() => doctors.id, { onDelete: "cascade" }),
    hospitalId: uuid()
      .notNull()
      .references(() => hospitals.id),
    /** Paise, of the practice or else of the profile. */
    fee: bigint({ mode: "number" }),
    /** Words of the doctor and of this place, not of the others. */
    words: wordList().notNull(),
    globe: spacePoint(),
  },
  (t) => [
    index("doctor_places_doctor").on(t.doctorId),
    index("doctor_places_hospital").on(t.hospitalId),
    index("doctor_places_words").using("gin", t.words).with({ fastupdate: false }),
    index("doctor_places_near").using("gist", t.globe),
    index("doctor_places_fee").on(t.fee),
  ],
);
ofNoPatient(doctorPlaces, { columns: { words: { clear: "public directory, for its search" } } });

import { type SQL, sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  customType,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  serial,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { Translations } from "#app/lib/translations.ts";
import { GENDERS, HOSPITAL_ACCESS, HOSPITAL_CATEGORIES, REGISTRATION_STATUSES } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { users } from "./accounts.ts";
import { at, createdAt, id, sealedText } from "./columns.ts";
import { hidden, ofNoPatient, ofPatients, shown } from "./policy.ts";
import { files } from "./records.ts";
import { listedDoctor, listedHospital } from "./visibility.ts";

/** Indian cities and towns (GeoNames, demo/cities.json.gz). */
export const cities = pgTable(
  "cities",
  {
    id: serial().primaryKey(),
    /** Display name: "Vijayawada". */
    name: text().notNull(),
    /** Lower case without diacritics, for search: "vijayawada". */
    searchName: text().notNull(),
    state: text().notNull(),
    district: text().notNull().default(""),
    latitude: doublePrecision().notNull(),
    longitude: doublePrecision().notNull(),
    /** Larger: more likely to be meant. District seats come first. */
    rank: integer().notNull().default(0),
  },
  (t) => [
    uniqueIndex("cities_name_place").on(t.name, t.state, t.district),
    index("cities_search").on(sql`${t.searchName} text_pattern_ops`),
    index("cities_place").on(t.latitude, t.longitude),
  ],
);
ofNoPatient(cities);

/** Source of a user's place. */
export const PLACE_SOURCES = ["search", "position", "ip"] as const;
export type PlaceSource = (typeof PLACE_SOURCES)[number];

/** The fields of a patient's profile: the columns that its form saves (patients/profile). To add one: CONTRIBUTING.md. */
const patientProfileColumns = {
  name: text(),
  dateOfBirth: date({ mode: "string" }),
  gender: text({ enum: GENDERS }),
  photoFileId: uuid().references(() => files.id, { onDelete: "set null" }),
  /** The day on which the patient said that they have no known allergy. An allergy that a doctor writes later ends it. */
  noAllergiesOn: sealedText<string>(),
};
export type PatientProfileColumn = keyof typeof patientProfileColumns;
export const PATIENT_PROFILE_COLUMNS = Object.keys(patientProfileColumns) as PatientProfileColumn[];

/** A patient's profile. Shares its id with `users`. */
export const patients = pgTable(
  "patients",
  {
    id: uuid()
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    ...patientProfileColumns,
    cityId: integer().references(() => cities.id),
    /** Position given by the user, degrees; otherwise "near" uses the centre of the city. */
    latitude: doublePrecision(),
    longitude: doublePrecision(),
    /** Accuracy in metres, from the browser. */
    accuracy: integer(),
    placeSource: text({ enum: PLACE_SOURCES }),
    /** Since when the account belongs to a phone that never logged in: it has only what a clinic booked for a caller. Null: its owner logged in. */
    unclaimedSince: at(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (t) => [
    index("patients_created").on(t.createdAt),
    index("patients_name_parts").using("gin", t.name.op("gin_trgm_ops")).with({ fastupdate: false }),
    index("patients_unclaimed").on(t.unclaimedSince).where(sql`${t.unclaimedSince} is not null`),
  ],
);
ofPatients(patients, {
  section: "profile",
  owner: "id",
  emptied: {
    ...shown("latitude longitude"),
    ...hidden("cityId unclaimedSince"),
    name: { name: "name", clear: "shown to the patient's doctors", label: () => m.admin_hospital_name() },
    dateOfBirth: { name: "dateOfBirth", label: () => m.profile_birth() },
    gender: { name: "gender", label: () => m.profile_gender() },
    noAllergiesOn: { name: "noKnownAllergiesOn", audited: "allergies", label: () => m.visit_allergies() },
    photoFileId: { name: "photoFileId", audited: "photo", label: () => m.profile_photo() },
    accuracy: "accuracyMetres",
    placeSource: "placeFrom",
  },
  stays: hidden("id createdAt updatedAt"),
  why: "other rows refer to it",
});

/** Average of the visible reviews; null for none. */
export const averageOf = (t: { ratingSum: AnyPgColumn; ratingCount: AnyPgColumn }) =>
  sql<number | null>`(${t.ratingSum}::float8 / nullif(${t.ratingCount}, 0))`;

/** Unique words for prefix search. */
export const wordList = customType<{ data: string }>({ dataType: () => "tsvector" });
/** A point in space (PostgreSQL's extension `cube`). */
export const spacePoint = customType<{ data: string }>({ dataType: () => "cube" });

/**
 * Position on a globe of radius 1. A shorter straight line means a shorter distance on the ground, and the farthest point is
 * nearest to the antipode, so a GiST index scans in both directions.
 */
const onGlobe = (t: { latitude: AnyPgColumn; longitude: AnyPgColumn }) =>
  sql`case when ${t.latitude} is not null and ${t.longitude} is not null then cube(array[cos(radians(${t.latitude})) * cos(radians(${t.longitude})), cos(radians(${t.latitude})) * sin(radians(${t.longitude})), sin(radians(${t.latitude}))]) end`;

export const HOSPITAL_STATUSES = ["active", "pending", "refused", "merged"] as const;

export const hospitals = pgTable(
  "hospitals",
  {
    id: id(),
    name: text().notNull(),
    category: text({ enum: HOSPITAL_CATEGORIES }).notNull(),
    specialties: text().array().notNull().default(sql`'{}'::text[]`),
    address: text().notNull(),
    area: text().notNull().default(""),
    city: text().notNull(),
    state: text().notNull(),
    pinCode: text(),
    latitude: doublePrecision(),
    longitude: doublePrecision(),
    phone: text(),
    email: text(),
    about: text().notNull().default(""),
    workingHours: text().notNull().default(""),
    /** Known access for wheelchairs and prams. Empty: not known. */
    access: text({ enum: HOSPITAL_ACCESS }).array().notNull().default(sql`'{}'::text[]`),
    /** `name`, `address`, `area` and `about` in Telugu and Hindi. */
    translations: jsonb().$type<Translations>().notNull().default({}),
    /** `pending`: entered by a doctor, not confirmed. `merged`: redirects to `mergedInto`. */
    status: text({ enum: HOSPITAL_STATUSES }).notNull().default("active"),
    mergedInto: uuid(),
    /** Sum of stars and number of the visible reviews. Updated in the transaction that changes a review. */
    ratingSum: integer().notNull().default(0),
    ratingCount: integer().notNull().default(0),
    proposedBy: uuid().references(() => users.id, { onDelete: "set null" }),
    /** Number of listed doctors at the hospital, and their categories. Updated by a trigger of `doctors`. */
    doctorsCount: integer().notNull().default(0),
    /** The staff at the desk see the reasons of appointments. An owner of the place switches it on. */
    reasonsAtDesk: boolean().notNull().default(false),
    /** Origins of websites that may show the frame of free times (/embed/{slug}). */
    embedOrigins: text().array().notNull().default(sql`'{}'::text[]`),
    doctorCategories: text().array().notNull().default(sql`'{}'::text[]`),
    /** Words for the directory search: name, kind, specialties, address. Updated by a trigger, as the words of the name. */
    words: wordList().notNull().default(sql`''::tsvector`),
    nameWords: wordList().notNull().default(sql`''::tsvector`),
    globe: spacePoint().generatedAlwaysAs((): SQL => onGlobe(hospitals)),
    isDemo: boolean().notNull().default(false),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (t) => [
    index("hospitals_city").on(t.status, t.city, t.name),
    index("hospitals_words").using("gin", t.words).with({ fastupdate: false }).where(listedHospital(t)),
    index("hospitals_by_name").on(t.name, t.id).where(listedHospital(t)),
    index("hospitals_by_review")
      .on(sql`${averageOf(t)} desc nulls last`, t.ratingCount.desc(), t.name, t.id)
      .where(listedHospital(t)),
    index("hospitals_by_lowest_review")
      .on(sql`${averageOf(t)} asc nulls last`, t.ratingCount.desc(), t.name, t.id)
      .where(listedHospital(t)),
    index("hospitals_by_doctors").on(t.doctorsCount.desc(), t.name, t.id).where(listedHospital(t)),
    index("hospitals_name_words").using("gin", t.nameWords).with({ fastupdate: false }).where(listedHospital(t)),
    index("hospitals_near").using("gist", t.globe).where(listedHospital(t)),
    index("hospitals_treat").using("gin", t.specialties).where(listedHospital(t)),
  ],
);
ofNoPatient(hospitals, {
  columns: {
    name: { clear: "public directory", label: () => m.admin_hospital_name() },
    address: { clear: "public directory", label: () => m.admin_hospital_address() },
    area: { clear: "public directory", label: () => m.admin_hospital_area() },
    city: { clear: "public directory", label: () => m.admin_hospital_city() },
    state: { clear: "public directory", label: () => m.admin_hospital_state() },
    pinCode: { label: () => m.admin_hospital_pin() },
    phone: { clear: "public directory", label: () => m.admin_hospital_phone() },
    email: { clear: "public directory", label: () => m.admin_hospital_email() },
    about: { clear: "public directory", label: () => m.profile_about() },
    workingHours: { clear: "public directory", label: () => m.admin_hospital_hours() },
    access: { label: () => m.directory_access() },
    embedOrigins: { clear: "in a header of a public page" },
    words: { clear: "public directory, for its search" },
    nameWords: { clear: "public directory, for its search" },
  },
});

export type Qualification = { degree: string; universityCollege: string; year: number | null };

/** A doctor's profile. Shares its id with `users`. */
export const doctors = pgTable(
  "doctors",
  {
    id: uuid()
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    registrationStatus: text({ enum: REGISTRATION_STATUSES }).notNull().default("draft"),
    fullName: text().notNull().default(""),
    category: text().notNull().default("General"),
    primarySpecialization: text().notNull().default(""),
    additionalSpecializations: text().notNull().default(""),
    experienceYears: integer().notNull().default(0),
    /** Paise; null: none given. */
    consultationFee: bigint({ mode: "number" }),
    about: text().notNull().default(""),
    gender: text({ enum: GENDERS }),
    dateOfBirth: date({ mode: "string" }),
    councilName: text(),
    councilNumber: text(),
    councilYear: integer(),
    languages: text().array().notNull().default(sql`'{}'::text[]`),
    qualifications: jsonb().$type<Qualification[]>().notNull().default([]),
    hospitalId: uuid().references(() => hospitals.id),
    area: text().notNull().default(""),
    city: text().notNull().default(""),
    state: text().notNull().default(""),
    latitude: doublePrecision(),
    longitude: doublePrecision(),
    photoFileId: uuid().references(() => files.id, { onDelete: "set null" }),
    /** A drawing of `public/faces` ("w03"), shown while there is no photo. */
    portrait: text(),
    /** `fullName` (as `name`), `area`, `about` and `additionalSpecializations` (as `treats`) in Telugu and Hindi. */
    translations: jsonb().$type<Translations>().notNull().default({}),
    /** Sum of stars and number of the visible reviews. Updated in the transaction that changes a review. */
    ratingSum: integer().notNull().default(0),
    ratingCount: integer().notNull().default(0),
    /** Encrypted; `…Mac` is a keyed hash that finds a second doctor with the same number without decryption. */
    aadhaarSealed: text(),
    aadhaarMac: text(),
    aadhaarLast4: text(),
    /** When number and scan were erased after the approval (credentials/identity/erase-identity.server.ts). */
    aadhaarErasedAt: at(),
    panSealed: text(),
    panMac: text(),
    panLast4: text(),
    /** When the current application was submitted: its age in the queues. */
    submittedAt: at(),
    verifiedAt: at(),
    /** Words for the directory search: name, specialty, hospital, city. Updated by triggers, also of `hospitals`. */
    words: wordList().notNull().default(sql`''::tsvector`),
    nameWords: wordList().notNull().default(sql`''::tsvector`),
    globe: spacePoint().generatedAlwaysAs((): SQL => onGlobe(doctors)),
    isDemo: boolean().notNull().default(false),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (t) => [
    index("doctors_directory").on(t.registrationStatus, t.category, t.fullName),
    index("doctors_name_parts").using("gin", t.fullName.op("gin_trgm_ops")).with({ fastupdate: false }),
    index("doctors_city").on(t.registrationStatus, t.city),
    index("doctors_hospital").on(t.hospitalId),
    index("doctors_photo").on(t.photoFileId),
    uniqueIndex("doctors_council").on(sql`lower(${t.councilName})`, t.councilNumber),
    uniqueIndex("doctors_aadhaar").on(t.aadhaarMac),
    uniqueIndex("doctors_pan").on(t.panMac),
    index("doctors_queue").on(t.registrationStatus, t.submittedAt),
    index("doctors_words").using("gin", t.words).with({ fastupdate: false }).where(listedDoctor(t)),
    index("doctors_by_name").on(t.fullName, t.id).where(listedDoctor(t)),
    index("doctors_by_specialty").on(t.primarySpecialization, t.fullName, t.id).where(listedDoctor(t)),
    index("doctors_by_review")
      .on(sql`${averageOf(t)} desc nulls last`, t.ratingCount.desc(), t.fullName, t.id)
      .where(listedDoctor(t)),
    index("doctors_by_lowest_review")
      .on(sql`${averageOf(t)} asc nulls last`, t.ratingCount.desc(), t.fullName, t.id)
      .where(listedDoctor(t)),
    index("doctors_name_words").using("gin", t.nameWords).with({ fastupdate: false }).where(listedDoctor(t)),
    index("doctors_by_highest_fee").on(sql`${t.consultationFee} desc nulls last`, t.fullName, t.id).where(listedDoctor(t)),
    index("doctors_by_fee").on(t.consultationFee, t.fullName, t.id).where(listedDoctor(t)),
    index("doctors_by_experience").on(t.experienceYears, t.fullName, t.id).where(listedDoctor(t)),
    index("doctors_near").using("gist", t.globe).where(listedDoctor(t)),
    index("doctors_of_hospital").on(t.hospitalId, t.category).where(listedDoctor(t)),
    check("doctors_aadhaar_erased", sql`${t.aadhaarErasedAt} is null or ${t.aadhaarSealed} is null`),
    check("doctors_fee", sql`${t.consultationFee} is null or ${t.consultationFee} >= 0`),
  ],
);
ofNoPatient(doctors, {
  columns: {
    fullName: { clear: "public profile" },
    category: { label: () => m.profile_category() },
    primarySpecialization: { clear: "public profile", label: () => m.profile_specialization() },
    additionalSpecializations: { clear: "public profile", label: () => m.profile_more_specializations() },
    experienceYears: { label: () => m.profile_experience() },
    consultationFee: { label: () => m.profile_fee() },
    about: { clear: "public profile", label: () => m.profile_about() },
    gender: { label: () => m.profile_gender() },
    dateOfBirth: { label: () => m.profile_birth() },
    councilName: { clear: "public registration, unique with its number" },
    councilNumber: { clear: "public registration, unique" },
    languages: { clear: "public profile", label: () => m.profile_languages() },
    qualifications: { clear: "public profile" },
    city: { clear: "public profile" },
    state: { clear: "public profile" },
    photoFileId: { audited: "photo", label: () => m.profile_photo() },
    words: { clear: "public profile, for its search" },
    nameWords: { clear: "public profile, for its search" },
  },
});

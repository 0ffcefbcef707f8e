import { sql } from "drizzle-orm";
import { boolean, check, date, index, integer, jsonb, pgTable, primaryKey, text, time, uuid } from "drizzle-orm/pg-core";
import {
  type BloodGroup,
  EXPORT_FORMATS,
  EXPORT_KINDS,
  GENDERS,
  type Gender,
  IMPORT_KINDS,
  IMPORT_STATES,
  PAST_STATUSES,
  ROW_DECISIONS,
  ROW_GROUPS,
  ROW_OUTCOMES,
} from "#app/lib/vocabulary.ts";
import { users } from "./accounts.ts";
import { appointments } from "./appointments.ts";
import { at, createdAt, id, inPaise, sealedJson, sealedText } from "./columns.ts";
import { doctors, hospitals, patients } from "./people.ts";
import { hidden, ofNoPatient, ofPatients, shown } from "./policy.ts";
import { files } from "./records.ts";

/** Whose patients: of a hospital or clinic, or of a doctor's own practice. One of the two is set. */
const ofClinic = () => ({
  hospitalId: uuid().references(() => hospitals.id),
  doctorId: uuid().references(() => doctors.id),
});

/** What the dates of a column say of the order of day and month. */
type DateFacts = { dayFirst: boolean; monthFirst: boolean; ask: { row: number; column: string; value: string } | null };

/** What the columns page shows: names and examples of the file. */
export type ImportReading = {
  fileName: string;
  sheets: string[];
  sheet: string | null;
  columns: { header: string; examples: string[]; guess?: string | null; dates?: DateFacts }[];
  ask: DateFacts["ask"];
};

/** A file of patients or appointments that a clinic brings. Its rows and the file are deleted within 30 days. */
export const imports = pgTable(
  "imports",
  {
    id: id(),
    ...ofClinic(),
    kind: text({ enum: IMPORT_KINDS }).notNull(),
    state: text({ enum: IMPORT_STATES }).notNull().default("uploaded"),
    fileId: uuid().references(() => files.id, { onDelete: "set null" }),
    reading: sealedJson<ImportReading>().notNull(),
    /** The field of each column; null: not imported. */
    mapping: jsonb().$type<(string | null)[]>().notNull().default([]),
    dateOrder: text({ enum: ["dmy", "mdy"] })
      .notNull()
      .default("dmy"),
    rowCount: integer().notNull(),
    columnCount: integer().notNull(),
    /** Rows that the running job has finished. */
    done: integer().notNull().default(0),
    /** Why a job stopped: a code of clinic/imports/words.ts. */
    fault: text(),
    createdBy: uuid().references(() => users.id, { onDelete: "set null" }),
    createdAt: createdAt(),
    checkedAt: at(),
    finishedAt: at(),
    undoneAt: at(),
    updatedAt: createdAt(),
  },
  (t) => [
    index("imports_hospital").on(t.hospitalId, t.createdAt),
    index("imports_doctor").on(t.doctorId, t.createdAt),
    // For the sweep, and for jobs that were lost.
    index("imports_created").on(t.createdAt),
    check("imports_of_one", sql`num_nonnulls(${t.hospitalId}, ${t.doctorId}) = 1`),
  ],
);
ofNoPatient(imports);

/** A patient in the register of a clinic: what the clinic brought. The account belongs to the phone and may be unclaimed. */
export const clinicPatients = pgTable(
  "clinic_patients",
  {
    id: id(),
    ...ofClinic(),
    /** The account of the phone; null without a phone. */
    patientId: uuid().references(() => patients.id),
    name: text().notNull(),
    /** Without case, dots and title: two rows with the same key have the same name. */
    nameKey: text().notNull(),
    phone: text(),
    birthDate: date({ mode: "string" }),
    /** The birth date follows from an age or a year. */
    birthAbout: boolean().notNull().default(false),
    gender: text({ enum: GENDERS }),
    bloodGroup: sealedText<BloodGroup>(),
    address: sealedText(),
    /** The clinic's own number of the patient. */
    number: text(),
    /** Of the clinic, about the patient. */
    note: sealedText(),
    importId: uuid().references(() => imports.id, { onDelete: "set null" }),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (t) => [
    index("clinic_patients_hospital").on(t.hospitalId, t.nameKey, t.id).where(sql`${t.hospitalId} is not null`),
    index("clinic_patients_doctor").on(t.doctorId, t.nameKey, t.id).where(sql`${t.doctorId} is not null`),
    index("clinic_patients_phone").on(t.phone),
    index("clinic_patients_patient").on(t.patientId),
    index("clinic_patients_import").on(t.importId),
    check("clinic_patients_of_one", sql`num_nonnulls(${t.hospitalId}, ${t.doctorId}) = 1`),
    check("clinic_patients_account", sql`${t.phone} is not null or ${t.patientId} is null`),
  ],
);
ofPatients(clinicPatients, {
  section: "clinicRegisters",
  owner: "patientId",
  removed: {
    ...shown("id birthDate gender bloodGroup address note"),
    ...hidden("hospitalId doctorId patientId importId updatedAt"),
    nameKey: { name: null, clear: "compares names" },
    number: { name: "number", clear: "searched by the clinic" },
    name: { name: "name", clear: "searched by the clinic" },
    phone: { name: "phone", clear: "searched by the clinic" },
    birthAbout: "birthDateIsApproximate",
    createdAt: "addedAt",
  },
});

/**
 * An appointment from before the clinic used Nadi: history only. No earnings, points, reviews or messages read it, and of the figures only the years before Nadi. `booked`: its
 * day has passed, and the clinic's file does not say what happened.
 */
export const pastAppointments = pgTable(
  "past_appointments",
  {
    id: id(),
    clinicPatientId: uuid()
      .notNull()
      .references(() => clinicPatients.id, { onDelete: "cascade" }),
    /** null: a doctor who is not in Nadi. */
    doctorId: uuid().references(() => doctors.id),
    /** As in the file. */
    doctorName: text().notNull().default(""),
    date: date({ mode: "string" }).notNull(),
    time: time(),
    status: text({ enum: PAST_STATUSES }).notNull(),
    fee: inPaise(),
    paid: inPaise(),
    importId: uuid().references(() => imports.id, { onDelete: "set null" }),
    createdAt: createdAt(),
  },
  (t) => [index("past_appointments_patient").on(t.clinicPatientId, t.date), index("past_appointments_import").on(t.importId)],
);
ofPatients(pastAppointments, {
  section: "earlierAppointments",
  owner: { by: "clinicPatientId", of: clinicPatients },
  removed: {
    ...shown("id date time status"),
    ...hidden("clinicPatientId doctorId importId"),
    doctorName: { name: "doctor", clear: "the name of a doctor" },
    fee: "feePaise",
    paid: "paidPaise",
    createdAt: "addedAt",
  },
});

/** A row of the file as it was read: its cells and values. */
export type ImportRowContent = {
  cells: string[];
  values: unknown;
  notices: string[];
  /** The person of the clinic or of the file that it may be. */
  like: {
    name: string;
    phone: string | null;
    birthDate: string | null;
    /** The birth date follows from an age or a year. */
    about?: boolean;
    gender: Gender | null;
    number?: string | null;
    /** Of a person of the file. That of the register is read when it is shown. */
    address?: string | null;
    row: number | null;
  } | null;
  /** Decided before the question that is open now: the patient of the appointment is a new one. */
  isOther?: boolean;
  /** The next free time of the day, which the row takes by its decision: no other row of the file gets it. */
  bookAt?: string;
};

export const importRows = pgTable(
  "import_rows",
  {
    importId: uuid()
      .notNull()
      .references(() => imports.id, { onDelete: "cascade" }),
    /** As the spreadsheet shows it. */
    number: integer().notNull(),
    group: text({ enum: ROW_GROUPS }).notNull(),
    /** The problem or the question: a code of clinic/imports. */
    reason: text(),
    content: sealedJson<ImportRowContent>().notNull(),
    /** The person that the row may be, in the register of the clinic. */
    likeId: uuid(),
    /** The same, in an earlier row of the file. */
    likeRow: integer(),
    decision: text({ enum: ROW_DECISIONS }),
    /** The doctor as in the file, where no doctor of the clinic has this name; one decision is for all rows of a name. */
    doctorName: text(),
    /** The doctor whom the decision "doctor" names. */
    decidedDoctorId: uuid().references(() => doctors.id),
    outcome: text({ enum: ROW_OUTCOMES }),
    clinicPatientId: uuid().references(() => clinicPatients.id, { onDelete: "cascade" }),
    pastAppointmentId: uuid().references(() => pastAppointments.id, { onDelete: "set null" }),
    appointmentId: uuid().references(() => appointments.id, { onDelete: "set null" }),
    /** The unclaimed account that the import made for the phone. */
    accountId: uuid(),
    /** The empty columns of the patient that a merge filled, when it did, and when the patient was last changed before it. */
    merged: jsonb().$type<{ filled: string[]; at: string; before: string }>(),
  },
  (t) => [
    primaryKey({ name: "import_rows_pk", columns: [t.importId, t.number] }),
    index("import_rows_group").on(t.importId, t.group, t.number),
    index("import_rows_patient").on(t.clinicPatientId).where(sql`${t.clinicPatientId} is not null`),
    index("import_rows_appointment").on(t.appointmentId).where(sql`${t.appointmentId} is not null`),
  ],
);
ofPatients(importRows, {
  section: null,
  owner: { by: "clinicPatientId", of: clinicPatients },
  removed: {
    ...hidden("importId number group reason content likeId likeRow decision decidedDoctorId outcome"),
    ...hidden("clinicPatientId pastAppointmentId appointmentId accountId merged"),
    doctorName: { name: null, clear: "the name of a doctor" },
  },
});

/** A file that a clinic takes away. A job makes it; the link expires. */
export const clinicExports = pgTable(
  "clinic_exports",
  {
    id: id(),
    ...ofClinic(),
    kind: text({ enum: EXPORT_KINDS }).notNull(),
    format: text({ enum: EXPORT_FORMATS }).notNull(),
    /** null: the job has not finished. */
    fileId: uuid().references(() => files.id, { onDelete: "set null" }),
    rowCount: integer().notNull().default(0),
    createdBy: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
    finishedAt: at(),
    expiresAt: at().notNull(),
  },
  (t) => [
    index("clinic_exports_hospital").on(t.hospitalId, t.createdAt),
    index("clinic_exports_doctor").on(t.doctorId, t.createdAt),
    index("clinic_exports_expired").on(t.expiresAt),
    check("clinic_exports_of_one", sql`num_nonnulls(${t.hospitalId}, ${t.doctorId}) = 1`),
  ],
);
ofNoPatient(clinicExports);

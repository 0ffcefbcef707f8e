import { sql } from "drizzle-orm";
import { type AnyPgColumn, check, date, foreignKey, index, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { type Gender, VISIT_DOCUMENT_KINDS, VISIT_DOCUMENT_STATES } from "#app/lib/vocabulary.ts";
import { appointments } from "./appointments.ts";
import { practices } from "./clinic.ts";
import { at, createdAt, id, sealedJson, sealedText } from "./columns.ts";
import { doctors, patients } from "./people.ts";
import { hidden, LAW, ofNoPatient, ofPatients, shown } from "./policy.ts";
import { queueEntries } from "./waiting-room.ts";

/** `birthDate`: where it is known. Older rows lack it. */
export type VisitPatient = { name: string; age: number | null; birthDate?: string | null; gender: Gender | null };

/** A medicine as the doctor typed it. The texts of a draft may be incomplete. */
export type DraftLine = {
  name: string;
  brand: string;
  strength: string;
  form: string;
  route: string;
  morning: string;
  noon: string;
  evening: string;
  night: string;
  every: string;
  food: string;
  days: string;
  quantity: string;
  asNeeded: string;
  substitution: string;
  words: string;
};
/** The unsigned form of a visit. */
export type VisitDraft = {
  complaint: string;
  findings: string;
  diagnosis: string;
  diagnosisCode: string;
  allergies: string;
  /** "on": the doctor ticked that there is no known allergy. */
  noAllergies?: string;
  conditions: string;
  lines: DraftLine[];
  /** Keys of domains/visit/medicines/advice.ts. */
  advice: string[];
  adviceWords: string;
  followUp: string;
  followUpDate: string;
  /** The patient's language on the prescription. */
  language: string;
  /** Typed where the queue has none. */
  patientAge: string;
  /** Older drafts lack it. */
  patientBirthDate?: string;
  patientGender: string;
  /** The medicines that the doctor wants twice, as twiceIn returns them. */
  twice?: string;
  /** The page that saved last, and how many times it had saved: its own late posts are no conflict. */
  page?: string;
  turn?: number;
};
/** The unsigned form of a certificate. */
export type CertificateDraft = { type: string; from: string; until: string; words: string };

/** The unsigned form of an order of tests. */
export type OrderDraft = { tests: string[]; words: string };

/** Why the doctor signed medicines that share a name with a written allergy. */
export type SignedAnyway = { because: string; of: { allergy: string; medicine: string }[] };

/** What the doctor noted beside the prescription. */
export type NoteContent = Pick<
  VisitDraft,
  "complaint" | "findings" | "diagnosis" | "diagnosisCode" | "allergies" | "noAllergies" | "conditions"
> & { signedAnyway?: SignedAnyway };

/** A consultation. Its id is that of its appointment, or of the queue entry of a patient without one. */
export const encounters = pgTable(
  "encounters",
  {
    id: uuid().primaryKey(),
    doctorId: uuid()
      .notNull()
      .references(() => doctors.id),
    practiceId: uuid().notNull(),
    /** The account, when there is one. */
    patientId: uuid().references(() => patients.id),
    appointmentId: uuid().references(() => appointments.id),
    queueEntryId: uuid().references(() => queueEntries.id),
    date: date({ mode: "string" }).notNull(),
    /** A keyed hash of account (or phone) and name: finds the earlier visits of one patient of a family. */
    personKey: text().notNull(),
    patient: sealedJson<VisitPatient>().notNull(),
    /** Of the signed prescription. */
    followUpOn: date({ mode: "string" }),
    /** The day of the next visit that the patient was reminded of. */
    followUpReminded: date({ mode: "string" }),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (t) => [
    foreignKey({ name: "encounters_practice", columns: [t.practiceId, t.doctorId], foreignColumns: [practices.id, practices.doctorId] }),
    index("encounters_person").on(t.doctorId, t.personKey, t.date),
    index("encounters_patient").on(t.patientId, t.date),
    index("encounters_follow_up").on(t.followUpOn).where(sql`${t.followUpOn} is not null`),
    check("encounters_id", sql`${t.id} = coalesce(${t.appointmentId}, ${t.queueEntryId})`),
    check("encounters_of_one", sql`num_nonnulls(${t.appointmentId}, ${t.queueEntryId}) = 1`),
  ],
);
ofPatients(encounters, {
  section: "visits",
  owner: "patientId",
  stays: {
    ...shown("id date patient followUpOn followUpReminded"),
    ...hidden("doctorId practiceId patientId appointmentId queueEntryId personKey updatedAt"),
    createdAt: "at",
  },
  why: LAW.records,
});

/**
 * A prescription, a certificate or an order of tests. `content` is the canonical JSON that `signature` covers, sealed under the row's own key: a trigger refuses
 * changes of a signed row, except the end of its validity and a new sealing of `dataKey` (app/domains/visit/documents).
 */
export const visitDocuments = pgTable(
  "visit_documents",
  {
    id: id(),
    encounterId: uuid()
      .notNull()
      .references(() => encounters.id),
    kind: text({ enum: VISIT_DOCUMENT_KINDS }).notNull(),
    /** Transitions: domains/visit/documents/visit-document.state.ts. */
    state: text({ enum: VISIT_DOCUMENT_STATES }).notNull().default("draft"),
    /** The document that this one corrects: superseded when this one is signed. */
    replaces: uuid().references((): AnyPgColumn => visitDocuments.id),
    draft: sealedJson<VisitDraft | CertificateDraft | OrderDraft>(),
    /** Counts the savings of the draft, so that a second tab is noticed. */
    version: integer().notNull().default(0),
    /** The public code of `/rx/{code}`, without dashes. */
    code: text(),
    dataKey: sealedText(),
    content: sealedText("row"),
    /** Of the content, hex. */
    sha256: text(),
    /** Ed25519, base64url, and the id of its key. */
    signature: text(),
    keyId: text(),
    signedAt: at(),
    /** When it was superseded, cancelled or discarded. */
    endedAt: at(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (t) => [
    uniqueIndex("visit_documents_code").on(t.code),
    uniqueIndex("visit_documents_one_draft").on(t.encounterId, t.kind).where(sql`${t.state} = 'draft'`),
    uniqueIndex("visit_documents_one_prescription").on(t.encounterId).where(sql`${t.state} = 'signed' and ${t.kind} = 'prescription'`),
    uniqueIndex("visit_documents_one_successor").on(t.replaces).where(sql`${t.state} not in ('draft', 'discarded')`),
    index("visit_documents_encounter").on(t.encounterId, t.signedAt),
    check("visit_documents_draft", sql`(${t.state} = 'draft') = (${t.draft} is not null)`),
    check(
      "visit_documents_signed",
      sql`num_nonnulls(${t.code}, ${t.dataKey}, ${t.content}, ${t.sha256}, ${t.signature}, ${t.keyId}, ${t.signedAt}) = case when ${t.state} in ('draft', 'discarded') then 0 else 7 end`,
    ),
    check("visit_documents_ended", sql`(${t.state} in ('superseded', 'cancelled', 'discarded')) = (${t.endedAt} is not null)`),
  ],
);
ofPatients(visitDocuments, {
  section: "signedDocuments",
  owner: { by: "encounterId", of: encounters },
  // Triggers refuse changes of what is signed.
  may: ["SELECT", "INSERT", "UPDATE"],
  emptied: hidden("draft"),
  stays: {
    ...shown("id kind state code content sha256 signature keyId signedAt endedAt"),
    ...hidden("replaces version dataKey createdAt updatedAt"),
    encounterId: "visitId",
  },
  why: LAW.records,
});

/** The note that was signed with a prescription. Never printed and never changed. */
export const visitNotes = pgTable("visit_notes", {
  documentId: uuid()
    .primaryKey()
    .references(() => visitDocuments.id),
  dataKey: sealedText().notNull(),
  content: sealedJson<NoteContent>("row").notNull(),
  signedAt: createdAt(),
});
ofPatients(visitNotes, {
  section: "signedDocuments",
  owner: { by: "documentId", of: visitDocuments },
  // Triggers refuse changes of what is signed.
  may: ["SELECT", "INSERT", "UPDATE"],
  stays: {
    ...hidden("documentId dataKey signedAt"),
    content: "note",
  },
  why: LAW.records,
});

/** Medicines that a doctor adds with one press. */
export const medicineFavourites = pgTable(
  "medicine_favourites",
  {
    id: id(),
    doctorId: uuid()
      .notNull()
      .references(() => doctors.id, { onDelete: "cascade" }),
    line: sealedJson<DraftLine>().notNull(),
    createdAt: createdAt(),
  },
  (t) => [index("medicine_favourites_doctor").on(t.doctorId, t.createdAt)],
);
ofNoPatient(medicineFavourites);

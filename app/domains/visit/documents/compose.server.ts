import { eq } from "drizzle-orm";
import { doctors, hospitals, practices, type VisitDraft } from "#app/db/schema/index.ts";
import { placeOfPractice } from "#app/db/schema/place-of-practice.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { ageField, birthDateOn } from "#app/domains/platform/users/age.schema.ts";
import { ageOn, type DateKey, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import type { Language } from "#app/lib/language.ts";
import { GENDERS, type Gender } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { type AllergyStop, findStops } from "../allergies/allergy-stops.ts";
import { readKnownAllergies } from "../allergies/known-allergies.server.ts";
import { readAllergies } from "../allergies/known-allergies.ts";
import { twiceIn } from "../allergies/medicine-names.ts";
import { followUpOf, LINE_FIELDS } from "../encounters/draft.ts";
import { ageOfVisit, type OwnVisit } from "../encounters/own-visit.server.ts";
import { formOf, isEmptyLine, type MedicineLine, readLine } from "../medicines/line.ts";
import { problemWord } from "../medicines/problem-words.ts";
import type { PrescriptionContent, SignedContent } from "./content.ts";
import type { SignAtOnceInput } from "./sign-at-once.schema.ts";

export type Fields = Record<string, string[]>;
/** What every signed document of a visit names: doctor, place, patient. */
type Heads = Pick<SignedContent, "v" | "visitId" | "date" | "doctor" | "place" | "patient" | "language">;

/** Returns doctor, place and patient of a document, with the fields that are missing for a signature. */
export async function composeHeads(
  ctx: Pick<Ctx, "db">,
  visit: OwnVisit,
  typed: { patientAge: string; patientBirthDate?: string; patientGender: string; language: string },
): Promise<{ heads: Heads; missing: Fields }> {
  const [row] = await selectDoctorAndPlace(ctx, visit.practiceId);
  const missing: Fields = {};
  const qualification = (row?.qualifications ?? [])
    .map(({ degree }) => degree.trim())
    .filter(Boolean)
    .join(", ");
  const doctor = {
    id: visit.doctorId,
    name: row?.name.trim() ?? "",
    qualification,
    council: row?.council ?? "",
    registration: row?.number ?? "",
  };
  if (!doctor.name || !qualification || !doctor.registration || row?.status !== "verified") missing.doctor = [m.visit_doctor_incomplete()];
  const typedBirthDate = readBirthDate(typed.patientBirthDate ?? "", visit.date);
  const patient = {
    name: visit.patient.name.trim(),
    ...(ageOfVisit(visit) === null
      ? { age: typedBirthDate ? ageOn(typedBirthDate, visit.date) : readAge(typed.patientAge), birthDate: typedBirthDate }
      : {
          age: visit.patient.birthDate ? ageOn(visit.patient.birthDate, visit.date) : visit.patient.age,
          birthDate: visit.patient.birthDate,
        }),
    gender: visit.patient.gender ?? readGender(typed.patientGender),
  };
  if (!patient.name) missing.patient = [m.visit_patient_missing()];
  if (ageOfVisit(visit) === null && typedBirthDate === undefined) missing.patient_birth_date = [m.own_birth_invalid()];
  else if (patient.age === null) missing.patient_age = [m.visit_age_missing()];
  if (patient.gender === null) missing.patient_gender = [m.visit_gender_missing()];
  const place =
    row?.place == null
      ? null
      : {
          name: row.place,
          address: addressOf([row.address, row.area, row.city, row.pinCode]),
          phone: row.phone,
        };
  return {
    heads: {
      v: 1,
      visitId: visit.id,
      date: visit.date,
      doctor,
      place,
      patient: {
        name: patient.name,
        age: patient.age ?? 0,
        ...(patient.birthDate && { birthDate: patient.birthDate }),
        gender: patient.gender ?? "other",
      },
      language: typed.language as Language,
    },
    missing,
  };
}

const selectDoctorAndPlace = (ctx: Pick<Ctx, "db">, practiceId: string) =>
  ctx.db
    .select({
      name: doctors.fullName,
      qualifications: doctors.qualifications,
      council: doctors.councilName,
      number: doctors.councilNumber,
      status: doctors.registrationStatus,
      place: hospitals.name,
      address: hospitals.address,
      area: hospitals.area,
      city: hospitals.city,
      pinCode: hospitals.pinCode,
      phone: hospitals.phone,
    })
    .from(practices)
    .innerJoin(doctors, eq(doctors.id, practices.doctorId))
    .leftJoin(hospitals, eq(hospitals.id, placeOfPractice))
    .where(eq(practices.id, practiceId));

/**
 * Returns doctor, place and patient of a document that is signed without a draft.
 * @throws DomainError("invalid") with what is missing: by field, or in one sentence where the form has no field for it
 */
export async function requireHeads(ctx: Ctx, visit: OwnVisit, input: SignAtOnceInput): Promise<Heads> {
  const { heads, missing } = await composeHeads(ctx, visit, {
    patientAge: input.age ?? "",
    patientBirthDate: input.dateOfBirth ?? "",
    patientGender: input.gender ?? "",
    language: input.language ?? visit.language,
  });
  const { doctor, patient, patient_age: age, patient_birth_date: dateOfBirth, patient_gender: gender } = missing;
  const elsewhere = doctor ?? patient;
  if (elsewhere) throw new DomainError("invalid", elsewhere[0]);
  if (age || dateOfBirth || gender)
    throw new DomainError("invalid", undefined, {
      fields: { ...(age && { age }), ...(dateOfBirth && { dateOfBirth }), ...(gender && { gender }) },
    });
  return heads;
}

/** Joins the parts of an address. A part that the address names already is left out. */
const addressOf = (parts: (string | null)[]): string =>
  parts.reduce<string>(
    (text, part) => (!part || text.toLowerCase().includes(part.toLowerCase()) ? text : text ? `${text}, ${part}` : part),
    "",
  );

const readAge = (typed: string): number | null => ageField.safeParse(typed).data ?? null;
/** undefined: not a birth date. null: none was typed. */
function readBirthDate(typed: string, today: DateKey): DateKey | null | undefined {
  const read = birthDateOn(today).safeParse(typed);
  return read.success ? (read.data ?? null) : undefined;
}

const readGender = (typed: string): Gender | null => GENDERS.find((one) => one === typed) ?? null;

/** Everything that is signed of a prescription, but the parts that signing adds. */
export type Unsigned = Omit<PrescriptionContent, "id" | "code" | "signedAt" | "replaces" | "signedAnyway">;

/**
 * Returns what a signature of the draft would cover, what is missing or wrong by field, and the medicines that share a name with a written
 * allergy: they need a reason.
 */
export async function composePrescription(
  ctx: Ctx<Actor>,
  visit: OwnVisit,
  draft: VisitDraft,
): Promise<{ content: Unsigned; fields: Fields; stops: AllergyStop[] }> {
  const { heads, missing: fields } = await composeHeads(ctx, visit, draft);
  const lines: MedicineLine[] = [];
  draft.lines.forEach((typed, i) => {
    if (isEmptyLine(typed)) return;
    const read = readLine(typed);
    if (!read.problems) lines.push(read.line);
    else
      for (const [field, problem] of Object.entries(read.problems))
        fields[LINE_FIELDS[field as keyof typeof LINE_FIELDS](i + 1)] = [problemWord(problem, formOf(typed.form))];
  });
  const twice = twiceIn(lines).join("; ");
  if (twice && twice !== draft.twice) fields.twice = [twice];
  const followUpOn = followUpOf(draft, todayInIndia(ctx.now));
  if (followUpOn === undefined) fields.follow_up_date = [m.visit_follow_up_malformed()];
  const { what: allergies, none } = readAllergies(draft);
  if (allergies && draft.noAllergies === "on") fields.no_allergies = [m.visit_none_contradiction()];
  const known = await readKnownAllergies(ctx, visit);
  const written = allergies || known.written.length > 0;
  const content: Unsigned = {
    ...heads,
    kind: "prescription",
    allergies,
    noneKnown: none ? { by: heads.doctor.name, on: todayInIndia(ctx.now) } : written ? null : known.noneKnown,
    diagnosis: draft.diagnosis.trim(),
    diagnosisCode: draft.diagnosisCode.trim(),
    lines,
    advice: draft.advice,
    adviceWords: draft.adviceWords.trim(),
    followUpOn: followUpOn ?? null,
  };
  if (!lines.length && !content.diagnosis && !content.adviceWords && !content.advice.length && !Object.keys(fields).length)
    fields[LINE_FIELDS.name(1)] = [m.visit_nothing_to_sign()];
  return { content, fields, stops: findStops(allergies, known.written, lines) };
}

import { isDeepStrictEqual } from "node:util";
import { and, eq, inArray, isNotNull, ne, not, or, sql } from "drizzle-orm";
import { violatedConstraint } from "#app/db/client.server.ts";
import { DOCUMENT_KINDS, type DocumentKind, doctorBankAccounts, doctorDocuments, doctors, files, hospitals } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { moveCase } from "#app/domains/credentials/cases/move-case.server.ts";
import { identityHash, identityHashes, lastingHash } from "#app/domains/credentials/identity/identity-hash.server.ts";
import { last4Of, macOf, macsOf, openNumber, sealNumber } from "#app/domains/credentials/identity/numbers.server.ts";
import { requireOpenBank } from "#app/domains/platform/accounts/bank-lock.server.ts";
import { requireProof } from "#app/domains/platform/accounts/proof.ts";
import { findPlace } from "#app/domains/platform/location/queries.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { hospitalForCase } from "../hospitals/lock-hospital.server.ts";
import { answerOf, listOwnDocuments } from "./documents.server.ts";
import { bankStepOf, type DraftStepName, hospitalStepOf, professionalStepOf } from "./draft.ts";
import { getDraft, refuseStale, type Writer } from "./draft-store.server.ts";
import { findHospitalOption } from "./hospital-options.server.ts";
import { proposeHospital } from "./propose-hospital.server.ts";
import { type BankStep, feeInPaise, type HospitalStep, type ProfessionalStep } from "./verification.schema.ts";

/** The incomplete step, in the `detail` of an error. */
export type MissingStep = { step: DraftStepName };
const missing = (step: DraftStepName, sentence: string) => new DomainError("invalid", sentence, { detail: { step } satisfies MissingStep });

/** Unique numbers of a doctor. The error reveals neither the number nor its owner. */
const TAKEN = ["doctors_council", "doctors_aadhaar", "doctors_pan"];

const taken = (cause?: unknown) => new DomainError("conflict", m.application_taken(), { cause });

/** Required images, each with the error for a missing one. */
export const REQUIRED_IMAGES: readonly (readonly [DocumentKind, () => string])[] = [
  ["profileImage", () => m.application_profile_image_required()],
  ["identityDocument", () => m.application_identity_required()],
  ["medicalCouncilCertificate", () => m.application_certificate_required()],
  ["qualificationCertificates", () => m.application_certificates_missing()],
];

/**
 * Submits the acting doctor's application in one transaction: validates every step again, writes the profile, attaches the
 * documents and notifies the hospital's reviewers. Idempotent.
 * @param writer the page that sent the last step: changes by another page since are a conflict
 * @throws DomainError("invalid") with a `MissingStep`, "conflict" for a number that another doctor has, "unproven" for changed
 * bank details without a fresh proof
 */
export async function submitVerification(ctx: Ctx<Actor>, writer: Writer): Promise<void> {
  try {
    await transact(ctx, (tx) => submit(tx, writer));
  } catch (error) {
    if (TAKEN.includes(violatedConstraint(error) ?? "")) throw taken(error);
    throw error;
  }
}

async function submit(tx: Ctx<Actor>, writer: Writer): Promise<void> {
  const doctorId = tx.actor.userId;
  const [doctor] = await tx.db.select().from(doctors).where(eq(doctors.id, doctorId)).for("update");
  if (!doctor) throw new DomainError("not-found", m.application_doctor_missing());
  const { registrationStatus: status } = doctor;
  if (status === "under review by hospital" || status === "pending admin approval" || status === "verified") return;
  const draft = await getDraft(tx);
  const documents = await listOwnDocuments(tx);
  const hospital = hospitalStepOf(draft.steps.hospital);
  if (!hospital) throw missing("hospital", m.application_hospital_incomplete());
  const professional = professionalStepOf(draft.steps.professional, todayInIndia(tx.now));
  if (!professional) throw missing("professional", m.application_professional_incomplete());
  for (const [kind, sentence] of REQUIRED_IMAGES) if (!answerOf(documents, kind)) throw missing("professional", sentence());
  const bank = bankStepOf(draft.steps.bank);
  if (!bank) throw missing("bank", m.error_invalid());
  refuseStale(draft, ["hospital", "professional"], writer);
  await refuseTakenNumbers(tx, professional);

  await guardChangedBank(tx, bank);
  const hospitalId = await hospitalIdOf(tx, hospital, professional);
  const photoFileId = documents.find((document) => document.kind === "profileImage")?.fileId ?? null;
  // The state table refuses an application that is not a draft (rejected, suspended).
  const profile = await profileOf(tx, professional);
  await moveCase(tx, {
    doctorId,
    action: "submit",
    set: { ...profile, ...(await placeOf(tx, professional, hospitalId)), hospitalId, photoFileId },
  });
  const account = {
    bankName: bank.bankName,
    bankBranch: bank.bankBranch,
    accountHolderName: bank.accountHolderName,
    ifscCode: bank.ifscCode,
    accountSealed: sealNumber("account", doctorId, bank.accountNumber),
    accountLast4: last4Of(bank.accountNumber),
    updatedAt: tx.now,
  };
  await tx.db
    .insert(doctorBankAccounts)
    .values({ doctorId, ...account })
    .onConflictDoUpdate({ target: doctorBankAccounts.doctorId, set: account });
  // A hash from before `rehashNumbers` does not mean another number.
  const before = { ...doctor, aadhaarMac: await lastingHash(tx.db, doctor) };
  await resetDecisions(tx, doctorId, hospitalId === doctor.hospitalId ? changedKinds(before, profile) : DOCUMENT_KINDS);
  await tx.db
    .update(files)
    .set({ status: "attached" })
    .where(
      inArray(
        files.id,
        documents.map((document) => document.fileId),
      ),
    );
}

/**
 * Guards bank details that differ from the last submission.
 * @throws DomainError("forbidden") in the day after a password reset, "unproven" without a fresh proof
 */
async function guardChangedBank(tx: Ctx<Actor>, bank: BankStep): Promise<void> {
  const doctorId = tx.actor.userId;
  const [before] = await tx.db.select().from(doctorBankAccounts).where(eq(doctorBankAccounts.doctorId, doctorId));
  if (!before) return;
  const isSame =
    (["bankName", "bankBranch", "accountHolderName", "ifscCode"] as const).every((name) => before[name] === bank[name]) &&
    openNumber("account", doctorId, before.accountSealed) === bank.accountNumber;
  if (isSame) return;
  await requireOpenBank(tx);
  requireProof(tx, "change-bank-account");
}

/**
 * Starts the hospital's review. Documents accepted before preserve their decision. Documents requested again, and the kinds in
 * `reset`, are undecided.
 */
async function resetDecisions(tx: Ctx<Actor>, doctorId: string, reset: readonly DocumentKind[]): Promise<void> {
  const of = doctorDocuments;
  const mine = eq(of.doctorId, doctorId);
  const accepted = or(eq(of.decision, "matches"), and(eq(of.decision, "undecided"), isNotNull(of.hospitalDecidedAt)));
  const lost = reset.length ? inArray(of.kind, [...reset]) : undefined;
  await tx.db
    .update(of)
    .set({ decision: "undecided", reason: null, decidedBy: null, decidedAt: null, hospitalDecidedBy: null, hospitalDecidedAt: null })
    .where(and(mine, or(lost, not(accepted ?? sql`false`))));
  await tx.db
    .update(of)
    .set({
      decision: "matches",
      decidedBy: sql`coalesce(${of.hospitalDecidedBy}, ${of.decidedBy})`,
      decidedAt: sql`coalesce(${of.hospitalDecidedAt}, ${of.decidedAt})`,
      hospitalDecidedBy: null,
      hospitalDecidedAt: null,
    })
    .where(and(mine, accepted));
}

/** Returns the kinds of documents whose facts the doctor changed: reviewers have to compare the same image again. */
function changedKinds(before: typeof doctors.$inferSelect, now: Awaited<ReturnType<typeof profileOf>>): DocumentKind[] {
  const facts = {
    profileImage: ["fullName", "dateOfBirth", "gender"],
    identityDocument: ["fullName", "dateOfBirth", "aadhaarMac"],
    medicalCouncilCertificate: ["fullName", "councilName", "councilNumber", "councilYear"],
    qualificationCertificates: ["fullName", "qualifications"],
  } as const satisfies Record<DocumentKind, readonly (keyof typeof now)[]>;
  return DOCUMENT_KINDS.filter((kind) => facts[kind].some((fact) => !isDeepStrictEqual(before[fact], now[fact])));
}

/** Throws a conflict for a number of another doctor that is hashed under an older key. The unique indexes refuse the others. */
async function refuseTakenNumbers(tx: Ctx<Actor>, { aadhaarNumber: aadhaar, panNumber: pan }: ProfessionalStep): Promise<void> {
  const same = or(
    aadhaar ? inArray(doctors.aadhaarMac, await identityHashes(tx.db, aadhaar)) : undefined,
    pan ? inArray(doctors.panMac, macsOf("pan", pan)) : undefined,
  );
  if (!same) return;
  const [other] = await tx.db
    .select({ id: doctors.id })
    .from(doctors)
    .where(and(ne(doctors.id, tx.actor.userId), same))
    .limit(1);
  if (other) throw taken();
}

/** Returns the doctor's columns of step 2. */
async function profileOf(tx: Ctx<Actor>, step: ProfessionalStep) {
  const doctorId = tx.actor.userId;
  const { aadhaarNumber: aadhaar, panNumber: pan } = step;
  return {
    fullName: step.fullName,
    gender: step.gender,
    dateOfBirth: step.dateOfBirth,
    // Upper case, so that "ap/123" and "AP/123" are the same registration.
    councilNumber: step.medicalCouncilRegistrationNumber.toUpperCase(),
    councilName: step.medicalCouncilName,
    councilYear: step.yearOfRegistration,
    primarySpecialization: step.primarySpecialization,
    additionalSpecializations: step.additionalSpecializations ?? "",
    category: step.category,
    experienceYears: step.experienceYears,
    consultationFee: feeInPaise(step),
    about: step.about,
    languages: step.languages,
    qualifications: step.qualifications.map((q) => ({
      degree: q.degree,
      universityCollege: q.universityCollege ?? "",
      year: q.year ?? null,
    })),
    aadhaarSealed: aadhaar ? sealNumber("aadhaar", doctorId, aadhaar) : null,
    aadhaarMac: aadhaar ? await identityHash(tx.db, aadhaar) : null,
    aadhaarLast4: aadhaar ? last4Of(aadhaar) : null,
    panSealed: pan ? sealNumber("pan", doctorId, pan) : null,
    panMac: pan ? macOf("pan", pan) : null,
    panLast4: pan ? last4Of(pan) : null,
  };
}

async function hospitalIdOf(tx: Ctx<Actor>, step: HospitalStep, professional: ProfessionalStep): Promise<string> {
  const meant =
    step.mode === "manual"
      ? await proposeHospital(tx, {
          name: step.hospitalName,
          address: step.hospitalAddress,
          contact: step.contactNumber,
          own: step.own === "on",
          city: professional.city,
          state: professional.state,
        })
      : (await findHospitalOption(tx, step.hospitalId))?.id;
  // Locked until the application is in it, to serialize with a merge or a refusal of the hospital.
  const hospital = meant ? await hospitalForCase(tx, meant).catch(refusalAsNone) : null;
  if (!hospital) throw missing("hospital", m.application_hospital_gone());
  return hospital.id;
}
const refusalAsNone = (error: unknown): null => {
  if (error instanceof DomainError) return null;
  throw error;
};

/** Returns the doctor's coordinates for "near you": of the city, or of the hospital if the city is not listed. */
async function placeOf(tx: Ctx<Actor>, step: ProfessionalStep, hospitalId: string) {
  const [hospital] = await tx.db
    .select({ area: hospitals.area, city: hospitals.city, latitude: hospitals.latitude, longitude: hospitals.longitude })
    .from(hospitals)
    .where(eq(hospitals.id, hospitalId));
  const city = await findPlace(tx, step.city, step.state);
  const [latitude, longitude] = city ? [city.latitude, city.longitude] : [hospital?.latitude ?? null, hospital?.longitude ?? null];
  const name = city?.name ?? step.city;
  return {
    city: name,
    state: city?.state ?? step.state,
    area: hospital && hospital.city === name ? hospital.area : "",
    latitude,
    longitude,
  };
}

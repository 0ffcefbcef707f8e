import { z } from "zod";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { isDocumentKind, newPage } from "#app/domains/credentials/application/application-form.server.ts";
import { DOCUMENT_CHOICES } from "#app/domains/credentials/application/choices.ts";
import {
  answerOf,
  attachDocument,
  listOwnDocuments,
  type StoredDocument,
  storeDocument,
} from "#app/domains/credentials/application/documents.server.ts";
import {
  BANK_FIELDS,
  type BankTyped,
  type HospitalTyped,
  type OwnDocument,
  PROFESSIONAL_FIELDS,
  type ProfessionalTyped,
} from "#app/domains/credentials/application/draft.ts";
import { getDraft, saveDraftStep } from "#app/domains/credentials/application/draft-store.server.ts";
import { getOwnCase, getPublicStatus } from "#app/domains/credentials/application/own-case.server.ts";
import { reviseVerification } from "#app/domains/credentials/application/revise-verification.server.ts";
import { REQUIRED_IMAGES, submitVerification } from "#app/domains/credentials/application/submit-verification.server.ts";
import { BankStepSchema, HospitalStepSchema, professionalStepOn } from "#app/domains/credentials/application/verification.schema.ts";
import { statusWord } from "#app/domains/credentials/cases/words.ts";
import { getDoctorName } from "#app/domains/directory/doctors/queries.server.ts";
import { ApiProofSchema } from "#app/domains/platform/accounts/accounts.schema.ts";
import { removeUnusedFiles } from "#app/domains/platform/files/remove-unused-files.server.ts";
import { MAX_CERTIFICATES, MAX_IMAGE_BYTES } from "#app/domains/platform/files/upload-limits.ts";
import { spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import { endpoint } from "#app/http/api/endpoint.ts";
import { proveCall } from "#app/http/api/prove-call.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { Done, done, Id, jsonText, RegistrationStatus } from "./wire.ts";

const group = "A doctor's application";
const text = z.string().optional();
const file = z.string().optional();
/** A list as JSON, or as text with commas. */
const list = z
  .preprocess((value) => {
    if (typeof value !== "string") return value;
    if (!value.trim().startsWith("[")) return value.split(/[,;\n]/).map((one) => one.trim());
    try {
      return JSON.parse(value) as unknown;
    } catch {
      return [];
    }
  }, z.array(z.string()))
  .optional();
const amount = z.union([z.string(), z.number()]).optional();

export const getVerificationStatus = endpoint({
  method: "GET",
  path: "/api/doctor/verification-status/{doctorId}",
  group,
  summary: "Returns the status of a doctor's application.",
  about:
    "The answer contains the status and nothing else: no reasons, names or documents. An application that is not submitted yet is shown to its doctor's token only, otherwise the answer is 404. Calls are limited per IP address.",
  who: "everybody",
  params: z.object({ doctorId: z.uuid() }),
  answer: z.object({ success: z.literal(true), registrationStatus: RegistrationStatus, doctorId: Id }),
  async run({ ctx, params: { doctorId } }) {
    await spendLimits(ctx, [{ limit: "verification-status", address: ctx.ip }]);
    return { success: true as const, registrationStatus: await getPublicStatus(ctx, doctorId), doctorId };
  },
});

export const verifyDoctor = endpoint({
  method: "POST",
  path: "/api/doctor/verify-doctor",
  group,
  summary: "Submits a doctor's application: hospital, profession, bank account and pictures of the documents.",
  about:
    "Call it with the token of the doctor whose id is in `doctorId`. Send `hospital_hospitalId` for a listed hospital, or the name, address and contact of another one. A rejected application is reopened and submitted again, with the certificates sent before. New bank details need a proof of identity from the last 5 minutes, otherwise the answer is 403 (see POST /api/auth/proof/send-otp).",
  who: ["doctor"],
  query: z.object({ doctorId: z.string().optional() }),
  body: z.object({
    verification: z.literal("pending", { error: () => m.api_verification_failed() }).optional(),
    hospital_hospitalId: text,
    hospital_hospitalName: text,
    hospital_name: text,
    hospital_hospitalAddress: text,
    hospital_address: text,
    hospital_contactNumber: text,
    hospital_contact: text,
    hospital_isManualEntry: z.union([z.string(), z.boolean()]).optional(),
    fullName: text,
    gender: text,
    dateOfBirth: text,
    medicalCouncilRegistrationNumber: text,
    medicalCouncilName: text,
    yearOfRegistration: amount,
    primarySpecialization: text,
    additionalSpecializations: list,
    category: text,
    experienceYears: amount,
    consultationFee: amount,
    about: text,
    aadhaarNumber: text,
    panNumber: text,
    languages: list,
    location: jsonText(z.object({ city: text, state: text }).optional()),
    city: text,
    state: text,
    qualifications: jsonText(z.array(z.object({ degree: text, universityCollege: text, year: amount.nullable() })).optional()),
    bank_bankName: text,
    bank_accountNumber: text,
    bank_ifscCode: text,
    bank_accountHolderName: text,
    bank_bankBranch: text,
    proof: jsonText(ApiProofSchema),
    profileImage: file,
    identityDocument: file,
    medicalCouncilCertificate: file,
    qualificationCertificates: z.array(z.string()).optional(),
  }),
  // As the page (routes/onboarding/doctor-verification.tsx).
  uploadMb: 96,
  files: {
    names: DOCUMENT_CHOICES,
    many: ["qualificationCertificates"],
    rules: (ctx) => ({
      field: DOCUMENT_CHOICES,
      maxFiles: DOCUMENT_CHOICES.length - 1 + MAX_CERTIFICATES,
      maxFileSize: 2 * MAX_IMAGE_BYTES,
      onFile: async ({ bytes, fieldName }) => {
        if (!isDocumentKind(fieldName)) throw new DomainError("invalid");
        const stored = await storeDocument(ctx, { kind: fieldName, bytes });
        received.set(ctx, [...(received.get(ctx) ?? []), stored]);
        return fieldName;
      },
    }),
  },
  answer: Done.extend({
    token: z.string().meta({ description: "The caller's own." }).optional(),
    doctorId: Id,
    registrationStatus: RegistrationStatus,
    doctor: z.object({
      _id: Id,
      id: Id,
      doctorId: Id,
      fullName: z.string(),
      registrationStatus: RegistrationStatus,
      verified: z.boolean(),
    }),
  }),
  creates: true,
  sentences: {
    noToken: () => m.application_doctor_missing(),
    badToken: () => m.application_doctor_missing(),
    wrongRole: () => m.api_not_own_application(),
    failed: () => m.application_submit_failed(),
  },
  async ended(ctx) {
    const images = received.get(ctx) ?? [];
    await removeUnusedFiles(
      ctx,
      images.map(({ fileId }) => fileId),
    );
  },
  finish: (body, { token }) => ({ ...(body as object), token }),
  async before({ ctx, query, key }) {
    if (!query.doctorId) throw new DomainError("invalid", m.application_doctor_missing());
    if (query.doctorId !== ctx.actor.userId) throw new DomainError("forbidden", m.api_not_own_application());
    // A repeated call with its key gets its first answer, so only `run` refuses it.
    if (key === null) await refuseSubmitted(ctx);
  },
  async run({ ctx: caller, body, tokenHash }) {
    await refuseSubmitted(caller);
    const ctx = await proveCall(caller, tokenHash, body.proof);
    const steps = stepsOf(body);
    // All of it or nothing: a refused call stores neither steps nor images, and a rejected case stays rejected.
    await transact(ctx, async (tx) => {
      // "Re-submit Verification" of the page, and the submission, are one call here.
      if ((await getOwnCase(tx)).status === "rejected") await reviseVerification(tx);
      const images = received.get(caller) ?? [];
      refuseIncomplete(steps, todayInIndia(tx.now), images, await listOwnDocuments(tx));
      for (const image of images) await attachDocument(tx, image);
      const writer = { version: (await getDraft(tx)).version, page: newPage(), turn: 0 };
      await saveDraftStep(tx, "hospital", writer, steps.hospital);
      await saveDraftStep(tx, "professional", writer, steps.professional);
      await saveDraftStep(tx, "bank", writer, steps.bank);
      await submitVerification(tx, writer);
    });
    const id = ctx.actor.userId;
    const { status } = await getOwnCase(ctx);
    return {
      ...done(m.application_submitted()),
      doctorId: id,
      registrationStatus: status,
      doctor: {
        _id: id,
        id,
        doctorId: id,
        fullName: await getDoctorName(ctx),
        registrationStatus: status,
        verified: status === "verified",
      },
    };
  },
});

/** The images of a running call, by its context. */
const received = new WeakMap<Ctx<Actor>, StoredDocument[]>();

/** @throws DomainError("conflict") if the application was submitted and is not rejected */
async function refuseSubmitted(ctx: Ctx<Actor>): Promise<void> {
  const { status } = await getOwnCase(ctx);
  if (status === "under review by hospital" || status === "pending admin approval")
    throw new DomainError("conflict", m.accounts_under_review());
  if (status !== "draft" && status !== "rejected")
    throw new DomainError("conflict", m.application_wrong_state({ status: statusWord(status) }));
}

type Sent = z.output<NonNullable<typeof verifyDoctor.body>>;
type Steps = { hospital: HospitalTyped; professional: ProfessionalTyped; bank: BankTyped };

/** The names of the multipart form and the steps of the pages. */
function stepsOf(sent: Sent): Steps {
  const manual = String(sent.hospital_isManualEntry ?? "") === "true" || !sent.hospital_hospitalId;
  const textOf = (value: string | number | null | undefined) => (value === null || value === undefined ? "" : String(value));
  const named = { ...sent, city: sent.location?.city ?? sent.city, state: sent.location?.state ?? sent.state };
  const { additionalSpecializations, ...single } = named;
  const professional = Object.fromEntries(
    PROFESSIONAL_FIELDS.map((name) => [
      name,
      name === "additionalSpecializations" ? (additionalSpecializations ?? []).join(", ") : textOf(single[name]),
    ]),
  ) as Omit<ProfessionalTyped, "languages" | "qualifications">;
  return {
    hospital: {
      mode: manual ? "manual" : "select",
      hospitalId: manual ? "" : textOf(sent.hospital_hospitalId),
      hospitalName: textOf(sent.hospital_hospitalName ?? sent.hospital_name),
      hospitalAddress: textOf(sent.hospital_hospitalAddress ?? sent.hospital_address),
      contactNumber: textOf(sent.hospital_contactNumber ?? sent.hospital_contact),
    },
    professional: {
      ...professional,
      dateOfBirth: professional.dateOfBirth.slice(0, 10),
      languages: (sent.languages ?? []).filter(Boolean),
      qualifications: (sent.qualifications ?? []).map((q) => ({
        key: newPage().slice(0, 12),
        degree: textOf(q.degree),
        universityCollege: textOf(q.universityCollege),
        year: textOf(q.year),
      })),
    },
    bank: Object.fromEntries(BANK_FIELDS.map((name) => [name, textOf(sent[`bank_${name}`])])) as BankTyped,
  };
}

/** Everything that is wrong in the three steps at once, under the names it was sent by. @throws DomainError("invalid") */
function refuseIncomplete(
  { hospital, professional, bank }: Steps,
  today: string,
  images: readonly StoredDocument[],
  documents: readonly OwnDocument[],
): void {
  const missing = REQUIRED_IMAGES.filter(([kind]) => !images.some((image) => image.kind === kind) && !answerOf(documents, kind));
  const faults: [string, string][] = [
    ...issuesOf(HospitalStepSchema.safeParse(hospital), (name) => `hospital_${name}`),
    ...issuesOf(professionalStepOn(today).safeParse(professional), (name) => name),
    ...missing.map(([kind, sentence]): [string, string] => [kind, sentence()]),
    ...issuesOf(BankStepSchema.safeParse(bank), (name) => `bank_${name}`),
  ];
  if (!faults.length) return;
  const fields: Record<string, string[]> = {};
  for (const [field, sentence] of faults) fields[field] = [...(fields[field] ?? []), sentence];
  throw new DomainError("invalid", faults[0]?.[1], { fields });
}
const issuesOf = (parsed: z.ZodSafeParseResult<unknown>, name: (path: string) => string): [string, string][] =>
  parsed.success ? [] : parsed.error.issues.map((issue) => [name(issue.path.join(".")), issue.message]);

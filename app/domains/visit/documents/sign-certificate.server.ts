import { eq } from "drizzle-orm";
import { encounters } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { getOwnVisit, type OwnVisit, openEncounter } from "../encounters/own-visit.server.ts";
import type { CertificateInput } from "./certificate.schema.ts";
import { composeHeads, type Fields } from "./compose.server.ts";
import type { CertificateContent } from "./content.ts";
import { signAtOnce } from "./sign-at-once.server.ts";
import { notifyPatient } from "./sign-visit.server.ts";

type Unsigned = Omit<CertificateContent, "id" | "code" | "signedAt" | "replaces">;

/** Returns what a signature of the certificate would cover. @throws DomainError("invalid") with what is missing by field */
async function composeCertificate(ctx: Ctx, visit: OwnVisit, input: CertificateInput): Promise<Unsigned> {
  const { heads, missing } = await composeHeads(ctx, visit, {
    patientAge: input.age ?? "",
    patientGender: input.gender ?? "",
    language: input.language ?? visit.language,
  });
  const { patient_age: age, patient_gender: gender, ...rest } = missing;
  const fields: Fields = { ...rest, ...(age && { age }), ...(gender && { gender }) };
  // The form has no field for the doctor's profile and the patient's name.
  const alone = fields.doctor ?? fields.patient;
  if (alone) throw new DomainError("invalid", alone[0]);
  if (Object.keys(fields).length) throw new DomainError("invalid", undefined, { fields });
  const until = input.type === "sick-leave" ? (input.until ?? null) : null;
  return { ...heads, kind: "certificate", type: input.type, from: input.from, until, words: input.words ?? "" };
}

/** Returns the certificate of a form as it would be signed. @throws as signCertificate */
export async function previewCertificate(ctx: Ctx<Actor>, visitId: string | undefined, input: CertificateInput): Promise<Unsigned> {
  return composeCertificate(ctx, await getOwnVisit(ctx, visitId), input);
}

/**
 * Signs a sick leave or fitness certificate of a visit. It cannot be changed from then on, only cancelled. A visit can have several. Returns its
 * id.
 * @throws DomainError("not-found"), "conflict" before the visit is open, "invalid" with what is missing by field
 */
export function signCertificate(ctx: Ctx<Actor>, visitId: string | undefined, input: CertificateInput): Promise<string> {
  return transact(ctx, async (tx) => {
    const visit = await openEncounter(tx, visitId);
    await tx.db.select({ id: encounters.id }).from(encounters).where(eq(encounters.id, visit.id)).for("no key update");
    const unsigned = await composeCertificate(tx, visit, input);
    const { type, from, until, words } = unsigned;
    const draft = { type, from, until: until ?? "", words };
    const id = await signAtOnce(tx, visit, unsigned, { draft, replaces: null, action: "sign-certificate" });
    await notifyPatient(tx, visit, "certificate-signed", unsigned.doctor.name);
    return id;
  });
}

import { eq } from "drizzle-orm";
import { encounters } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { type OwnVisit, openEncounter } from "../encounters/own-visit.server.ts";
import type { CertificateInput } from "./certificate.schema.ts";
import { requireHeads } from "./compose.server.ts";
import type { CertificateContent } from "./content.ts";
import { signAtOnce } from "./sign-at-once.server.ts";
import { noticeOf } from "./sign-visit.server.ts";

type Unsigned = Omit<CertificateContent, "id" | "code" | "signedAt" | "replaces">;

/** Returns the certificate of a form as it would be signed. @throws as requireHeads */
export async function composeCertificate(ctx: Ctx, visit: OwnVisit, input: CertificateInput): Promise<Unsigned> {
  const heads = await requireHeads(ctx, visit, input);
  const until = input.type === "sick-leave" ? (input.until ?? null) : null;
  return { ...heads, kind: "certificate", type: input.type, from: input.from, until, words: input.words ?? "" };
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
    const id = await signAtOnce(tx, visit, unsigned, { draft, replaces: null });
    await recordChange(tx, "sign-certificate", {
      subject: { visit: visit.id },
      people: { patient: visit.patientId },
      notify: { patient: await noticeOf(tx, visit, "certificate-signed") },
    });
    return id;
  });
}

import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { type CertificateDraft, type OrderDraft, visitDocuments } from "#app/db/schema/index.ts";
import { sealed } from "#app/db/sealed.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import type { OwnVisit } from "../encounters/own-visit.server.ts";
import type { CertificateContent, OrderContent } from "./content.ts";
import { newCode, sealDocument } from "./seal-document.server.ts";

type Unsigned<Content> = Omit<Content, "id" | "code" | "signedAt" | "replaces">;

/** Stores and signs a document that has no stored draft. `replaces`: the document that it corrects. The caller records the change of the visit. Returns its id. */
export async function signAtOnce(
  tx: Ctx<Actor>,
  visit: OwnVisit,
  unsigned: Unsigned<CertificateContent> | Unsigned<OrderContent>,
  { draft, replaces }: { draft: CertificateDraft | OrderDraft; replaces: { id: string; code: string } | null },
): Promise<string> {
  const id = randomUUID();
  await tx.db.insert(visitDocuments).values({
    id,
    encounterId: visit.id,
    kind: unsigned.kind,
    replaces: replaces?.id ?? null,
    draft: sealed(visitDocuments.draft, id, draft),
    version: 1,
    createdAt: tx.now,
    updatedAt: tx.now,
  });
  const of = { subject: { "visit-document": id }, people: { doctor: visit.doctorId } };
  await recordChange(tx, "visit-document.write", { ...of, data: { to: "draft" } });
  const content = { ...unsigned, id, code: newCode(), signedAt: tx.now.toISOString(), replaces: replaces?.code ?? null };
  const { columns } = await sealDocument(tx, content);
  await tx.db
    .update(visitDocuments)
    .set(columns)
    .where(and(eq(visitDocuments.id, id), eq(visitDocuments.state, "draft")));
  await recordChange(tx, "visit-document.sign", { ...of, data: { to: "signed" } });
  return id;
}

import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { type CertificateDraft, type OrderDraft, visitDocuments } from "#app/db/schema/index.ts";
import { sealed } from "#app/db/sealed.server.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { recordAudit } from "#app/domains/platform/audit/record.server.ts";
import { recordEvent } from "#app/domains/platform/events/record-event.server.ts";
import type { OwnVisit } from "../encounters/own-visit.server.ts";
import type { CertificateContent, OrderContent } from "./content.ts";
import { newCode, sealDocument } from "./seal-document.server.ts";

type Unsigned<Content> = Omit<Content, "id" | "code" | "signedAt" | "replaces">;

/** Stores and signs a document that has no stored draft. `replaces`: the document that it corrects. Returns its id. */
export async function signAtOnce(
  tx: Ctx<Actor>,
  visit: OwnVisit,
  unsigned: Unsigned<CertificateContent> | Unsigned<OrderContent>,
  { draft, replaces, action }: { draft: CertificateDraft | OrderDraft; replaces: { id: string; code: string } | null; action: string },
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
  await recordEvent(tx, { kind: "visit-document.write", subjectId: id, doctorId: visit.doctorId, data: { to: "draft" } });
  const content = { ...unsigned, id, code: newCode(), signedAt: tx.now.toISOString(), replaces: replaces?.code ?? null };
  const { columns } = await sealDocument(tx, content);
  await tx.db
    .update(visitDocuments)
    .set(columns)
    .where(and(eq(visitDocuments.id, id), eq(visitDocuments.state, "draft")));
  await recordAudit(tx, { action, subjectType: "visit", subjectId: visit.id, personId: visit.patientId });
  await recordEvent(tx, { kind: "visit-document.sign", subjectId: id, doctorId: visit.doctorId, data: { to: "signed" } });
  return id;
}

import { and, desc, eq, sql } from "drizzle-orm";
import { domainEvents, visitDocuments } from "#app/db/schema/index.ts";
import { opened } from "#app/db/sealed.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import type { VisitDocumentState } from "#app/lib/vocabulary.ts";
import { readCode } from "./code.ts";
import type { SignedContent } from "./content.ts";
import { sha256Of } from "./seal-document.server.ts";
import { isSignedText } from "./signing-keys.server.ts";

/**
 * The result of a check. A document whose signature does not match its content is `tampered`, whatever its state is, and so is one whose state is
 * not that of its last event: the signature does not cover the state.
 */
export type Check =
  | { verdict: "tampered"; code: string }
  | { verdict: Exclude<VisitDocumentState, "draft" | "discarded"> | "valid"; code: string; content: SignedContent; endedAt: Date | null };

/** What readSigned reads. */
export type SignedRow = {
  id: string;
  code: string | null;
  sha256: string | null;
  signature: string | null;
  keyId: string | null;
  content: string | null;
};

/** Returns the content of a signed row; null when hash, signature, id or code do not match it. */
export async function readSigned(ctx: Ctx, row: SignedRow): Promise<SignedContent | null> {
  const { content: text, signature, keyId } = row;
  if (text === null || signature === null || keyId === null || sha256Of(text) !== row.sha256) return null;
  if (!(await isSignedText(ctx.db, text, { keyId, signature }))) return null;
  const content = JSON.parse(text) as SignedContent;
  return content.id === row.id && content.code === row.code ? content : null;
}

/** What readSigned needs. */
export const signedRow = {
  id: visitDocuments.id,
  code: visitDocuments.code,
  sha256: visitDocuments.sha256,
  signature: visitDocuments.signature,
  keyId: visitDocuments.keyId,
};

/**
 * Checks the document of a public code. Reads only, so that it works while the database is read-only.
 * @throws DomainError("not-found") for a code that does not exist
 */
export async function checkDocument(ctx: Ctx, typed: string | undefined): Promise<Check> {
  const code = readCode(typed);
  if (!code) throw new DomainError("not-found");
  const [row] = await ctx.db
    .select({ ...signedRow, state: visitDocuments.state, endedAt: visitDocuments.endedAt })
    .from(visitDocuments)
    .where(eq(visitDocuments.code, code));
  if (!row) throw new DomainError("not-found");
  const content = await openContent(ctx, row.id).then(
    (text) => readSigned(ctx, { ...row, content: text }),
    // Ciphertext that does not open was changed or moved.
    () => null,
  );
  if (!content || row.state === "draft" || row.state === "discarded") return { verdict: "tampered", code };
  if ((await lastStateOf(ctx, row.id)) !== row.state) return { verdict: "tampered", code };
  return { verdict: row.state === "signed" ? "valid" : row.state, code, content, endedAt: row.endedAt };
}

/** Returns the state that the last event of a document led to. Events are append-only. */
async function lastStateOf(ctx: Ctx, id: string): Promise<string | null> {
  const [last] = await ctx.db
    .select({ data: domainEvents.data })
    .from(domainEvents)
    .where(and(eq(domainEvents.subjectKind, "visit-document"), eq(domainEvents.subjectId, id)))
    .orderBy(desc(domainEvents.id))
    .limit(1);
  return last?.data.to ?? null;
}

/** @throws when the content does not open with its key */
async function openContent(ctx: Ctx, id: string): Promise<string | null> {
  const [row] = await ctx.db
    .select({ content: opened(visitDocuments.content, visitDocuments.dataKey) })
    .from(visitDocuments)
    .where(sql`${visitDocuments.id} = ${id}`);
  return row?.content ?? null;
}

import { createHash, randomBytes } from "node:crypto";
import { visitDocuments } from "#app/db/schema/index.ts";
import { sealed } from "#app/db/sealed.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { randomToken } from "#app/lib/ids.server.ts";
import { canonicalJson, type Json } from "./canonical.ts";
import { codeFrom } from "./code.ts";
import type { SignedContent } from "./content.ts";
import { signText } from "./signing-keys.server.ts";

/** A new public code. */
export const newCode = (): string => codeFrom(randomBytes(12));
export const sha256Of = (text: string): string => createHash("sha256").update(text).digest("hex");

/**
 * Returns the columns of a signed document: its canonical text under a key of its own, hash and signature.
 * @param keys default: this server's. Other keys: those of another database
 */
export async function sealDocument(ctx: Pick<Ctx, "db" | "now">, content: SignedContent, keys?: readonly [string, ...string[]]) {
  const text = canonicalJson(content as unknown as Json);
  const dataKey = randomToken();
  const { keyId, signature } = await signText(ctx.db, text, keys && [], keys);
  return {
    dataKey,
    columns: {
      state: "signed" as const,
      draft: null,
      code: content.code,
      dataKey: sealed(visitDocuments.dataKey, content.id, dataKey, keys),
      content: sealed(visitDocuments.content, content.id, text, [dataKey]),
      sha256: sha256Of(text),
      signature,
      keyId,
      signedAt: new Date(content.signedAt),
      updatedAt: ctx.now,
    },
  };
}

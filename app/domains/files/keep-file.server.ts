import { createHash, randomUUID } from "node:crypto";
import { type FilePurpose, files } from "#app/db/schema/index.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { randomToken } from "#app/lib/ids.server.ts";
import { holdAccount } from "../accounts/hold-account.server.ts";
import { type Actor, type Ctx, transact } from "../context.server.ts";
import { putSealed } from "./stored-bytes.server.ts";

export type StoredFile = { id: string; name: string; byteSize: number };
type Kept = { purpose: FilePurpose; name: string; bytes: Uint8Array; mediaType: string; width?: number; height?: number };

/** Keeps bytes that were judged before, as a `pending` file of the actor under a random key. @throws DomainError("unavailable" | "unauthenticated") */
export async function keepFile(ctx: Ctx<Actor>, { purpose, name, bytes, mediaType, width, height }: Kept): Promise<StoredFile> {
  // Random, and in the alphabet that every store takes.
  const key = `${purpose}/${createHash("sha256").update(randomToken()).digest("hex").slice(0, 40)}`;
  const stored = await putSealed(ctx.integrations.storage, { id: randomUUID(), storageKey: key, name, bytes });
  try {
    return await transact(ctx, async (tx) => {
      await holdAccount(tx);
      await tx.db.insert(files).values({
        ...stored,
        ownerId: tx.actor.userId,
        purpose,
        mediaType,
        width: width ?? null,
        height: height ?? null,
        createdAt: tx.now,
      });
      return { id: stored.id, name, byteSize: stored.byteSize };
    });
  } catch (error) {
    // Nothing names these bytes, so no sweep would find them.
    if (error instanceof DomainError && error.code === "unauthenticated") await ctx.integrations.storage.remove(key);
    throw error;
  }
}

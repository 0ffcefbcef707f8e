import { createHash } from "node:crypto";
import { type FilePurpose, files } from "#app/db/schema/index.ts";
import { randomToken } from "#app/lib/ids.server.ts";
import type { Actor, Ctx } from "../context.server.ts";

export type StoredFile = { id: string; name: string; byteSize: number };
type Kept = { purpose: FilePurpose; name: string; bytes: Uint8Array; mediaType: string; width?: number; height?: number };

/** Keeps bytes that were judged before, as a `pending` file of the actor under a random key. @throws DomainError("unavailable") */
export async function keepFile(ctx: Ctx<Actor>, { purpose, name, bytes, mediaType, width, height }: Kept): Promise<StoredFile> {
  // Random, and in the alphabet that every store takes.
  const key = `${purpose}/${createHash("sha256").update(randomToken()).digest("hex").slice(0, 40)}`;
  await ctx.integrations.storage.put(key, bytes, mediaType);
  const [row] = await ctx.db
    .insert(files)
    .values({
      ownerId: ctx.actor.userId,
      purpose,
      storageKey: key,
      mediaType,
      byteSize: bytes.byteLength,
      width: width ?? null,
      height: height ?? null,
      originalName: name,
      createdAt: ctx.now,
    })
    .returning({ id: files.id });
  return { id: row!.id, name, byteSize: bytes.byteLength };
}

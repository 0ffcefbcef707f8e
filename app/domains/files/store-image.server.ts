import { createHash } from "node:crypto";
import { type FilePurpose, files } from "#app/db/schema/index.ts";
import { randomToken } from "#app/lib/ids.server.ts";
import type { Actor, Ctx } from "../context.server.ts";
import { spendLimits } from "../limits/limit.server.ts";
import { cleanImage, displayName, MAX_SIDE } from "./images.server.ts";

export type StoredFile = { id: string; name: string; byteSize: number };

/**
 * Cleans and keeps an image as `pending`, owned by the actor; a command attaches it in its transaction, else the sweep
 * removes it after a day.
 * @throws DomainError("unsupported-type" | "too-large" | "too-many" | "unavailable")
 */
export async function storeImage(ctx: Ctx<Actor>, input: { purpose: FilePurpose; name: string; bytes: Uint8Array }): Promise<StoredFile> {
  await spendLimits(ctx, [{ limit: "upload", key: ctx.actor.userId }]);
  const image = await cleanImage(input.bytes, input.purpose === "patient-photo" ? MAX_SIDE.face : MAX_SIDE.paper);
  // Random, and in the alphabet that every store takes.
  const key = `${input.purpose}/${createHash("sha256").update(randomToken()).digest("hex").slice(0, 40)}`;
  await ctx.integrations.storage.put(key, image.bytes, image.mediaType);
  const name = displayName(input.name);
  const [row] = await ctx.db
    .insert(files)
    .values({
      ownerId: ctx.actor.userId,
      purpose: input.purpose,
      storageKey: key,
      mediaType: image.mediaType,
      byteSize: image.bytes.byteLength,
      width: image.width,
      height: image.height,
      originalName: name,
      createdAt: ctx.now,
    })
    .returning({ id: files.id });
  return { id: row!.id, name, byteSize: image.bytes.byteLength };
}

import type { FilePurpose } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { spendLimits } from "../limits/limit.server.ts";
import { cleanImage, displayName, MAX_SIDE } from "./images.server.ts";
import { type StoredFile, storeFile } from "./store-file.server.ts";

/**
 * Cleans and stores an image as a `pending` file of the actor. A command attaches it in its transaction, otherwise the sweep
 * deletes it after a day.
 * @throws DomainError("unsupported-type" | "too-large" | "too-many" | "unavailable")
 */
export async function storeImage(ctx: Ctx<Actor>, input: { purpose: FilePurpose; name: string; bytes: Uint8Array }): Promise<StoredFile> {
  await spendLimits(ctx, [{ limit: "upload", key: ctx.actor.userId }]);
  const image = await cleanImage(input.bytes, input.purpose === "patient-photo" ? MAX_SIDE.face : MAX_SIDE.document);
  return storeFile(ctx, { purpose: input.purpose, name: displayName(input.name), ...image });
}

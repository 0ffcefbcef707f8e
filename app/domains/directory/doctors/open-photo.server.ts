import { and, eq } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { doctors, files } from "#app/db/schema/index.ts";
import { listedDoctor } from "#app/db/schema/visibility.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { decodeImage } from "#app/domains/platform/files/images.server.ts";
import { readStored, type StoredBytes, storedFile } from "#app/domains/platform/files/stored-bytes.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { ofDatabase } from "#app/lib/of-start.ts";

/** Pixels: more than twice the largest portrait (120 px). */
const SIDE = 320;
/** Resized photos of about 15 KB. */
const resized = ofDatabase(new LRUCache<string, Promise<Buffer>>({ max: 300 }));

/**
 * Returns the small public photo of a verified doctor. Throws not-found for any other file, also for a former photo or a doctor
 * who is not verified any more.
 * @throws DomainError("not-found" | "unavailable")
 */
export async function openPhoto(ctx: Ctx, fileId: string | undefined): Promise<Buffer> {
  if (!isUuid(fileId)) throw new DomainError("not-found");
  const [file] = await ctx.db
    .select(storedFile)
    .from(doctors)
    .innerJoin(files, eq(files.id, doctors.photoFileId))
    .where(and(eq(doctors.photoFileId, fileId), listedDoctor(doctors)));
  if (!file) throw new DomainError("not-found");
  return resized.get(file.storageKey) ?? shrink(ctx, file);
}

/** Resizes a photo. Concurrent requests share one resize. The next request retries a failed one. */
function shrink(ctx: Ctx, file: StoredBytes): Promise<Buffer> {
  const photo = (async () => {
    const bytes = await readStored(ctx, file);
    if (!bytes) throw new DomainError("not-found");
    return decodeImage(bytes, (image) =>
      image.resize({ width: SIDE, height: SIDE, fit: "cover", position: "attention" }).jpeg({ quality: 78 }).toBuffer(),
    );
  })();
  resized.set(file.storageKey, photo);
  photo.catch(() => resized.delete(file.storageKey));
  return photo;
}

import { and, asc, eq, gt, isNull } from "drizzle-orm";
import { files } from "#app/db/schema/index.ts";
import { opened, sealed } from "#app/db/sealed.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { areSealed, newDataKey, SEALED_TYPE, sealBytes, storedFile } from "#app/domains/platform/files/stored-bytes.server.ts";
import type { Sealing } from "./seal-columns.server.ts";

/** Files of a batch: each may have ten megabytes. One at a time is in memory. */
const PAGE = 20;

/**
 * Encrypts one page of unencrypted files. Commits the key before it replaces the bytes, atomically: after a crash the file is
 * plain or encrypted, and the next run continues. Concurrent processes use the same key, so the bytes of either decrypt.
 */
export async function sealFilesPage(ctx: Ctx, after: string | null): Promise<Sealing> {
  const plain = await ctx.db
    .select({ id: files.id, dataKey: opened(files.dataKey) })
    .from(files)
    .where(and(eq(files.sealed, false), after === null ? undefined : gt(files.id, after)))
    .orderBy(asc(files.id))
    .limit(PAGE);
  for (const { id, dataKey } of plain)
    if (dataKey === null)
      await ctx.db
        .update(files)
        .set({ dataKey: sealed(files.dataKey, id, newDataKey()) })
        .where(and(eq(files.id, id), isNull(files.dataKey)));
  let count = 0;
  for (const { id } of plain) if (await sealFile(ctx, id)) count += 1;
  return { count, after: plain.length < PAGE ? null : [plain.at(-1)!.id] };
}

/** Returns false when the file was deleted meanwhile, or its bytes are not in the storage. */
async function sealFile(ctx: Ctx, id: string): Promise<boolean> {
  const { storage } = ctx.integrations;
  const [file] = await ctx.db.select(storedFile).from(files).where(eq(files.id, id));
  if (!file || file.sealed || file.dataKey === null) return false;
  const bytes = await storage.get(file.storageKey);
  if (!bytes) return false;
  if (!areSealed(bytes)) await storage.put(file.storageKey, sealBytes(bytes, file.dataKey, file.storageKey), SEALED_TYPE);
  const done = await ctx.db.update(files).set({ sealed: true }).where(eq(files.id, id)).returning({ id: files.id });
  // The row was deleted during the encryption: deletes the written bytes again.
  if (!done.length) await storage.remove(file.storageKey);
  return done.length > 0;
}

import { and, eq, inArray, lt, sql } from "drizzle-orm";
import { bookingDrafts, doctorDocuments, files } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { days } from "#app/lib/durations.ts";

/**
 * Deletes uploads left unattached for a day, and booking drafts of a month. Bytes first: a row without bytes is harmless, bytes
 * without a row are lost.
 */
export async function sweepFiles(ctx: Ctx): Promise<number> {
  await ctx.db.delete(bookingDrafts).where(lt(bookingDrafts.updatedAt, new Date(ctx.now.getTime() - days(30))));
  // Old drafts have their file ids in the JSON.
  const inDraft = sql`exists (select 1 from ${bookingDrafts} where ${bookingDrafts.patientId} = ${files.ownerId} and (${files.id} = any(${bookingDrafts.fileIds}) or ${bookingDrafts.records} @> jsonb_build_array(jsonb_build_object('fileId', ${files.id}::text))))`;
  // A doctor may take weeks for the application: its documents stay with it.
  const isDocument = sql`exists (select 1 from ${doctorDocuments} where ${doctorDocuments.fileId} = ${files.id})`;
  const orphans = await ctx.db
    .select({ id: files.id, key: files.storageKey })
    .from(files)
    .where(
      and(
        eq(files.status, "pending"),
        lt(files.createdAt, new Date(ctx.now.getTime() - days(1))),
        sql`not ${inDraft}`,
        sql`not ${isDocument}`,
      ),
    )
    .limit(500);
  for (const { key } of orphans) await ctx.integrations.storage.remove(key);
  if (orphans.length)
    await ctx.db.delete(files).where(
      and(
        inArray(
          files.id,
          orphans.map((o) => o.id),
        ),
        eq(files.status, "pending"),
      ),
    );
  return orphans.length;
}

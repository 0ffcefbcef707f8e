import { and, eq, inArray, notExists, sql } from "drizzle-orm";
import { doctorDocuments, files } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";

/** Deletes those of the actor's uploads that are not attached. Bytes first: a row without bytes is harmless. */
export async function removeUnusedFiles(ctx: Ctx<Actor>, ids: readonly string[]): Promise<void> {
  if (!ids.length) return;
  const document = ctx.db.select({ one: sql`1` }).from(doctorDocuments).where(eq(doctorDocuments.fileId, files.id));
  const unused = and(inArray(files.id, [...ids]), eq(files.ownerId, ctx.actor.userId), eq(files.status, "pending"), notExists(document));
  const rows = await ctx.db.select({ key: files.storageKey }).from(files).where(unused);
  for (const { key } of rows) await ctx.integrations.storage.remove(key);
  if (rows.length) await ctx.db.delete(files).where(unused);
}

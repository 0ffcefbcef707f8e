import { and, eq, isNotNull, isNull, lt, notInArray, or, sql } from "drizzle-orm";
import { clinicExports, importRows, imports } from "#app/db/schema/index.ts";
import { sealed } from "#app/db/sealed.server.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import { discardFiles, removeDiscarded } from "#app/domains/platform/files/discard-files.server.ts";
import { days } from "#app/lib/durations.ts";
import type { ImportState } from "#app/lib/vocabulary.ts";
import { IMPORT_ACTIONS } from "./import.state.ts";
import { STORED_DAYS, UNDO_DAYS } from "./limits.ts";
import { NO_READING } from "./lock-import.server.ts";

const UNSTARTED: readonly ImportState[] = ["uploaded", "checking", "checked"];

/**
 * Deletes expired exports, and the files and rows of imports within 30 days: never while a job imports or undoes them, and not while they can
 * be undone. Run by the hourly sweep.
 */
export async function sweepMovedData(ctx: Ctx): Promise<void> {
  const old = new Date(ctx.now.getTime() - days(STORED_DAYS));
  const undoable = new Date(ctx.now.getTime() - days(UNDO_DAYS + 1));
  const discarded = await transact(ctx, async (tx) => {
    const expired = await tx.db
      .delete(clinicExports)
      .where(lt(clinicExports.expiresAt, ctx.now))
      .returning({ fileId: clinicExports.fileId });
    const stale = await tx.db
      .select({ id: imports.id, fileId: imports.fileId, state: imports.state })
      .from(imports)
      .where(
        and(
          lt(imports.createdAt, old),
          notInArray(imports.state, ["importing", "undoing"]),
          or(isNull(imports.finishedAt), lt(imports.finishedAt, undoable)),
          or(isNotNull(imports.fileId), sql`exists (select from import_rows r where r.import_id = ${imports.id})`),
        ),
      )
      .limit(50)
      .for("update", { skipLocked: true });
    for (const { id, state } of stale) {
      await tx.db.delete(importRows).where(eq(importRows.importId, id));
      await tx.db
        .update(imports)
        .set({
          fileId: null,
          reading: sealed(imports.reading, id, NO_READING),
          ...(UNSTARTED.includes(state) && { state: IMPORT_ACTIONS.discard.to }),
        })
        .where(eq(imports.id, id));
    }
    return discardFiles(
      tx,
      [...expired, ...stale].flatMap(({ fileId }) => fileId ?? []),
    );
  });
  await removeDiscarded(ctx, discarded);
}

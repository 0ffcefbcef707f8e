import { and, eq, inArray } from "drizzle-orm";
import { refusedValue } from "#app/db/client.server.ts";
import { imports, users } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { discardFiles } from "#app/domains/platform/files/discard-files.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { seconds } from "#app/lib/durations.ts";
import { enqueue } from "#app/queue/queue.server.ts";
import { readClock } from "#app/runtime/clock.server.ts";
import { log } from "#app/runtime/log.server.ts";
import { checkImport } from "./check-import.server.ts";
import { actForClinic, clinicOf } from "./clinic.server.ts";
import { commitRows } from "./commit-rows.server.ts";
import { IMPORT_ACTIONS, WORKING } from "./import.state.ts";
import type { ImportRecord } from "./lock-import.server.ts";
import { undoRows } from "./undo-rows.server.ts";
import type { Stop } from "./words.ts";

/** One job works so long; the next one goes on. */
const TURN = seconds(20);

/**
 * Checks, commits or undoes an import, as its state says, in batches of rows. Each batch is one transaction that locks the import: a crash loses
 * none and repeats none, and two jobs at once take turns.
 */
export async function runImport(ctx: Ctx, importId: string): Promise<void> {
  const [record] = await ctx.db.select().from(imports).where(eq(imports.id, importId));
  if (!record) return;
  const acting = await asStarter(ctx, record);
  if (record.state !== "undoing" && !acting) return stop(ctx, record, "not-allowed");
  try {
    await work(ctx, record, acting);
  } catch (error) {
    const refused = refusedValue(error);
    if (!refused) throw error;
    log.error({ refused, import: importId }, "an import stopped at a value that the database refuses");
    await stop(ctx, record, record.state === "undoing" ? "undo-refused" : "value-refused");
  }
}

async function work(ctx: Ctx, record: ImportRecord, acting: Ctx<Actor> | null): Promise<void> {
  if (record.state === "checking" && acting) {
    const fault = await checkImport(acting, record);
    if (fault) await stop(ctx, record, fault);
    return;
  }
  const end = ctx.now.getTime() + TURN;
  for (let more = true; more; ) {
    if (readClock().getTime() > end) return enqueue(ctx, "import", { importId: record.id });
    more = await transact(ctx, (tx) => runBatch(tx, record.id, acting && { ...acting, db: tx.db }));
  }
}

/** Continues imports whose process died, when this one starts: their jobs would be retried minutes later. */
export async function resumeImports(ctx: Ctx): Promise<void> {
  const stopped = await ctx.db
    .select({ id: imports.id })
    .from(imports)
    .where(inArray(imports.state, [...WORKING]));
  for (const { id } of stopped) await enqueue(ctx, "import", { importId: id });
}

/**
 * Returns the context of the user who started the import, as the owner or doctor that they still are. null: they may no longer, their account
 * is disabled or deleted, or the clinic is closed. An undo is finished in any case.
 */
async function asStarter(ctx: Ctx, record: ImportRecord): Promise<Ctx<Actor> | null> {
  const [user] = record.createdBy
    ? await ctx.db.select({ id: users.id, role: users.role, status: users.status }).from(users).where(eq(users.id, record.createdBy))
    : [];
  if (user?.status !== "active") return null;
  return mayStill({ ...ctx, actor: { userId: user.id, role: user.role } }, record);
}
async function mayStill(ctx: Ctx<Actor>, record: ImportRecord): Promise<Ctx<Actor> | null> {
  try {
    return await actForClinic(ctx, clinicOf(record));
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

async function stop(ctx: Ctx, { id, state, finishedAt }: ImportRecord, fault: Stop): Promise<void> {
  await ctx.db
    .update(imports)
    .set({ state: IMPORT_ACTIONS.stop.to, fault, finishedAt: finishedAt ?? ctx.now, updatedAt: ctx.now })
    .where(and(eq(imports.id, id), eq(imports.state, state), inArray(imports.state, [...IMPORT_ACTIONS.stop.from])));
}

/** Returns true when there is more to do. */
async function runBatch(tx: Ctx, importId: string, acting: Ctx<Actor> | null): Promise<boolean> {
  const [record] = await tx.db.select().from(imports).where(eq(imports.id, importId)).for("update");
  if (record?.state !== "importing" && record?.state !== "undoing") return false;
  const isUndo = record.state === "undoing";
  // A member may have been removed since the last batch.
  const may = acting && (await mayStill(acting, record));
  if (!isUndo && !may) {
    await stop(tx, record, "not-allowed");
    return false;
  }
  const count = isUndo || !may ? await undoRows(may ?? tx, record) : await commitRows(may, record);
  const now = { updatedAt: tx.now };
  if (count) {
    await tx.db
      .update(imports)
      .set({ done: record.done + count, ...now })
      .where(eq(imports.id, importId));
    return true;
  }
  if (isUndo && record.fileId) await discardFiles(tx, [record.fileId]);
  await tx.db
    .update(imports)
    .set(
      isUndo
        ? { state: IMPORT_ACTIONS["finish-undo"].to, fileId: null, undoneAt: tx.now, ...now }
        : { state: IMPORT_ACTIONS.finish.to, finishedAt: tx.now, ...now },
    )
    .where(eq(imports.id, importId));
  await recordChange(may ?? tx, isUndo ? "finish-undo-import" : "finish-import", {
    subject: { import: importId },
    details: { kind: record.kind, rows: record.rowCount },
  });
  return false;
}

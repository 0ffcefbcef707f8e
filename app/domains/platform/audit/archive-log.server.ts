import { and, asc, count, gt, lt, lte, max, sql } from "drizzle-orm";
import { auditLog } from "#app/db/schema/index.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import { addDays, type DateKey, instantInIndia, todayInIndia } from "#app/lib/dates.ts";
import { auditRow } from "./record.server.ts";
import { sealLog } from "./seal-log.server.ts";
import { appendSeal, lockChain } from "./seals.server.ts";

/** Least time that audit rows stay in the database (DPDP Rules, 2025; docs/privacy.md). */
const RETENTION_DAYS = 366;
const PIECE = 5_000;

/** Rows to archive: all before `day`, up to the newest of them. */
export type OldLog = { day: DateKey; rows: number; lastId: number };

/** Returns whether everything before `day` may be archived. */
export const isOldEnough = (ctx: Ctx, day: DateKey): boolean => day <= addDays(todayInIndia(ctx.now), -RETENTION_DAYS);

const within = ({ day, lastId }: Pick<OldLog, "day" | "lastId">) =>
  and(lt(auditLog.at, instantInIndia(day, "00:00")), lte(auditLog.id, lastId));

const sealed = sql`not exists (select from audit_unsealed u where u.audit_id = ${auditLog.id})`;

/** Returns the rows before a day. Seals them first: only sealed rows are archived. */
export async function findOldLog(ctx: Ctx, day: DateKey): Promise<OldLog> {
  await sealLog(ctx);
  const [found] = await ctx.db
    .select({ rows: count(), lastId: max(auditLog.id) })
    .from(auditLog)
    .where(lt(auditLog.at, instantInIndia(day, "00:00")));
  return { day, rows: found!.rows, lastId: found!.lastId ?? 0 };
}

/** Yields every row as a line of JSON with all its columns, in the order of writing, in batches. */
export async function* readOldLog(ctx: Ctx, old: OldLog): AsyncGenerator<string> {
  for (let after = 0; ; ) {
    const rows = await ctx.db
      .select({ id: auditLog.id, line: sql<string>`to_jsonb(${auditLog})::text` })
      .from(auditLog)
      .where(and(within(old), gt(auditLog.id, after)))
      .orderBy(asc(auditLog.id))
      .limit(PIECE);
    if (rows.length) yield `${rows.map(({ line }) => line).join("\n")}\n`;
    if (rows.length < PIECE) return;
    after = rows.at(-1)!.id;
  }
}

/**
 * Removes archived rows in batches while others write: the guard of the table lets its owner delete in a transaction that asks for it.
 * The seals stay, and a new seal records the removed rows.
 * @param file location of the archive, for the log
 * @returns the number of removed rows
 */
export async function removeOldLog(ctx: Ctx, old: OldLog, file: string): Promise<number> {
  for (let gone = 0; ; ) {
    const first = gone === 0;
    const removed = await transact(ctx, async (tx) => {
      await lockChain(tx, true);
      await tx.db.execute(sql`select set_config('nadi.archive_log', 'on', true)`);
      const rows = tx.db
        .select({ id: auditLog.id })
        .from(auditLog)
        .where(and(within(old), sealed))
        .orderBy(asc(auditLog.id))
        .limit(PIECE);
      const removal = await tx.db.delete(auditLog).where(sql`${auditLog.id} in ${rows}`).returning({ id: auditLog.id });
      await tx.db.execute(sql`select set_config('nadi.archive_log', 'off', true)`);
      if (first)
        await tx.db.insert(auditLog).values(
          auditRow(tx, {
            action: "archive-log",
            subjectType: "log",
            subjectId: old.day,
            details: { until: addDays(old.day, -1), rows: old.rows, file },
          }),
        );
      const ids = removal.map(({ id }) => id).sort((a, b) => a - b);
      if (ids.length) await appendSeal(tx, { at: tx.now, kind: "archived", ids, digests: Buffer.alloc(0) });
      return ids.length;
    });
    gone += removed;
    if (removed < PIECE) return gone;
  }
}

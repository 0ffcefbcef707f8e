import { and, asc, count, gt, lt, lte, max, sql } from "drizzle-orm";
import { auditLog } from "#app/db/schema/index.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import { addDays, type DateKey, instantInIndia, todayInIndia } from "#app/lib/dates.ts";
import { recordAudit } from "./record.server.ts";
import { sealLog } from "./seal-log.server.ts";
import { appendSeal, lockChain } from "./seals.server.ts";

/** At least so long the log stays where it is asked (DPDP Rules, 2025; docs/privacy.md). */
const KEPT_DAYS = 366;
const PIECE = 5_000;

/** What is to be taken away: every row of the days before `day`, which stays, up to the newest of them. */
export type OldLog = { day: DateKey; rows: number; lastId: number };

/** Whether everything before `day` may go by now. */
export const isOldEnough = (ctx: Ctx, day: DateKey): boolean => day <= addDays(todayInIndia(ctx.now), -KEPT_DAYS);

const within = ({ day, lastId }: Pick<OldLog, "day" | "lastId">) =>
  and(lt(auditLog.at, instantInIndia(day, "00:00")), lte(auditLog.id, lastId));

const sealed = sql`not exists (select from audit_unsealed u where u.audit_id = ${auditLog.id})`;

/** How much there is before a day. Seals what is not sealed yet: only sealed rows are archived. */
export async function findOldLog(ctx: Ctx, day: DateKey): Promise<OldLog> {
  await sealLog(ctx);
  const [found] = await ctx.db
    .select({ rows: count(), lastId: max(auditLog.id) })
    .from(auditLog)
    .where(lt(auditLog.at, instantInIndia(day, "00:00")));
  return { day, rows: found!.rows, lastId: found!.lastId ?? 0 };
}

/** Every row as a line of JSON with all its columns, in the order they were written, some at a time. */
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
 * Takes away what lies in a file by now. The guard of the table is lifted inside each transaction only, and for some rows at
 * a time: everybody who writes into the log waits that long. The seals stay, and a seal of its own says which rows went.
 * @param file what the log says about where it went
 * @returns how many rows went
 */
export async function removeOldLog(ctx: Ctx, old: OldLog, file: string): Promise<number> {
  for (let gone = 0; ; ) {
    const first = gone === 0;
    const removed = await transact(ctx, async (tx) => {
      await lockChain(tx, true);
      await tx.db.execute(sql`alter table audit_log disable trigger audit_log_append_only`);
      const rows = tx.db
        .select({ id: auditLog.id })
        .from(auditLog)
        .where(and(within(old), sealed))
        .orderBy(asc(auditLog.id))
        .limit(PIECE);
      const removal = await tx.db.delete(auditLog).where(sql`${auditLog.id} in ${rows}`).returning({ id: auditLog.id });
      await tx.db.execute(sql`alter table audit_log enable trigger audit_log_append_only`);
      if (first)
        await recordAudit(tx, {
          action: "archive-log",
          subjectType: "log",
          subjectId: old.day,
          details: { until: addDays(old.day, -1), rows: old.rows, file },
        });
      const ids = removal.map(({ id }) => id).sort((a, b) => a - b);
      if (ids.length) await appendSeal(tx, { at: tx.now, kind: "archived", ids, digests: Buffer.alloc(0) });
      return ids.length;
    });
    gone += removed;
    if (removed < PIECE) return gone;
  }
}

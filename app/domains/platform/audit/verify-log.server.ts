import { and, asc, between, count, eq, gt, min, sql } from "drizzle-orm";
import { auditLog, auditSeals, auditUnsealed } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { hours } from "#app/lib/durations.ts";
import { digestAt, digestOf, FIRST, hashOf, idsOf, type Seal, sealedText } from "./seals.server.ts";

/** A seal that was stored outside the database. */
export type NotedSeal = Pick<Seal, "id" | "hash"> & { at: string };
export type Verified = {
  seals: number;
  rows: number;
  archived: number;
  /** Rows without a seal. */
  waiting: number;
  /** The first problem, as a sentence. */
  problem: string | null;
};

const SEALS_AT_ONCE = 20;
/** The product has no transaction that commits this long after its neighbours were sealed. */
const LATE = hours(1);

/**
 * Verifies the chain over the log, from the oldest stored seal to the newest: no row was changed, deleted or inserted between
 * others, and no seal is missing. Reads one snapshot while others write.
 * @param noted seals from outside the database, which must exist unchanged
 */
export function verifyLog(ctx: Ctx, noted: readonly NotedSeal[]): Promise<Verified> {
  return ctx.db.transaction((db) => verify({ ...ctx, db }, noted), { isolationLevel: "repeatable read", accessMode: "read only" });
}

async function verify(tx: Ctx, noted: readonly NotedSeal[]): Promise<Verified> {
  const found: Verified = { seals: 0, rows: 0, archived: 0, waiting: 0, problem: null };
  const hashes = new Map(noted.map(({ id }) => [id, ""]));
  const chain = newChain();
  for (let after = 0; ; ) {
    const seals = await tx.db.select().from(auditSeals).where(gt(auditSeals.id, after)).orderBy(asc(auditSeals.id)).limit(SEALS_AT_ONCE);
    for (const seal of seals) {
      found.problem = chain(seal) ?? (seal.kind === "sealed" ? await checkRows(tx, seal, found) : null);
      if (found.problem) return found;
      found.seals += 1;
      if (hashes.has(seal.id)) hashes.set(seal.id, seal.hash);
    }
    if (seals.length < SEALS_AT_ONCE) break;
    after = seals.at(-1)!.id;
  }
  for (const { id, hash, at } of noted)
    if (hashes.get(id) !== hash) return { ...found, problem: `Seal ${id} is not in the database as it was noted at ${at}.` };
  return { ...found, ...(await checkRest(tx)) };
}

/** Returns a function that checks each seal against those before it. */
function newChain(): (seal: Seal) => string | null {
  let [previous, before] = [FIRST, 0];
  /** Seals older than LATE, with the highest row they covered. */
  const recent: { at: number; toId: number }[] = [];
  let covered = 0;
  return (seal) => {
    if (seal.previous !== previous)
      return before ? `A seal between ${before} and ${seal.id} is missing.` : `A seal before seal ${seal.id} is missing.`;
    if (hashOf(seal) !== seal.hash) return `Seal ${seal.id} was changed.`;
    [previous, before] = [seal.hash, seal.id];
    if (seal.kind === "archived") return null;
    const at = seal.at.getTime();
    while (recent.length && recent[0]!.at < at - LATE) covered = Math.max(covered, recent.shift()!.toId);
    recent.push({ at, toId: seal.toId });
    return seal.fromId <= covered ? `Row ${seal.fromId} was inserted after its neighbours had been sealed (seal ${seal.id}).` : null;
  };
}

async function checkRows(tx: Ctx, seal: Seal, found: Verified): Promise<string | null> {
  const ids = idsOf(seal.ids);
  const rows = await tx.db
    .select({ id: auditLog.id, text: sealedText })
    .from(auditLog)
    .where(and(between(auditLog.id, seal.fromId, seal.toId), sql`${auditLog.id} <@ ${seal.ids}::int8multirange`));
  const texts = new Map(rows.map(({ id, text }) => [id, text]));
  const gone = await archivedAmong(
    tx,
    ids.filter((id) => !texts.has(id)),
  );
  for (const [i, id] of ids.entries()) {
    const text = texts.get(id);
    if (text === undefined && !gone.has(id)) return `Row ${id} is missing (seal ${seal.id}).`;
    if (text !== undefined && !digestOf(text).equals(digestAt(seal, i))) return `Row ${id} was changed (seal ${seal.id}).`;
  }
  found.rows += rows.length;
  found.archived += ids.length - rows.length;
  return null;
}
/** Returns which of the missing rows archive-log removed, according to the chain. */
async function archivedAmong(tx: Ctx, ids: number[]): Promise<Set<number>> {
  if (!ids.length) return new Set();
  const rows = await tx.db.execute<{ id: string }>(sql`
    select i as id from unnest(${sql.param(ids)}::bigint[]) i
    where exists (select from audit_seals s where s.kind = 'archived' and i between s.from_id and s.to_id and i <@ s.ids)`);
  return new Set(rows.map(({ id }) => Number(id)));
}

/** Checks that rows without a seal are in the waiting list, and vice versa. */
async function checkRest(tx: Ctx): Promise<Pick<Verified, "waiting" | "problem">> {
  const [waiting] = await tx.db.select({ n: count() }).from(auditUnsealed);
  const [stray] = await tx.db
    .select({ id: min(auditLog.id) })
    .from(auditLog)
    .where(
      sql`not exists (select from audit_unsealed u where u.audit_id = ${auditLog.id})
        and not ${auditLog.id} <@ coalesce((select range_agg(ids) from audit_seals where kind = 'sealed'), '{}')`,
    );
  const [lost] = await tx.db
    .select({ id: min(auditUnsealed.auditId) })
    .from(auditUnsealed)
    .leftJoin(auditLog, eq(auditLog.id, auditUnsealed.auditId))
    .where(sql`${auditLog.id} is null`);
  const problem =
    stray?.id != null
      ? `Row ${stray.id} is in no seal: it was not written by the product.`
      : lost?.id != null
        ? `Row ${lost.id} is missing: it was deleted before it was sealed.`
        : null;
  return { waiting: waiting!.n, problem };
}

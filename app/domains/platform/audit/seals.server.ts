/** The hash chain over the audit log: the contents of a seal and its hash. Used to seal and to verify. */
import { createHash } from "node:crypto";
import { desc, sql } from "drizzle-orm";
import { auditLog, auditSeals } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";

export type Seal = typeof auditSeals.$inferSelect;
type NewSeal = Pick<Seal, "at" | "kind" | "digests"> & { ids: readonly number[] };

/** The previous hash of the first seal. */
export const FIRST = "0".repeat(64);
const DIGEST_BYTES = 16;

/**
 * SQL: the sealed text of a row. A fixed list of columns, so that a new column changes no old seal. For whom a member acted is added
 * only where it is known: older rows have the text that they were sealed with.
 */
export const sealedText = sql<string>`(jsonb_build_array(
  ${auditLog.id}, to_char(${auditLog.at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), ${auditLog.actorId}, ${auditLog.actorRole},
  ${auditLog.action}, ${auditLog.subjectType}, ${auditLog.subjectId}, ${auditLog.personId}, ${auditLog.details}, ${auditLog.requestId},
  ${auditLog.ip}) || case when ${auditLog.hospitalId} is null and ${auditLog.memberRole} is null and ${auditLog.onBehalfOf} is null then '[]'::jsonb
  else jsonb_build_array(${auditLog.hospitalId}, ${auditLog.memberRole}, ${auditLog.onBehalfOf}) end)::text`;
/** Returns the digest of a row; zeros for a row that was deleted before sealing, which the verification reports. */
export const digestOf = (text: string | undefined): Buffer =>
  text === undefined ? Buffer.alloc(DIGEST_BYTES) : createHash("sha256").update(text).digest().subarray(0, DIGEST_BYTES);
export const digestAt = (seal: Seal, index: number): Buffer => seal.digests.subarray(index * DIGEST_BYTES, (index + 1) * DIGEST_BYTES);

/** Returns ranges in PostgreSQL's format: "{[1,51),[53,54)}". @param ids ascending */
export function rangesOf(ids: readonly number[]): string {
  const ranges: string[] = [];
  for (let i = 0; i < ids.length; ) {
    const from = ids[i]!;
    while (i + 1 < ids.length && ids[i + 1] === ids[i]! + 1) i += 1;
    ranges.push(`[${from},${ids[i]! + 1})`);
    i += 1;
  }
  return `{${ranges.join(",")}}`;
}
export function idsOf(ranges: string): number[] {
  const ids: number[] = [];
  for (const [, from, to] of ranges.matchAll(/\[(\d+),(\d+)\)/g)) for (let id = Number(from); id < Number(to); id++) ids.push(id);
  return ids;
}

export function hashOf(seal: Omit<Seal, "id" | "hash">): string {
  const head = [seal.previous, seal.kind, seal.at.toISOString(), seal.fromId, seal.toId, seal.rows, seal.ids].join("\n");
  return createHash("sha256").update(`${head}\n`).update(seal.digests).digest("hex");
}

const CHAIN_LOCK = 7243;
/** Locks the chain until the end of the transaction, so that it never forks. @returns false when `wait` is false and it is locked */
export async function lockChain({ db }: Ctx, wait: boolean): Promise<boolean> {
  const call = wait ? sql`pg_advisory_xact_lock(${CHAIN_LOCK}) is not null` : sql`pg_try_advisory_xact_lock(${CHAIN_LOCK})`;
  const [row] = await db.execute<{ locked: boolean }>(sql`select ${call} as locked`);
  return row!.locked;
}

export async function lastSeal({ db }: Ctx): Promise<Seal | null> {
  const [seal] = await db.select().from(auditSeals).orderBy(desc(auditSeals.id)).limit(1);
  return seal ?? null;
}

/** Appends a seal. The caller has locked the chain. */
export async function appendSeal(ctx: Ctx, { ids, ...seal }: NewSeal): Promise<void> {
  const previous = (await lastSeal(ctx))?.hash ?? FIRST;
  const row = { ...seal, fromId: ids[0]!, toId: ids.at(-1)!, rows: ids.length, ids: rangesOf(ids), previous };
  await ctx.db.insert(auditSeals).values({ ...row, hash: hashOf(row) });
}

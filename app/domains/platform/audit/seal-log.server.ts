import { asc, inArray, sql } from "drizzle-orm";
import { auditLog, auditUnsealed } from "#app/db/schema/index.ts";
import { type Ctx, transact } from "#app/domains/context.server.ts";
import { appendSeal, digestOf, lockChain, sealedText } from "./seals.server.ts";

/** Most rows of a seal. */
const BATCH = 5_000;

/**
 * Seals every committed row of the log without a seal. Rows of open transactions are not visible and go into a later seal.
 * Returns 0 when another process is sealing.
 * @returns the number of sealed rows
 */
export async function sealLog(ctx: Ctx): Promise<number> {
  for (let sealed = 0; ; ) {
    const rows = await transact(ctx, sealBatch);
    sealed += rows;
    if (rows < BATCH) return sealed;
  }
}

async function sealBatch(tx: Ctx): Promise<number> {
  if (!(await lockChain(tx, false))) return 0;
  const waiting = tx.db.select({ id: auditUnsealed.auditId }).from(auditUnsealed).orderBy(asc(auditUnsealed.auditId)).limit(BATCH);
  const taken = await tx.db
    .delete(auditUnsealed)
    .where(sql`${auditUnsealed.auditId} in ${waiting}`)
    .returning({ id: auditUnsealed.auditId });
  if (!taken.length) return 0;
  const ids = taken.map(({ id }) => id).sort((a, b) => a - b);
  const texts = new Map(
    (await tx.db.select({ id: auditLog.id, text: sealedText }).from(auditLog).where(inArray(auditLog.id, ids))).map((row) => [
      row.id,
      row.text,
    ]),
  );
  await appendSeal(tx, { at: tx.now, kind: "sealed", ids, digests: Buffer.concat(ids.map((id) => digestOf(texts.get(id)))) });
  return ids.length;
}

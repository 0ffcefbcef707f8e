import { and, eq, gte, inArray, sql } from "drizzle-orm";
import { walletEntries, wallets } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { readProgressOf } from "./missions.server.ts";
import { MISSIONS } from "./wallet.ts";

/**
 * Reverses the missions that a patient completed `since` and that are no longer done, in the transaction that undoes a visit.
 * Adds a reversing row to the ledger for each; the mission can be completed again. A mission whose points were spent stays
 * completed and earns nothing a second time (docs/decisions/007). The caller has locked the patient's account.
 * @returns the reversed points
 */
export async function reverseMissions(tx: Ctx, patientId: string, since: Date): Promise<number> {
  const progress = await readProgressOf(tx, patientId);
  const undone = MISSIONS.filter(({ key, total }) => progress[key] < total).map(({ key }) => key as string);
  if (!undone.length) return 0;
  const completed = await tx.db
    .select({ about: walletEntries.about, points: walletEntries.points, round: walletEntries.round })
    .from(walletEntries)
    .where(
      and(
        eq(walletEntries.patientId, patientId),
        eq(walletEntries.kind, "mission"),
        inArray(walletEntries.about, undone),
        gte(walletEntries.createdAt, since),
        sql`not exists (select from wallet_entries r where r.patient_id = ${patientId} and r.about = ${walletEntries.about}
          and r.round = ${walletEntries.round} and r.kind = 'reversal')`,
      ),
    )
    .orderBy(walletEntries.id);
  const [wallet] = await tx.db.select({ balance: wallets.balance }).from(wallets).where(eq(wallets.patientId, patientId));
  let reversed = 0;
  for (const { about, points, round } of completed) {
    if (reversed + points > (wallet?.balance ?? 0)) continue;
    await tx.db.insert(walletEntries).values({ patientId, kind: "reversal", about, points: -points, round, createdAt: tx.now });
    reversed += points;
  }
  return reversed;
}

import { sql } from "drizzle-orm";
import { walletEntries } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { requireOpenAccount } from "#app/domains/platform/users/lock-account.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { readProgress } from "./missions.server.ts";
import { findMission } from "./wallet.ts";

/**
 * Adds the points of a mission that the acting patient has done. Idempotent: a unique index refuses a second row of the same
 * mission. After a reversal it can be completed again.
 * @throws DomainError("not-found" | "unauthenticated"), "conflict" when it is not done yet
 */
export async function completeMission(ctx: Ctx<Actor>, key: string): Promise<void> {
  const mission = findMission(key);
  if (!mission || ctx.actor.role !== "patient") throw new DomainError("not-found");
  await transact(ctx, async (tx) => {
    await requireOpenAccount(tx);
    const progress = await readProgress(tx);
    if (progress[mission.key] < mission.total) throw new DomainError("conflict", m.wallet_not_done());
    const patientId = tx.actor.userId;
    // PostgreSQL refuses a second row of the round, so concurrent presses add the points once.
    const round = sql`(select count(*) from wallet_entries where patient_id = ${patientId} and about = ${mission.key} and kind = 'reversal')`;
    const [made] = await tx.db
      .insert(walletEntries)
      .values({ patientId, kind: "mission", about: mission.key, points: mission.points, round, createdAt: tx.now })
      .onConflictDoNothing({ target: [walletEntries.patientId, walletEntries.about, walletEntries.round], where: sql`kind = 'mission'` })
      .returning({ id: walletEntries.id });
    if (!made) return;
    await recordChange(tx, "complete-mission", {
      subject: { wallet: patientId },
      people: { user: patientId },
      details: { mission: mission.key, points: mission.points },
    });
  });
}

import { sql } from "drizzle-orm";
import { userSettings } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { requireOpenAccount } from "#app/domains/platform/users/lock-account.server.ts";
import { recordAudit } from "../audit/record.server.ts";
import type { Settings } from "./settings.ts";

/** Keeps what the acting person chose in one group; what they chose before, there and in the other groups, stays. */
export function saveSettings<Group extends keyof Settings>(ctx: Ctx<Actor>, group: Group, chosen: Partial<Settings[Group]>): Promise<void> {
  const { userId } = ctx.actor;
  return transact(ctx, async (tx) => {
    await requireOpenAccount(tx);
    // Merged by the database: two pages that save different groups at once both count.
    const merged = sql`${userSettings.chosen} || jsonb_build_object(${group}::text, coalesce(${userSettings.chosen} -> ${group}::text, '{}'::jsonb) || ${JSON.stringify(chosen)}::jsonb)`;
    await tx.db
      .insert(userSettings)
      .values({ userId, chosen: { [group]: chosen }, updatedAt: tx.now })
      .onConflictDoUpdate({ target: userSettings.userId, set: { chosen: merged, updatedAt: tx.now } });
    await recordAudit(tx, { action: "save-settings", subjectType: "user", subjectId: userId, personId: userId, details: { ...chosen } });
  });
}

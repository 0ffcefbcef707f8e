import { sql } from "drizzle-orm";
import { userSettings } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { requireOpenAccount } from "#app/domains/platform/users/lock-account.server.ts";
import type { Settings } from "./settings.ts";

/** Saves the actor's choices of one group. Preserves other choices and groups. */
export function saveSettings<Group extends keyof Settings>(ctx: Ctx<Actor>, group: Group, chosen: Partial<Settings[Group]>): Promise<void> {
  const { userId } = ctx.actor;
  return transact(ctx, async (tx) => {
    await requireOpenAccount(tx);
    // Merged in SQL, so that two pages can save different groups concurrently.
    const merged = sql`${userSettings.chosen} || jsonb_build_object(${group}::text, coalesce(${userSettings.chosen} -> ${group}::text, '{}'::jsonb) || ${JSON.stringify(chosen)}::jsonb)`;
    await tx.db
      .insert(userSettings)
      .values({ userId, chosen: { [group]: chosen }, updatedAt: tx.now })
      .onConflictDoUpdate({ target: userSettings.userId, set: { chosen: merged, updatedAt: tx.now } });
    await recordChange(tx, "save-settings", { people: { user: userId }, details: { ...chosen } });
  });
}

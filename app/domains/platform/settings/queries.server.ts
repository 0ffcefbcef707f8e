import { eq } from "drizzle-orm";
import { userSettings } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { mergeSettings, type Settings } from "./settings.ts";

/** Returns the settings of the actor. */
export const getSettings = (ctx: Ctx<Actor>): Promise<Settings> => settingsOf(ctx, ctx.actor.userId);

/** Returns the settings of any user, for background jobs (emails, reminders). */
export async function settingsOf(ctx: Ctx, userId: string): Promise<Settings> {
  const [row] = await ctx.db.select({ chosen: userSettings.chosen }).from(userSettings).where(eq(userSettings.userId, userId));
  return mergeSettings(row?.chosen);
}

import { eq } from "drizzle-orm";
import { userSettings } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { mergeSettings, type Settings } from "./settings.ts";

/** The settings of the acting person. */
export const getSettings = (ctx: Ctx<Actor>): Promise<Settings> => settingsOf(ctx, ctx.actor.userId);

/** The settings of anybody, for work that is done for them (letters, reminders). */
export async function settingsOf(ctx: Ctx, userId: string): Promise<Settings> {
  const [row] = await ctx.db.select({ chosen: userSettings.chosen }).from(userSettings).where(eq(userSettings.userId, userId));
  return mergeSettings(row?.chosen);
}

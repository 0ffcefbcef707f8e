/** Consent to the processing of personal data (DPDP Act 2023, section 6): given by a login beside the notice, or by the answer to a message that links it. */
import { desc, eq } from "drizzle-orm";
import { consents } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { language } from "#app/lib/language.ts";
import type { NOTICE } from "./privacy-notice.ts";

/**
 * Stores the consent of an account that logs in, or books by message: with the channel of the actor. Once for each version of the notice.
 * @param shown the current version, if the page of the login or the message showed it. An old page and the API did not: nothing is stored
 */
export async function recordConsent(ctx: Ctx, userId: string, shown: typeof NOTICE | undefined): Promise<void> {
  if (!shown) return;
  await ctx.db
    .insert(consents)
    .values({ userId, notice: shown, language: language(), channel: ctx.actor?.channel ?? null, at: ctx.now })
    .onConflictDoNothing();
}

/** Returns the acting user's latest consent; null for none. */
export async function getOwnConsent({ db, actor }: Ctx<Actor>): Promise<{ notice: string; at: Date } | null> {
  const [latest] = await db
    .select({ notice: consents.notice, at: consents.at })
    .from(consents)
    .where(eq(consents.userId, actor.userId))
    .orderBy(desc(consents.notice))
    .limit(1);
  return latest ?? null;
}

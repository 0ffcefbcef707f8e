import { and, eq, isNull, sql } from "drizzle-orm";
import { sessions, users } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import type { Language } from "#app/lib/language.ts";

/** Stores the language of the actor's pages and messages, for all devices. */
export function chooseLanguage(ctx: Ctx<Actor>, language: Language): Promise<void> {
  const { userId } = ctx.actor;
  return transact(ctx, async (tx) => {
    const changed = await tx.db
      .update(users)
      .set({ language, updatedAt: tx.now })
      .where(and(eq(users.id, userId), sql`${users.language} is distinct from ${language}`))
      .returning({ id: users.id });
    if (changed.length) await recordChange(tx, "save-settings", { people: { user: userId }, details: { language } });
  });
}

/** Returns the account's language at a login. An account without one takes the language of the browser's pages. */
export async function settleLanguage(ctx: Ctx, tokenHash: string, brought: Language | null): Promise<Language | null> {
  const own = ctx.db.select({ id: sessions.userId }).from(sessions).where(eq(sessions.tokenHash, tokenHash));
  if (brought)
    await ctx.db
      .update(users)
      .set({ language: brought })
      .where(and(eq(users.id, own), isNull(users.language)));
  const [person] = await ctx.db.select({ language: users.language }).from(users).where(eq(users.id, own));
  return person?.language ?? null;
}

import { eq, sql } from "drizzle-orm";
import { assistantChoices } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { requireOpenAccount } from "#app/domains/platform/users/lock-account.server.ts";

/** `helper-none`: no model is configured, or all are retired. `helper-chosen`: the user switched the model off. */
export type WhoAnswers = "model" | "helper-none" | "helper-chosen";
export type Choice = { who: WhoAnswers; consented: boolean };

/** Returns the models that the service no longer has, and the one that answers instead; null: the built-in helper answers. */
export function getRetiredModels(ctx: Ctx): { retired: string[]; answers: string | null } {
  const { models } = ctx.integrations.gemini;
  const retired = models.filter(({ retiredSince }) => retiredSince !== null).map(({ name }) => name);
  return { retired, answers: models.find(({ retiredSince }) => retiredSince === null)?.name ?? null };
}

/** Returns who answers the actor, and whether they consented to sending data to the model. */
export async function getChoice(ctx: Ctx<Actor>): Promise<Choice> {
  if (!ctx.integrations.gemini.connected) return { who: "helper-none", consented: false };
  const [row] = await ctx.db
    .select({ consentedAt: assistantChoices.consentedAt, helperOnly: assistantChoices.helperOnly })
    .from(assistantChoices)
    .where(eq(assistantChoices.userId, ctx.actor.userId));
  return { who: row?.helperOnly ? "helper-chosen" : "model", consented: row?.consentedAt != null };
}
export const whoAnswers = async (ctx: Ctx<Actor>): Promise<WhoAnswers> => (await getChoice(ctx)).who;

/**
 * Stores when the actor first sent something with the notice visible (consent, docs/decisions/021). @throws
 * DomainError("unauthenticated")
 */
export async function consent(ctx: Ctx<Actor>): Promise<void> {
  await transact(ctx, async (tx) => {
    await requireOpenAccount(tx);
    const [first] = await tx.db
      .insert(assistantChoices)
      .values({ userId: tx.actor.userId, consentedAt: tx.now })
      .onConflictDoUpdate({
        target: assistantChoices.userId,
        set: { consentedAt: tx.now },
        setWhere: sql`${assistantChoices.consentedAt} is null`,
      })
      .returning({ userId: assistantChoices.userId });
    if (first) await recordChoice(tx, "consent-assistant");
  });
}

/** Switches the model on or off for the actor. Off revokes the consent. @throws DomainError("unauthenticated") */
export async function chooseAnswerer(ctx: Ctx<Actor>, helperOnly: boolean): Promise<void> {
  await transact(ctx, async (tx) => {
    await requireOpenAccount(tx);
    const set = { helperOnly, consentedAt: helperOnly ? null : tx.now };
    await tx.db
      .insert(assistantChoices)
      .values({ userId: tx.actor.userId, ...set })
      .onConflictDoUpdate({ target: assistantChoices.userId, set });
    await recordChoice(tx, helperOnly ? "withdraw-assistant" : "consent-assistant");
  });
}

const recordChoice = (ctx: Ctx<Actor>, kind: "consent-assistant" | "withdraw-assistant") =>
  recordChange(ctx, kind, { people: { user: ctx.actor.userId } });

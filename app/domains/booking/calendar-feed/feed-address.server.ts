import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { calendarFeeds } from "#app/db/schema/index.ts";
import { opened, sealed } from "#app/db/sealed.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { requireOpenAccount } from "#app/domains/platform/users/lock-account.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { hashToken } from "#app/lib/ids.server.ts";

/** 192 random bits. */
const newKey = () => randomBytes(24).toString("base64url");

const requireOwner = ({ actor }: Ctx<Actor>) => {
  if (actor.role !== "patient" && actor.role !== "doctor") throw new DomainError("forbidden");
};

/** Returns the key of the acting patient's or doctor's calendar; null while it is off. @throws DomainError("forbidden") */
export async function getFeedKey(ctx: Ctx<Actor>): Promise<string | null> {
  requireOwner(ctx);
  const [row] = await ctx.db
    .select({ key: opened(calendarFeeds.key) })
    .from(calendarFeeds)
    .where(eq(calendarFeeds.userId, ctx.actor.userId));
  return row?.key ?? null;
}

/** Gives the actor's calendar a new address. The old one answers 404 from then on. @throws DomainError("forbidden") */
export function replaceFeedKey(ctx: Ctx<Actor>): Promise<void> {
  requireOwner(ctx);
  const { userId } = ctx.actor;
  return transact(ctx, async (tx) => {
    await requireOpenAccount(tx);
    const key = newKey();
    const made = { keyHash: hashToken(key), key: sealed(calendarFeeds.key, userId, key), createdAt: tx.now };
    await tx.db
      .insert(calendarFeeds)
      .values({ userId, ...made })
      .onConflictDoUpdate({ target: calendarFeeds.userId, set: made });
    await recordChange(tx, "replace-calendar-feed", { people: { user: userId } });
  });
}

/** Switches the actor's calendar off. Idempotent. @throws DomainError("forbidden") */
export function endFeed(ctx: Ctx<Actor>): Promise<void> {
  requireOwner(ctx);
  const { userId } = ctx.actor;
  return transact(ctx, async (tx) => {
    const [ended] = await tx.db.delete(calendarFeeds).where(eq(calendarFeeds.userId, userId)).returning({ userId: calendarFeeds.userId });
    if (ended) await recordChange(tx, "end-calendar-feed", { people: { user: userId } });
  });
}

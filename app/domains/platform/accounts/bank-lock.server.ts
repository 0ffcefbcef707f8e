import { eq } from "drizzle-orm";
import { users } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { formatInstant } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";

/**
 * Refuses a change of bank details for a day after a password reset: a thief who holds phone and mailbox would change them first.
 * Takes a lock, so that a reset in progress is waited for.
 * @throws DomainError("forbidden") with the time when it opens
 */
export async function requireOpenBank(ctx: Ctx<Actor>): Promise<void> {
  const [user] = await ctx.db.select({ until: users.bankLockedUntil }).from(users).where(eq(users.id, ctx.actor.userId)).for("share");
  if (user?.until && user.until > ctx.now) throw new DomainError("forbidden", m.accounts_bank_locked({ at: formatInstant(user.until) }));
}

import { eq } from "drizzle-orm";
import { users } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { formatInstant } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";

/**
 * Throws if bank details cannot be changed, for a day after a password reset: a thief with phone and mailbox would change them
 * first. Locks the account, so that it waits for a reset in progress.
 * @throws DomainError("forbidden") with the time when the lock ends
 */
export async function requireOpenBank(ctx: Ctx<Actor>): Promise<void> {
  const [user] = await ctx.db.select({ until: users.bankLockedUntil }).from(users).where(eq(users.id, ctx.actor.userId)).for("share");
  if (user?.until && user.until > ctx.now) throw new DomainError("forbidden", m.accounts_bank_locked({ at: formatInstant(user.until) }));
}

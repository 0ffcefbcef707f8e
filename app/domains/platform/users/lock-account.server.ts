import { and, eq } from "drizzle-orm";
import { users } from "#app/db/schema/index.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";

/**
 * Locks an account until the commit, so that commands of its user that use `requireOpenAccount` wait. Use it when another user's
 * command changes what those commands read.
 */
export async function lockAccount(ctx: Ctx, userId: string): Promise<void> {
  await ctx.db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("update");
}

/**
 * Checks that the actor's account is open, and locks it until the transaction of `ctx` ends: a deletion waits for the commit.
 * Transactions of the same user do not block each other.
 * @throws DomainError("unauthenticated") when the account is closed or deleted
 */
export async function requireOpenAccount(ctx: Ctx<Actor>): Promise<void> {
  const [open] = await ctx.db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, ctx.actor.userId), eq(users.status, "active")))
    .for("key share");
  if (!open) throw new DomainError("unauthenticated");
}

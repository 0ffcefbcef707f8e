import { and, eq } from "drizzle-orm";
import { users } from "#app/db/schema/index.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import type { Actor, Ctx } from "../context.server.ts";

/**
 * Locks an account until the commit, so that commands of its user that use `holdAccount` wait. Use it when another user's
 * command changes what those commands read.
 */
export async function lockAccount(ctx: Ctx, userId: string): Promise<void> {
  await ctx.db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("update");
}

/**
 * Keeps the acting person's account from being deleted while the transaction of `ctx` writes something of theirs: whoever
 * deletes it waits for the commit, and whoever comes after the deletion is refused. Many may hold it at once.
 * @throws DomainError("unauthenticated") when the account is closed or deleted
 */
export async function holdAccount(ctx: Ctx<Actor>): Promise<void> {
  const [open] = await ctx.db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, ctx.actor.userId), eq(users.status, "active")))
    .for("key share");
  if (!open) throw new DomainError("unauthenticated");
}

import { and, eq } from "drizzle-orm";
import { users } from "#app/db/schema/index.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import type { Actor, Ctx } from "../context.server.ts";

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

import { and, asc, eq } from "drizzle-orm";
import { users } from "#app/db/schema/index.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { requireProof } from "#app/domains/platform/accounts/proof.ts";
import { endSessionsOf } from "#app/domains/platform/accounts/sessions.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";

/**
 * Disables an account: ends its sessions and prevents logins. Refuses the actor's own account, and the last active
 * administrator's.
 * @throws DomainError("not-found" | "forbidden" | "conflict")
 */
export async function disableUser(ctx: Ctx<Actor>, input: { id: string; reason: string }): Promise<void> {
  const { id, reason } = input;
  if (ctx.actor.role !== "admin") throw new DomainError("forbidden");
  if (!isUuid(id)) throw new DomainError("not-found");
  if (id === ctx.actor.userId) throw new DomainError("forbidden", m.admin_disable_self());
  requireProof(ctx, "disable-user");
  return transact(ctx, async (tx) => {
    // Locks all administrators in order: two who disable each other concurrently leave one active.
    const admins = await tx.db
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.role, "admin"), eq(users.status, "active")))
      .orderBy(asc(users.id))
      .for("update");
    // The actor may have been disabled while waiting for the lock.
    if (!admins.some((a) => a.id === tx.actor.userId)) throw new DomainError("forbidden");
    if (admins.some((a) => a.id === id) && admins.length === 1) throw new DomainError("conflict", m.users_disable_last());
    const [closed] = await tx.db
      .update(users)
      .set({ status: "disabled", updatedAt: tx.now })
      .where(and(eq(users.id, id), eq(users.status, "active")))
      .returning({ id: users.id });
    if (!closed) throw await gone(tx, id, m.users_disabled_already());
    const ended = await endSessionsOf(tx, id);
    await recordChange(tx, "disable-user", { people: { user: id }, details: { reason, sessionsEnded: ended } });
  });
}

/** Returns why nothing was changed: no such account, or it has the wished status already. */
export async function gone(tx: Ctx<Actor>, id: string, already: string): Promise<DomainError> {
  const [there] = await tx.db.select({ id: users.id }).from(users).where(eq(users.id, id));
  return there ? new DomainError("conflict", already) : new DomainError("not-found");
}

import { and, eq, ne } from "drizzle-orm";
import { hospitals, memberships, users } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { endSessionsOf } from "#app/domains/platform/accounts/sessions.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import { notifySessionsEnded } from "#app/realtime/channels.server.ts";

/** Locks an active place until the end of the transaction: its members and doctors change one after the other. @throws DomainError("not-found") */
export async function lockPlace(tx: Ctx, hospitalId: string): Promise<{ id: string; name: string }> {
  const [place] = isUuid(hospitalId)
    ? await tx.db
        .select({ id: hospitals.id, name: hospitals.name })
        .from(hospitals)
        .where(and(eq(hospitals.id, hospitalId), eq(hospitals.status, "active")))
        .for("no key update")
    : [];
  if (!place) throw new DomainError("not-found");
  return place;
}

/** Throws if this membership is the only active owner of its place. The caller has locked the place. @throws DomainError("conflict") */
export async function requireAnotherOwner(tx: Ctx, row: { id: string; hospitalId: string }): Promise<void> {
  const others = await tx.db
    .select({ id: memberships.id })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(
        eq(memberships.hospitalId, row.hospitalId),
        eq(memberships.role, "owner"),
        eq(memberships.state, "active"),
        eq(users.status, "active"),
        ne(memberships.id, row.id),
      ),
    )
    .limit(1);
  if (!others.length) throw new DomainError("conflict", m.clinic_last_owner());
}

/**
 * Closes the open pages of a user who is no longer an active member of a place. Staff without another place are logged out; others
 * get fresh sockets with the access that they still have.
 */
export async function closeAccess(tx: Ctx, userId: string): Promise<void> {
  const [left] = await tx.db
    .select({ role: users.role, active: tx.db.$count(memberships, and(eq(memberships.userId, userId), eq(memberships.state, "active"))) })
    .from(users)
    .where(eq(users.id, userId));
  if (left?.role === "staff" && left.active === 0) await endSessionsOf(tx, userId);
  else await notifySessionsEnded(tx, { userId });
}

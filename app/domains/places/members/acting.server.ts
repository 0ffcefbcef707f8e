import { and, eq } from "drizzle-orm";
import { doctors, hospitals, memberships, placeDoctors, users } from "#app/db/schema/index.ts";
import { listedDoctor } from "#app/db/schema/visibility.ts";
import type { Actor, Ctx, OnBehalfOf } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { hasPermission, type Permission } from "./permissions.ts";

export type ActingCtx = Ctx<Actor & { onBehalfOf: OnBehalfOf }>;

/** Returns the actor's active membership of a place; null for everyone else, and where the place or the account is closed. */
async function findMembership(ctx: Ctx<Actor>, hospitalId: string | undefined) {
  if (!isUuid(hospitalId)) return null;
  const [row] = await ctx.db
    .select({ role: memberships.role, doctorIds: memberships.doctorIds })
    .from(memberships)
    .innerJoin(hospitals, eq(hospitals.id, memberships.hospitalId))
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(
        eq(memberships.hospitalId, hospitalId),
        eq(memberships.userId, ctx.actor.userId),
        eq(memberships.state, "active"),
        eq(users.status, "active"),
        eq(hospitals.status, "active"),
      ),
    );
  return row ?? null;
}

/**
 * Returns for whom the actor acts at a place; null without the permission. With a doctor: also null unless the doctor is verified,
 * has accepted the place and is one of those the member acts for. `former`: also a doctor who has left the place or the directory,
 * for money that the place received.
 */
export async function mayActFor(
  ctx: Ctx<Actor>,
  hospitalId: string | undefined,
  permission: Permission,
  doctorId: string | null = null,
  { former = false }: { former?: boolean } = {},
): Promise<OnBehalfOf | null> {
  const own = await findMembership(ctx, hospitalId);
  if (!own || !hasPermission(own.role, permission)) return null;
  if (doctorId !== null) {
    if (!isUuid(doctorId) || (own.doctorIds.length && !own.doctorIds.includes(doctorId))) return null;
    if (former) return { hospitalId: hospitalId!, role: own.role, doctorId };
    const [doctor] = await ctx.db
      .select({ id: doctors.id })
      .from(placeDoctors)
      .innerJoin(doctors, eq(doctors.id, placeDoctors.doctorId))
      .where(
        and(
          eq(placeDoctors.hospitalId, hospitalId!),
          eq(placeDoctors.doctorId, doctorId),
          eq(placeDoctors.state, "active"),
          listedDoctor(doctors),
        ),
      );
    if (!doctor) return null;
  }
  return { hospitalId: hospitalId!, role: own.role, doctorId };
}

/**
 * Returns the context of an actor who acts for a place: its audit rows and events name place and doctor. Every command of a member
 * starts with it, also inside its transaction.
 * @throws DomainError("not-found") to users who are not members, "forbidden" to members without the permission
 */
export async function requireActing(
  ctx: Ctx<Actor>,
  hospitalId: string | undefined,
  permission: Permission,
  doctorId: string | null = null,
  of: { former?: boolean } = {},
): Promise<ActingCtx> {
  const onBehalfOf = await mayActFor(ctx, hospitalId, permission, doctorId, of);
  if (onBehalfOf) return { ...ctx, actor: { ...ctx.actor, onBehalfOf } };
  throw new DomainError((await findMembership(ctx, hospitalId)) && doctorId === null ? "forbidden" : "not-found");
}

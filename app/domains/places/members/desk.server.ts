import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { inLanguage } from "#app/db/in-language.server.ts";
import { doctors, hospitals, memberships, placeDoctors } from "#app/db/schema/index.ts";
import { listedDoctor } from "#app/db/schema/visibility.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { language } from "#app/lib/language.ts";
import { hasPermission } from "./permissions.ts";
import { listOwnPlaces } from "./queries.server.ts";

export type DeskPlace = { id: string; name: string };
/** What the pages of /desk start from. `doctors`: those of the place for whom the member acts. */
export type Desk = {
  place: DeskPlace;
  places: DeskPlace[];
  doctors: { id: string; name: string }[] /** The place shows reasons at its desk. */;
  reasons: boolean;
};

/**
 * Returns the place whose agenda the member sees, with its doctors: the wanted place, otherwise the first of theirs. Commands check
 * the member again (`requireActing`).
 * @throws DomainError("not-found") for a wanted place that is not theirs, and to users without a place; "forbidden" to members who see
 * no agenda
 */
export async function getDesk(ctx: Ctx<Actor>, wanted: string | null): Promise<Desk> {
  const own = await listOwnPlaces(ctx);
  const places = own.filter(({ role }) => hasPermission(role, "see-agenda")).map(({ id, name }) => ({ id, name }));
  const place = wanted === null ? places[0] : places.find(({ id }) => id === wanted);
  if (!place) throw new DomainError(own.length && (wanted === null || own.some(({ id }) => id === wanted)) ? "forbidden" : "not-found");
  const [member] = await ctx.db
    .select({ doctorIds: memberships.doctorIds, reasons: hospitals.reasonsAtDesk })
    .from(memberships)
    .innerJoin(hospitals, eq(hospitals.id, memberships.hospitalId))
    .where(and(eq(memberships.hospitalId, place.id), eq(memberships.userId, ctx.actor.userId), eq(memberships.state, "active")));
  const actsFor = member?.doctorIds ?? [];
  const found = await ctx.db
    .select({ id: doctors.id, name: sql<string>`${inLanguage(doctors.fullName, doctors.translations, "name", language())}` })
    .from(placeDoctors)
    .innerJoin(doctors, eq(doctors.id, placeDoctors.doctorId))
    .where(
      and(
        eq(placeDoctors.hospitalId, place.id),
        eq(placeDoctors.state, "active"),
        listedDoctor(doctors),
        actsFor.length ? inArray(doctors.id, actsFor) : undefined,
      ),
    )
    .orderBy(asc(doctors.fullName), asc(doctors.id));
  return { place, places, doctors: found, reasons: member?.reasons ?? false };
}

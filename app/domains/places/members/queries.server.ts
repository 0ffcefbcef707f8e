import { and, asc, eq, ne, sql } from "drizzle-orm";
import { doctors, hospitals, memberships, placeDoctors, users } from "#app/db/schema/index.ts";
import { listedDoctor, listedHospital } from "#app/db/schema/visibility.ts";
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { nameOf } from "#app/domains/platform/users/names.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import type { MemberRole } from "#app/lib/vocabulary.ts";
import { requireActing } from "./acting.server.ts";
import { hasPermission } from "./permissions.ts";

const head = { id: hospitals.id, name: hospitals.name, address: hospitals.address, city: hospitals.city };

/** Returns the places where the actor is an active member. */
export const listOwnPlaces = (ctx: Ctx<Actor>) =>
  ctx.db
    .select({ ...head, role: memberships.role })
    .from(memberships)
    .innerJoin(hospitals, eq(hospitals.id, memberships.hospitalId))
    .where(and(eq(memberships.userId, ctx.actor.userId), eq(memberships.state, "active"), listedHospital(hospitals)))
    .orderBy(asc(hospitals.name), asc(hospitals.id));

/**
 * Returns the places whose staff act for the acting doctor or asked to, and the doctor's own hospital where they can ask it
 * (`askable`). Nothing for others.
 */
export async function listDoctorPlaces(ctx: Ctx<Actor>) {
  if (ctx.actor.role !== "doctor") return { places: [], askable: null };
  const doctorId = ctx.actor.userId;
  const [places, [askable]] = await Promise.all([
    ctx.db
      .select({ ...head, state: placeDoctors.state })
      .from(placeDoctors)
      .innerJoin(hospitals, eq(hospitals.id, placeDoctors.hospitalId))
      .where(and(eq(placeDoctors.doctorId, doctorId), ne(placeDoctors.state, "ended"), listedHospital(hospitals)))
      .orderBy(asc(hospitals.name), asc(hospitals.id)),
    ctx.db
      .select(head)
      .from(doctors)
      .innerJoin(hospitals, eq(hospitals.id, doctors.hospitalId))
      .where(
        and(
          eq(doctors.id, doctorId),
          listedDoctor(doctors),
          listedHospital(hospitals),
          sql`exists (select from memberships o join users u on u.id = o.user_id where o.hospital_id = ${hospitals.id}
            and o.role = 'owner' and o.state = 'active' and u.status = 'active')`,
          sql`not exists (select from place_doctors p where p.hospital_id = ${hospitals.id} and p.doctor_id = ${doctorId} and p.state <> 'ended')`,
        ),
      ),
  ]);
  return { places, askable: askable ?? null };
}

/**
 * Returns whether the user has pages of a place. `clinic`: a membership, or a place that concerns the doctor. `desk`: a membership whose
 * role sees the agenda.
 */
export async function getClinicAccess(ctx: Ctx<Actor>): Promise<{ clinic: boolean; desk: boolean }> {
  const { userId } = ctx.actor;
  const [row] = await ctx.db.execute<{ clinic: boolean; roles: MemberRole[] }>(sql`
    select exists (select from memberships where user_id = ${userId} and state = 'active')
      or exists (select from place_doctors where doctor_id = ${userId} and state <> 'ended')
      or exists (select from doctors d join memberships o on o.hospital_id = d.hospital_id and o.role = 'owner' and o.state = 'active'
        where d.id = ${userId} and d.registration_status = 'verified') as clinic,
      array(select distinct role from memberships where user_id = ${userId} and state = 'active') as roles`);
  return { clinic: row!.clinic, desk: row!.roles.some((role) => hasPermission(role, "see-agenda")) };
}

const doctorFacts = { id: doctors.id, name: doctors.fullName, specialization: doctors.primarySpecialization, photo: doctors.photoFileId };

/** Returns the doctors that the staff of a place act for. */
const doctorsOf = (ctx: Ctx, hospitalId: string) =>
  ctx.db
    .select({ ...doctorFacts, state: placeDoctors.state, listed: listedDoctor(doctors) })
    .from(placeDoctors)
    .innerJoin(doctors, eq(doctors.id, placeDoctors.doctorId))
    .where(and(eq(placeDoctors.hospitalId, hospitalId), ne(placeDoctors.state, "ended")))
    .orderBy(asc(doctors.fullName), asc(doctors.id));

/**
 * Returns a place for one of its members: profile and active doctors. Owners also get the staff with invitations, requests between
 * place and doctors, and verified doctors of this hospital who can be asked.
 * @throws DomainError("not-found" | "forbidden")
 */
export async function getPlace(ctx: Ctx<Actor>, hospitalId: string | undefined) {
  const acting = await requireActing(ctx, hospitalId, "see-place");
  const { role, hospitalId: id } = acting.actor.onBehalfOf;
  const [managesStaff, managesDoctors] = [hasPermission(role, "manage-staff"), hasPermission(role, "manage-doctors")];
  const [[place], all, members, askable] = await Promise.all([
    ctx.db
      .select({
        ...head,
        area: hospitals.area,
        state: hospitals.state,
        pinCode: hospitals.pinCode,
        phone: hospitals.phone,
        email: hospitals.email,
        workingHours: hospitals.workingHours,
        reasonsAtDesk: hospitals.reasonsAtDesk,
      })
      .from(hospitals)
      .where(eq(hospitals.id, id)),
    doctorsOf(ctx, id),
    managesStaff ? listMembers(ctx, id) : [],
    managesDoctors
      ? ctx.db
          .select(doctorFacts)
          .from(doctors)
          .where(
            and(
              eq(doctors.hospitalId, id),
              listedDoctor(doctors),
              sql`not exists (select from place_doctors p where p.hospital_id = ${id} and p.doctor_id = ${doctors.id} and p.state <> 'ended')`,
            ),
          )
          .orderBy(asc(doctors.fullName), asc(doctors.id))
          .limit(100)
      : [],
  ]);
  if (!place) throw new DomainError("not-found");
  const shown = managesDoctors ? all : all.filter((doctor) => doctor.state === "active");
  return { place, role, managesStaff, managesDoctors, doctors: shown, members, askable };
}

/** Members and open invitations, owners first. */
const listMembers = (ctx: Ctx, hospitalId: string) =>
  ctx.db
    .select({
      id: memberships.id,
      userId: memberships.userId,
      role: memberships.role,
      state: memberships.state,
      name: sql<string>`coalesce(nullif(${nameOf("memberships.user_id")}, ''), ${memberships.name})`,
      email: sql<string | null>`coalesce(${users.email}, ${memberships.email})`,
      expiresAt: memberships.expiresAt,
    })
    .from(memberships)
    .leftJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.hospitalId, hospitalId), ne(memberships.state, "ended")))
    .orderBy(sql`${memberships.role} <> 'owner'`, asc(memberships.createdAt), asc(memberships.id))
    .limit(200);

/** Returns a member with the doctors of the place, for its owner. @throws DomainError("not-found" | "forbidden") */
export async function getMember(ctx: Ctx<Actor>, hospitalId: string | undefined, id: string | undefined) {
  const { actor } = await requireActing(ctx, hospitalId, "manage-staff");
  if (!isUuid(id)) throw new DomainError("not-found");
  const place = actor.onBehalfOf.hospitalId;
  const [member] = (await listMembers(ctx, place)).filter((one) => one.id === id);
  if (!member) throw new DomainError("not-found");
  const [[row], [name]] = await Promise.all([
    ctx.db.select({ doctorIds: memberships.doctorIds }).from(memberships).where(eq(memberships.id, id)),
    ctx.db.select({ name: hospitals.name }).from(hospitals).where(eq(hospitals.id, place)),
  ]);
  return {
    ...member,
    place: name!.name,
    doctorIds: row!.doctorIds,
    own: member.userId === actor.userId,
    doctors: await listActiveDoctors(ctx, place),
  };
}

/** Returns the doctors of a place that a member can act for, for its owner. @throws DomainError("not-found" | "forbidden") */
export async function listDoctorChoices(ctx: Ctx<Actor>, hospitalId: string | undefined) {
  const { actor } = await requireActing(ctx, hospitalId, "manage-staff");
  const [place] = await ctx.db.select({ name: hospitals.name }).from(hospitals).where(eq(hospitals.id, actor.onBehalfOf.hospitalId));
  return { place: place!.name, doctors: await listActiveDoctors(ctx, actor.onBehalfOf.hospitalId) };
}
const listActiveDoctors = async (ctx: Ctx, hospitalId: string) =>
  (await doctorsOf(ctx, hospitalId)).filter((doctor) => doctor.state === "active").map(({ id, name }) => ({ id, name }));

/** Returns a doctor of the place, for the owner's confirmation. @throws DomainError("not-found" | "forbidden") */
export async function getPlaceDoctor(ctx: Ctx<Actor>, hospitalId: string | undefined, doctorId: string | undefined) {
  const { actor } = await requireActing(ctx, hospitalId, "manage-doctors");
  const found = (await doctorsOf(ctx, actor.onBehalfOf.hospitalId)).find((doctor) => doctor.id === doctorId);
  if (!found) throw new DomainError("not-found");
  const [place] = await ctx.db.select({ name: hospitals.name }).from(hospitals).where(eq(hospitals.id, actor.onBehalfOf.hospitalId));
  return { ...found, place: place!.name };
}

/** Returns owners and invited owners of a place, for an administrator. */
export async function listOwners(ctx: Ctx<Actor>, hospitalId: string) {
  if (ctx.actor.role !== "admin") throw new DomainError("forbidden");
  return (await listMembers(ctx, hospitalId)).filter((member) => member.role === "owner");
}

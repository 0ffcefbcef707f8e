import { and, eq, inArray, ne, sql } from "drizzle-orm";
import { violatedConstraint } from "#app/db/client.server.ts";
import { doctors, memberships, type PlaceDoctorState, placeDoctors, practices, users } from "#app/db/schema/index.ts";
import { listedDoctor } from "#app/db/schema/visibility.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import { requireActing } from "./acting.server.ts";
import { lockPlace } from "./lock-place.server.ts";
import { PLACE_DOCTOR_ACTIONS, type PlaceDoctorAction } from "./place-doctor.state.ts";
import { listActiveOwners } from "./place-owners.server.ts";
import { acceptPractices } from "./waiting-practices.server.ts";

type Which = { hospitalId: string; doctorId: string };

/** Asks a verified doctor to let the staff of a place act for them, as an owner. The doctor is notified and has to accept. @throws DomainError("not-found" | "forbidden" | "conflict" | "too-many") */
export async function claimDoctor(ctx: Ctx<Actor>, { hospitalId, doctorId }: Which): Promise<void> {
  await requireActing(ctx, hospitalId, "manage-doctors");
  await spendLimits(ctx, [{ limit: "invitation", key: ctx.actor.userId }]);
  if (!isUuid(doctorId)) throw new DomainError("not-found");
  await transact(ctx, async (outer) => {
    const place = await lockPlace(outer, hospitalId);
    const tx = await requireActing(outer, hospitalId, "manage-doctors");
    const [doctor] = await tx.db
      .select({ id: doctors.id })
      .from(doctors)
      .where(and(eq(doctors.id, doctorId), listedDoctor(doctors)));
    if (!doctor) throw new DomainError("not-found");
    await add(tx, { hospitalId, doctorId }, "claimed");
    await recordChange(tx, "claim-doctor", {
      people: { doctor: doctorId },
      details: { hospital: hospitalId },
      // An owner who is the doctor accepts their own place on the same page.
      notify: { doctor: { params: { place: place.name }, target: { page: "clinics" } } },
    });
  });
}

/**
 * As claimDoctor, for the doctor with this email. Does nothing when no verified doctor has it, so that the response reveals no
 * account.
 */
export async function claimDoctorByEmail(ctx: Ctx<Actor>, { hospitalId, email }: { hospitalId: string; email: string }): Promise<void> {
  await requireActing(ctx, hospitalId, "manage-doctors");
  const [found] = await ctx.db
    .select({ id: doctors.id })
    .from(users)
    .innerJoin(doctors, eq(doctors.id, users.id))
    .where(and(eq(users.email, email), eq(users.status, "active"), listedDoctor(doctors)));
  if (!found) {
    await spendLimits(ctx, [{ limit: "invitation", key: ctx.actor.userId }]);
    return;
  }
  try {
    await claimDoctor(ctx, { hospitalId, doctorId: found.id });
  } catch (error) {
    if (!(error instanceof DomainError && error.code === "conflict")) throw error;
  }
}

/** Asks a place to accept the acting doctor. The place has an active owner, who is notified. @throws DomainError("not-found" | "forbidden" | "conflict" | "too-many") */
export async function askPlace(ctx: Ctx<Actor>, hospitalId: string): Promise<void> {
  if (ctx.actor.role !== "doctor") throw new DomainError("forbidden");
  await spendLimits(ctx, [{ limit: "invitation", key: ctx.actor.userId }]);
  await transact(ctx, async (tx) => {
    await lockPlace(tx, hospitalId);
    const doctorId = tx.actor.userId;
    const [doctor] = await tx.db
      .select({ name: doctors.fullName })
      .from(doctors)
      .where(and(eq(doctors.id, doctorId), listedDoctor(doctors)));
    const owners = await listActiveOwners(tx, hospitalId);
    if (!doctor || !owners.length) throw new DomainError("not-found");
    await add(tx, { hospitalId, doctorId }, "asked");
    await recordAsked(tx, { hospitalId, doctorId, name: doctor.name }, owners);
  });
}

const recordAsked = (tx: Ctx<Actor>, { hospitalId, doctorId, name }: Which & { name: string }, owners: { userId: string }[]) =>
  recordChange(tx, "ask-place", {
    people: { doctor: doctorId, owners: owners.map(({ userId }) => userId) },
    details: { hospital: hospitalId },
    notify: { owners: { params: { doctor: name }, target: { page: "clinic", id: hospitalId } } },
  });

/**
 * Does what the acting doctor can do to work at a place: asks its owners, or accepts a place that has asked the doctor. A place without an
 * owner needs no consent. @returns `asked` while an owner has to accept
 * @throws DomainError("too-many")
 */
export async function joinPlace(tx: Ctx<Actor>, hospitalId: string): Promise<"active" | "asked"> {
  if (!(await listActiveOwners(tx, hospitalId)).length) return "active";
  const [own] = await tx.db
    .select({ state: placeDoctors.state })
    .from(placeDoctors)
    .where(and(eq(placeDoctors.hospitalId, hospitalId), eq(placeDoctors.doctorId, tx.actor.userId), ne(placeDoctors.state, "ended")));
  if (!own) await askPlace(tx, hospitalId);
  if (own?.state === "claimed") await acceptPlace(tx, hospitalId);
  return own && own.state !== "asked" ? "active" : "asked";
}

/**
 * Makes the acting doctor the owner of a place and the first doctor that its staff act for. The caller has locked the place, or has just
 * inserted it, and it has no members.
 */
export async function becomeOwner(tx: Ctx<Actor>, hospitalId: string): Promise<void> {
  const { userId } = tx.actor;
  const stamps = { acceptedAt: tx.now, createdAt: tx.now, updatedAt: tx.now };
  const [row] = await tx.db
    .insert(memberships)
    .values({ hospitalId, userId, role: "owner", state: "active", ...stamps })
    .returning({ id: memberships.id });
  await recordChange(tx, "membership.accept", {
    subject: { membership: row!.id },
    people: { user: userId },
    place: hospitalId,
    data: { to: "active", role: "owner" },
    details: { role: "owner", hospital: hospitalId },
  });
  await add(tx, { hospitalId, doctorId: userId }, "claimed");
  await move(tx, { hospitalId, doctorId: userId }, "accept-place");
}

async function add(tx: Ctx<Actor>, { hospitalId, doctorId }: Which, state: PlaceDoctorState): Promise<void> {
  try {
    const [row] = await tx.db
      .insert(placeDoctors)
      .values({ hospitalId, doctorId, state, createdAt: tx.now, updatedAt: tx.now })
      .returning({ id: placeDoctors.id });
    const of = { subject: { "place-doctor": row!.id }, people: { doctor: doctorId }, place: hospitalId };
    await recordChange(tx, "place-doctor.add", { ...of, data: { to: state } });
  } catch (error) {
    if (violatedConstraint(error) === "place_doctors_live") throw new DomainError("conflict", m.clinic_doctor_already());
    throw error;
  }
}

/** Accepts a place that asked the acting doctor. @throws DomainError("not-found" | "forbidden" | "conflict") */
export const acceptPlace = (ctx: Ctx<Actor>, hospitalId: string): Promise<void> => changeAsDoctor(ctx, hospitalId, "accept-place");

/** Ends the acting doctor's work with a place, or declines or withdraws a request. @throws as acceptPlace */
export const leaveAsDoctor = (ctx: Ctx<Actor>, hospitalId: string): Promise<void> => changeAsDoctor(ctx, hospitalId, "end");

async function changeAsDoctor(ctx: Ctx<Actor>, hospitalId: string, action: "accept-place" | "end"): Promise<void> {
  if (ctx.actor.role !== "doctor") throw new DomainError("forbidden");
  await transact(ctx, async (tx) => {
    await lockPlace(tx, hospitalId);
    await move(tx, { hospitalId, doctorId: tx.actor.userId }, action);
  });
}

/** Accepts a doctor who asked the place, or removes one, as an owner. @throws DomainError("not-found" | "forbidden" | "conflict") */
export async function changePlaceDoctor(ctx: Ctx<Actor>, input: Which & { action: "accept-doctor" | "end" }): Promise<void> {
  await requireActing(ctx, input.hospitalId, "manage-doctors");
  await transact(ctx, async (outer) => {
    await lockPlace(outer, input.hospitalId);
    const tx = await requireActing(outer, input.hospitalId, "manage-doctors");
    await move(tx, input, input.action);
  });
}

/** Changes the state. The caller has locked the place. */
async function move(tx: Ctx<Actor>, { hospitalId, doctorId }: Which, action: PlaceDoctorAction): Promise<void> {
  if (!isUuid(doctorId)) throw new DomainError("not-found");
  const rule = PLACE_DOCTOR_ACTIONS[action];
  const own = and(eq(placeDoctors.hospitalId, hospitalId), eq(placeDoctors.doctorId, doctorId));
  const [row] = await tx.db
    .update(placeDoctors)
    .set({ state: rule.to, updatedAt: tx.now, ...(action === "end" ? { endedAt: tx.now } : { acceptedAt: tx.now }) })
    .where(and(own, inArray(placeDoctors.state, [...rule.from])))
    .returning({ id: placeDoctors.id });
  if (!row) throw new DomainError((await tx.db.$count(placeDoctors, own)) ? "conflict" : "not-found", m.clinic_doctor_changed());
  if (action === "end")
    await tx.db
      .update(memberships)
      .set({ doctorIds: sql`array_remove(${memberships.doctorIds}, ${doctorId}::uuid)`, updatedAt: tx.now })
      .where(
        and(
          eq(memberships.hospitalId, hospitalId),
          sql`cardinality(${memberships.doctorIds}) > 1`,
          sql`${doctorId} = any(${memberships.doctorIds})`,
        ),
      );
  if (rule.to === "active") await acceptPractices(tx, { hospitalId, doctorId });
  const of = { subject: { "place-doctor": row.id }, people: { doctor: doctorId }, place: hospitalId };
  await recordChange(tx, action === "end" ? "end-place-doctor" : action, { ...of, details: { hospital: hospitalId } });
  await recordChange(tx, `place-doctor.${action}`, { ...of, data: { to: rule.to } });
}

/**
 * Asks the owners of a place about doctors whose practices wait there and who have not asked, as after a merge. Without an owner the
 * practices open. The caller has locked the place.
 */
export async function askForWaiting(tx: Ctx<Actor>, hospitalId: string): Promise<void> {
  const owners = await listActiveOwners(tx, hospitalId);
  if (!owners.length) return acceptPractices(tx, { hospitalId });
  const waiting = await tx.db
    .selectDistinct({ doctorId: practices.doctorId, name: doctors.fullName })
    .from(practices)
    .innerJoin(doctors, eq(doctors.id, practices.doctorId))
    .where(
      and(
        eq(practices.hospitalId, hospitalId),
        eq(practices.state, "asked"),
        sql`not exists (select from place_doctors o where o.hospital_id = ${hospitalId} and o.doctor_id = ${practices.doctorId} and o.state <> 'ended')`,
      ),
    );
  for (const { doctorId, name } of waiting) {
    await add(tx, { hospitalId, doctorId }, "asked");
    await recordAsked(tx, { hospitalId, doctorId, name }, owners);
  }
}

import { and, asc, eq, sql } from "drizzle-orm";
import type { z } from "zod";
import { doctors, hospitals, memberships, practices } from "#app/db/schema/index.ts";
import { placeOfPractice } from "#app/db/schema/place-of-practice.ts";
import { listedHospital } from "#app/db/schema/visibility.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { findHospitalOption } from "#app/domains/credentials/application/hospital-options.server.ts";
import { findSamePlace } from "#app/domains/credentials/application/propose-hospital.server.ts";
import { columnsOf } from "#app/domains/credentials/hospitals/edit-hospital.server.ts";
import { inviteMember } from "#app/domains/places/members/invite-member.server.ts";
import { lockPlace } from "#app/domains/places/members/lock-place.server.ts";
import { becomeOwner } from "#app/domains/places/members/place-doctors.server.ts";
import { requireProof } from "#app/domains/platform/accounts/proof.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { language } from "#app/lib/language.ts";
import { m } from "#app/paraglide/messages.js";
import { lockDoctor, openPractice } from "./open-practice.server.ts";
import type { OpenClinicSchema } from "./practices.schema.ts";

/** Minutes of a time at first. The doctor changes them with the hours. */
const SLOT_MINUTES = 30;

const place = {
  id: hospitals.id,
  name: hospitals.name,
  address: hospitals.address,
  area: hospitals.area,
  city: hospitals.city,
  pinCode: hospitals.pinCode,
};
const hasMember = sql<boolean>`exists (select from memberships o where o.hospital_id = hospitals.id)`;
/** A place that a doctor entered for a practice is that of others, whatever its category becomes (`openUnlistedPractice`). */
const isOfOthers = sql<boolean>`exists (select from practices p where p.doctor_id = hospitals.proposed_by and p.hospital_id = hospitals.id)`;
const isOwned = sql<boolean>`exists (select from memberships o where o.hospital_id = hospitals.id
  and o.role = 'owner' and o.state = 'active' and o.user_id = hospitals.proposed_by)`;

/**
 * Returns the clinic that the acting doctor opened and owns, its practice, and the staff invited or active; null for none. `entered`: the
 * clinic that the doctor entered as their own in the application, which an administrator has confirmed, and which has no owner yet.
 */
export async function getOwnClinic(ctx: Ctx<Actor>) {
  const [own] = await ctx.db
    .select({ ...place, isOwned })
    .from(hospitals)
    .where(
      and(
        eq(hospitals.proposedBy, ctx.actor.userId),
        eq(hospitals.category, "Clinic"),
        listedHospital(hospitals),
        sql`(${isOwned} or not ${hasMember} and not ${isOfOthers})`,
      ),
    )
    .orderBy(sql`${isOwned} desc`, asc(hospitals.createdAt))
    .limit(1);
  if (!own) return null;
  const [[practice], staff] = await Promise.all([
    ctx.db
      .select({
        id: practices.id,
        hasHours: sql<boolean>`exists (select from practice_hours h where h.practice_id = ${practices.id})`,
      })
      .from(practices)
      .innerJoin(doctors, eq(doctors.id, practices.doctorId))
      .where(and(eq(practices.doctorId, ctx.actor.userId), eq(practices.state, "active"), eq(placeOfPractice, own.id))),
    ctx.db
      .select({ id: memberships.id, name: memberships.name, email: memberships.email, expiresAt: memberships.expiresAt })
      .from(memberships)
      .where(and(eq(memberships.hospitalId, own.id), eq(memberships.state, "invited")))
      .orderBy(asc(memberships.createdAt)),
  ]);
  return { ...own, practice: practice ?? null, invited: staff };
}

/** Says why a place with the typed name and address cannot be opened again, and what the doctor can do. */
async function sameWord(tx: Ctx<Actor>, { id, status }: NonNullable<Awaited<ReturnType<typeof findSamePlace>>>): Promise<string> {
  if (status === "active") return m.practices_own_exists();
  const into = await findHospitalOption(tx, id);
  return into ? m.practices_own_merged({ name: into.name }) : m.practices_own_waits();
}

/**
 * Opens a clinic of the acting verified doctor, listed at once: its owner and first doctor is the doctor, with a practice there. May
 * invite a receptionist. A doctor opens one: a second press or another tab gets the first.
 * @throws DomainError("forbidden" | "invalid" | "conflict" for a place that exists | "unproven" | "too-many")
 */
export async function openClinic(ctx: Ctx<Actor>, input: z.output<typeof OpenClinicSchema>): Promise<void> {
  const { fee, email, receptionist, ...given } = input;
  if (email) requireProof(ctx, "invite-member");
  await transact(ctx, async (tx) => {
    await lockDoctor(tx);
    if ((await getOwnClinic(tx))?.isOwned) return;
    const same = await findSamePlace(tx, given);
    if (same) {
      const sentence = await sameWord(tx, same);
      throw new DomainError("conflict", sentence, { fields: { name: [sentence] } });
    }
    const { columns, place } = await columnsOf(tx, { ...given, seen: "", category: "Clinic", access: [] });
    const stamps = { proposedBy: tx.actor.userId, createdAt: tx.now, updatedAt: tx.now };
    const [made] = await tx.db
      .insert(hospitals)
      .values({ ...columns, ...place, status: "active", ...stamps })
      .returning({ id: hospitals.id });
    const { id } = made!;
    await recordChange(tx, "create-hospital", { subject: { hospital: id }, details: { name: columns.name, city: columns.city } });
    await becomeOwner(tx, id);
    await openPractice(tx, { hospitalId: id, fee, slotMinutes: SLOT_MINUTES, patientsPerSlot: 1 });
    if (email)
      await inviteMember(tx, {
        hospitalId: id,
        email,
        name: receptionist,
        role: "reception",
        doctorIds: [],
        language: language(),
      });
  });
}

/**
 * Makes the acting doctor the owner of the clinic that they entered as their own in the application (`getOwnClinic`). Idempotent.
 * @throws DomainError("forbidden" | "not-found")
 */
export async function ownEnteredClinic(ctx: Ctx<Actor>): Promise<void> {
  await transact(ctx, async (tx) => {
    await lockDoctor(tx);
    const own = await getOwnClinic(tx);
    if (!own) throw new DomainError("not-found");
    if (own.isOwned) return;
    await lockPlace(tx, own.id);
    // An administrator may have invited another owner meanwhile.
    if ((await getOwnClinic(tx))?.id !== own.id) throw new DomainError("not-found");
    await becomeOwner(tx, own.id);
  });
}

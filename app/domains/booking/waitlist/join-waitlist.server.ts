import { randomUUID } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { violatedConstraint } from "#app/db/client.server.ts";
import { appointments, doctors, familyMembers, patients, practices, users, waitlistEntries } from "#app/db/schema/index.ts";
import { listedDoctor } from "#app/db/schema/visibility.ts";
import { isOpen } from "#app/domains/appointment.state.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { ageOf } from "#app/domains/patients/family/family.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import { isAgeGiven, requireBirthDate } from "#app/domains/platform/users/age.schema.ts";
import { bookedAge } from "#app/domains/platform/users/booked-age.ts";
import { requireOpenAccount } from "#app/domains/platform/users/lock-account.server.ts";
import { hasStarted, isReschedulable } from "#app/domains/visit-time.ts";
import { addDays, type DateKey, formatDay, formatTime, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import type { Gender } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { liveEntry } from "./entries.server.ts";
import { findFreeTime } from "./free-times.server.ts";
import { lockWaitlist } from "./lock.server.ts";
import { firstDayOf, MAX_ENTRIES } from "./rules.ts";
import { settleWaitlist } from "./settle.server.ts";
import type { JoinWaitlist } from "./waitlist.schema.ts";

/** Details of a conflict: the free time that suits, and the appointment that can be moved to it. */
export type FreeNow = { free: { date: string; time: string } };

type Person = { memberId: string | null; name: string; phone: string; age: number; birthDate: DateKey | null; gender: Gender };
type Held = { id: string; practiceId: string; date: string; time: string; movable: boolean; person: Person };

/**
 * Puts the acting patient, or a family member, on the waitlist of a doctor. With an appointment: for an earlier time, which replaces it.
 * @throws DomainError("not-found" | "invalid" with fields | "conflict" when they wait already, or a free time suits (FreeNow) | "too-many")
 */
export async function joinWaitlist(ctx: Ctx<Actor>, input: JoinWaitlist): Promise<{ id: string }> {
  await spendLimits(ctx, [{ limit: "waitlist-join", key: ctx.actor.userId }]);
  try {
    return await transact(ctx, (tx) => insertEntry(tx, input));
  } catch (error) {
    if (violatedConstraint(error) === "waitlist_entries_live") throw new DomainError("conflict", m.waitlist_already());
    throw error;
  }
}

async function insertEntry(tx: Ctx<Actor>, input: JoinWaitlist): Promise<{ id: string }> {
  const { doctorId } = input;
  const patientId = tx.actor.userId;
  await lockWaitlist(tx, doctorId);
  await requireOpenAccount(tx);
  const [doctor] = await tx.db
    .select({ hospitalId: doctors.hospitalId })
    .from(doctors)
    .where(and(eq(doctors.id, doctorId), listedDoctor(doctors)));
  if (!doctor) throw new DomainError("not-found");
  const held = input.appointment ? await findHeld(tx, doctorId, input.appointment) : null;
  const practiceId = held?.practiceId ?? (await activePractice(tx, doctorId, input.practiceId));
  await refuseTokens(tx, doctorId, practiceId);
  const person = held?.person ?? (await readPerson(tx, input));
  const today = todayInIndia(tx.now);
  const fromDate = firstDayOf(held ? undefined : input.date, today);
  const untilDate = held ? held.date : addDays(fromDate, input.days);
  const entry = { practiceId, fromDate, untilDate, parts: input.parts, visit: held };
  if (!held || held.movable) {
    const free = await findFreeTime(tx, doctorId, entry);
    if (free) {
      const detail: FreeNow = { free };
      throw new DomainError("conflict", m.waitlist_free_now({ date: formatDay(free.date), time: formatTime(free.time) }), { detail });
    }
  }
  const waiting = await tx.db.$count(waitlistEntries, and(eq(waitlistEntries.patientId, patientId), liveEntry));
  if (waiting >= MAX_ENTRIES) throw new DomainError("conflict", m.waitlist_full({ count: String(MAX_ENTRIES) }));
  const id = randomUUID();
  await tx.db.insert(waitlistEntries).values({
    id,
    patientId,
    doctorId,
    practiceId,
    memberId: person.memberId,
    appointmentId: held?.id ?? null,
    patientName: person.name,
    patientPhone: person.phone,
    patientAge: person.age,
    patientBirthDate: person.birthDate,
    patientGender: person.gender,
    fromDate,
    untilDate,
    parts: input.parts,
    sms: input.sms,
    createdAt: tx.now,
    updatedAt: tx.now,
  });
  await recordChange(tx, "waitlist.join", {
    subject: { waitlist: id, "waitlist-entry": id },
    people: { patient: patientId, doctor: doctorId },
    place: doctor.hospitalId,
    data: { to: "waiting" },
    details: { doctorId, from: fromDate, until: untilDate, ...(held && { appointmentId: held.id }) },
  });
  await settleWaitlist(tx, doctorId);
  return { id };
}

/** Returns the patient's own open appointment with this doctor. @throws DomainError("not-found" | "conflict") */
async function findHeld(tx: Ctx<Actor>, doctorId: string, id: string): Promise<Held> {
  const [row] = await tx.db
    .select({
      id: appointments.id,
      practiceId: appointments.practiceId,
      date: appointments.date,
      time: appointments.time,
      status: appointments.status,
      name: appointments.patientName,
      phone: appointments.patientPhone,
      age: appointments.patientAge,
      birthDate: appointments.patientBirthDate,
      gender: appointments.patientGender,
    })
    .from(appointments)
    .where(and(eq(appointments.id, id), eq(appointments.doctorId, doctorId), eq(appointments.patientId, tx.actor.userId)));
  if (!row) throw new DomainError("not-found");
  if (!isOpen(row)) throw new DomainError("conflict", m.waitlist_visit_closed());
  const { name, phone, age, birthDate, gender, status, ...rest } = row;
  const visit = { ...rest, time: row.time.slice(0, 5) };
  if (hasStarted(tx.now, visit)) throw new DomainError("conflict", m.waitlist_visit_started());
  const movable = isReschedulable(tx.now, { ...visit, status, doctorDelisted: false });
  return { ...visit, movable, person: { memberId: null, name, phone, age, birthDate, gender } };
}

/** Returns the practice that was asked for; null for any. @throws DomainError("not-found") */
async function activePractice(tx: Ctx, doctorId: string, practiceId: string | undefined): Promise<string | null> {
  if (!practiceId) return null;
  const [practice] = await tx.db
    .select({ id: practices.id })
    .from(practices)
    .where(and(eq(practices.id, practiceId), eq(practices.doctorId, doctorId), eq(practices.state, "active")));
  if (!practice) throw new DomainError("not-found");
  return practice.id;
}

/** Refuses practices that give tokens: a session takes patients until it is full, so no time is offered (app/domains/clinic/practices). @throws DomainError("conflict") */
async function refuseTokens(tx: Ctx, doctorId: string, practiceId: string | null): Promise<void> {
  const asked = practiceId ? eq(practices.id, practiceId) : and(eq(practices.doctorId, doctorId), eq(practices.state, "active"));
  if (!(await tx.db.$count(practices, and(asked, eq(practices.mode, "slots")))))
    throw new DomainError("conflict", m.waitlist_gives_tokens());
}

/** Returns who waits: a family member, or the patient with the details of the profile, completed by the form. @throws DomainError("invalid") */
async function readPerson(tx: Ctx<Actor>, input: JoinWaitlist): Promise<Person> {
  const mine = tx.actor.userId;
  const today = todayInIndia(tx.now);
  const [own] = await tx.db
    .select({ phone: users.phone, name: patients.name, dateOfBirth: patients.dateOfBirth, gender: patients.gender })
    .from(users)
    .innerJoin(patients, eq(patients.id, users.id))
    .where(eq(users.id, mine));
  const phone = own?.phone ?? "";
  if (input.who !== "me") {
    const [member] = isUuid(input.who)
      ? await tx.db
          .select()
          .from(familyMembers)
          .where(and(eq(familyMembers.id, input.who), eq(familyMembers.patientId, mine)))
      : [];
    if (!member) throw new DomainError("invalid", undefined, { fields: { who: [m.waitlist_who_gone()] } });
    const years = ageOf(member, today);
    if (!years && !member.dateOfBirth)
      throw new DomainError("invalid", undefined, { fields: { who: [m.age_birth_first({ name: member.name })] } });
    const age = bookedAge({ age: Math.min(120, years), dateOfBirth: member.dateOfBirth ?? undefined }, today);
    return { memberId: member.id, name: member.name, phone, ...age, gender: member.gender };
  }
  requireBirthDate(input.dateOfBirth, today);
  const dateOfBirth = own?.dateOfBirth ?? input.dateOfBirth;
  const [name, gender] = [own?.name ?? input.name, own?.gender ?? input.gender];
  const missing = m.appointments_fill_required();
  const hasAge = isAgeGiven({ age: input.age, dateOfBirth });
  if (!name || !hasAge || !gender)
    throw new DomainError("invalid", undefined, {
      fields: { ...(!name && { name: [missing] }), ...(!hasAge && { age: [missing] }), ...(!gender && { gender: [missing] }) },
    });
  return { memberId: null, name, phone, ...bookedAge({ age: input.age, dateOfBirth }, today), gender };
}

import { and, desc, eq, inArray } from "drizzle-orm";
import {
  appointments,
  type BookingDraftRecord,
  type BookingDraftValues,
  bookingDrafts,
  files,
  patients,
  users,
} from "#app/db/schema/index.ts";
import { opened, sealed } from "#app/db/sealed.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { ageOf } from "#app/domains/patients/family/family.ts";
import { findFamilyMember, listFamily } from "#app/domains/patients/family/queries.server.ts";
import { MAX_RECORDS } from "#app/domains/platform/files/upload-limits.ts";
import { fieldsOfBirthDate } from "#app/domains/platform/users/booked-age.ts";
import { requireOpenAccount } from "#app/domains/platform/users/lock-account.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { isUuid } from "#app/lib/ids.server.ts";
import { normalisePhone } from "#app/lib/phone.ts";
import type { DraftRecord } from "./choices.ts";

/** Returns the patient's draft for this doctor: typed values and uploaded documents. Starts with the values of the profile. */
export async function getBookingDraft(ctx: Ctx<Actor>, doctorId: string): Promise<{ values: BookingDraftValues; records: DraftRecord[] }> {
  const [draft] = await ctx.db
    .select({ values: opened(bookingDrafts.values), records: opened(bookingDrafts.records) })
    .from(bookingDrafts)
    .where(and(eq(bookingDrafts.patientId, ctx.actor.userId), eq(bookingDrafts.doctorId, doctorId)));
  if (!draft) return { values: { ...(await ownValues(ctx)), smsUpdates: "on" }, records: [] };
  const isComplete =
    OWN.every((name) => draft.values[name] || (name === "age" && draft.values.dateOfBirth)) || (draft.values.forWhom ?? "me") !== "me";
  if (isComplete) return { values: draft.values, records: await withNames(ctx, draft.records) };
  const { age, dateOfBirth, ...own } = await ownValues(ctx);
  const typedAge = draft.values.age ?? draft.values.dateOfBirth;
  const values = { ...own, ...(!typedAge && { ...(age && { age }), ...(dateOfBirth && { dateOfBirth }) }), ...draft.values };
  return { values, records: await withNames(ctx, draft.records) };
}

/** What the profile knows of the patient. */
const OWN = ["name", "phone", "gender", "age"] as const;

/**
 * Returns the form values of the acting patient's own profile. Without a birth date there, the age is that of their last appointment with the
 * years since.
 */
async function ownValues(ctx: Ctx<Actor>): Promise<BookingDraftValues> {
  const [me] = await ctx.db
    .select({ name: patients.name, dob: patients.dateOfBirth, gender: patients.gender, phone: users.phone })
    .from(patients)
    .innerJoin(users, eq(users.id, patients.id))
    .where(eq(patients.id, ctx.actor.userId));
  const values: BookingDraftValues = {};
  if (me?.name) values.name = me.name;
  if (me?.phone) values.phone = me.phone.slice(3);
  if (me?.gender) values.gender = me.gender;
  const today = todayInIndia(ctx.now);
  if (me?.dob) Object.assign(values, fieldsOfBirthDate(me.dob, today));
  else if (me?.name) {
    const last = await lastBookingFor(ctx, me.name);
    if (last) values.age = String(ageOf({ dateOfBirth: null, age: last.age, ageOn: last.date }, today));
  }
  return values;
}

/** Returns the acting patient's last booking for a patient of this name. */
async function lastBookingFor(ctx: Ctx<Actor>, name: string) {
  const [last] = await ctx.db
    .select({ phone: appointments.patientPhone, age: appointments.patientAge, date: appointments.date })
    .from(appointments)
    .where(and(eq(appointments.patientId, ctx.actor.userId), eq(appointments.patientName, name)))
    .orderBy(desc(appointments.createdAt))
    .limit(1);
  return last;
}

/**
 * Fills the form for the chosen patient: "me", the id of a family member, or "new" for empty fields. Preserves the reason and
 * the note. Clears health details of the patient chosen before. Another patient gets the number typed before they were chosen, the one they
 * were last booked with, or the account's own.
 */
export async function fillForPerson(ctx: Ctx<Actor>, typed: BookingDraftValues, whom: string): Promise<BookingDraftValues> {
  const { reason, note, smsUpdates } = typed;
  const member = await findFamilyMember(ctx, whom);
  const mine = await ownValues(ctx);
  const { phone: _, ...me } = mine;
  const person: BookingDraftValues =
    whom === "me"
      ? me
      : member
        ? {
            name: member.name,
            // An age of 0 asks for the birth date.
            ...(member.dateOfBirth === null ? { age: String(member.age) } : fieldsOfBirthDate(member.dateOfBirth, todayInIndia(ctx.now))),
            gender: member.gender,
            ...(member.bloodGroup ? { bloodGroup: member.bloodGroup } : {}),
          }
        : {};
  const before = typed.forWhom ?? "me";
  const isSame = before === whom;
  const isOther = typed.phone !== undefined && normalisePhone(typed.phone) !== normalisePhone(mine.phone ?? "");
  const typedFirst = isSame || (before === "me" && isOther) ? typed.phone : undefined;
  const last = !typedFirst && member ? await lastBookingFor(ctx, member.name) : undefined;
  const phone = typedFirst ?? last?.phone.replace(/^\+91/, "") ?? mine.phone;
  return {
    ...person,
    ...(isSame && typed.medicalHistory ? { medicalHistory: typed.medicalHistory } : {}),
    ...(phone ? { phone } : {}),
    ...(reason ? { reason } : {}),
    ...(note ? { note } : {}),
    ...(smsUpdates ? { smsUpdates } : {}),
    forWhom: whom === "me" || member ? whom : "new",
    filledAt: String(ctx.now.getTime()),
  };
}

/**
 * Starts a booking with the doctor of an earlier appointment: fills the form for the same patient, and returns doctor and
 * practice. Keeps documents received for an unfinished booking.
 * @throws DomainError("not-found")
 */
export async function bookAgain(ctx: Ctx<Actor>, id: string): Promise<{ doctorId: string; practiceId: string }> {
  if (!isUuid(id)) throw new DomainError("not-found");
  const [visit] = await ctx.db
    .select({
      doctorId: appointments.doctorId,
      practiceId: appointments.practiceId,
      name: appointments.patientName,
      phone: appointments.patientPhone,
      age: appointments.patientAge,
      birthDate: appointments.patientBirthDate,
      gender: appointments.patientGender,
    })
    .from(appointments)
    .where(and(eq(appointments.id, id), eq(appointments.patientId, ctx.actor.userId)));
  if (!visit) throw new DomainError("not-found");
  const [mine, family, { records }] = await Promise.all([ownValues(ctx), listFamily(ctx), getBookingDraft(ctx, visit.doctorId)]);
  const member = family.find(({ name }) => name === visit.name);
  const whom = mine.name === visit.name ? "me" : (member?.id ?? "new");
  const filled = await fillForPerson(ctx, { smsUpdates: "on" }, whom);
  // Nothing else stores the birth date of a patient who is not on the family list.
  const age = visit.birthDate === null ? { age: String(visit.age) } : { dateOfBirth: visit.birthDate };
  const typed = { name: visit.name, phone: visit.phone.slice(3), gender: visit.gender, ...age };
  await saveBookingDraft(ctx, visit.doctorId, { values: whom === "new" ? { ...filled, ...typed } : filled, records });
  return { doctorId: visit.doctorId, practiceId: visit.practiceId };
}

/**
 * Saves the typed values and received documents for a refused form, a reload or another device. Saves only own pending documents.
 */
export async function saveBookingDraft(
  ctx: Ctx<Actor>,
  doctorId: string,
  draft: { values: BookingDraftValues; records: BookingDraftRecord[] },
): Promise<DraftRecord[]> {
  const records = await withNames(ctx, draft.records.slice(0, MAX_RECORDS));
  const stored = records.map(({ fileId, recordType, description, forWhom }) => ({ fileId, recordType, description, forWhom }));
  await transact(ctx, async (tx) => {
    await requireOpenAccount(tx);
    const row = [tx.actor.userId, doctorId];
    const content = {
      values: sealed(bookingDrafts.values, row, draft.values),
      records: sealed(bookingDrafts.records, row, stored),
      fileIds: stored.map(({ fileId }) => fileId),
      updatedAt: tx.now,
    };
    await tx.db
      .insert(bookingDrafts)
      .values({ patientId: tx.actor.userId, doctorId, ...content })
      .onConflictDoUpdate({ target: [bookingDrafts.patientId, bookingDrafts.doctorId], set: content });
  });
  return records;
}

async function withNames(ctx: Ctx<Actor>, records: BookingDraftRecord[]): Promise<DraftRecord[]> {
  if (!records.length) return [];
  const known = await ctx.db
    .select({ id: files.id, name: opened(files.originalName), byteSize: files.byteSize })
    .from(files)
    .where(
      and(
        inArray(
          files.id,
          records.map((r) => r.fileId),
        ),
        eq(files.ownerId, ctx.actor.userId),
        eq(files.status, "pending"),
      ),
    );
  const byId = new Map(known.map((f) => [f.id, f]));
  return records.flatMap((r) => {
    const file = byId.get(r.fileId);
    return file ? [{ ...r, name: file.name, byteSize: file.byteSize }] : [];
  });
}

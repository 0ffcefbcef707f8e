import { and, eq, inArray } from "drizzle-orm";
import { type BookingDraftRecord, type BookingDraftValues, bookingDrafts, files, patients, users } from "#app/db/schema/index.ts";
import { opened, sealed } from "#app/db/sealed.server.ts";
import { type Actor, type Ctx, transact } from "#app/domains/context.server.ts";
import { findFamilyMember } from "#app/domains/patients/family/queries.server.ts";
import { requireOpenAccount } from "#app/domains/platform/users/lock-account.server.ts";
import { ageOn, todayInIndia } from "#app/lib/dates.ts";
import { type DraftRecord, MAX_RECORDS } from "./choices.ts";

/** Returns the patient's draft for this doctor: typed values and uploaded documents. Starts with the values of the profile. */
export async function getBookingDraft(ctx: Ctx<Actor>, doctorId: string): Promise<{ values: BookingDraftValues; records: DraftRecord[] }> {
  const [draft] = await ctx.db
    .select({ values: opened(bookingDrafts.values), records: opened(bookingDrafts.records) })
    .from(bookingDrafts)
    .where(and(eq(bookingDrafts.patientId, ctx.actor.userId), eq(bookingDrafts.doctorId, doctorId)));
  if (draft) return { values: draft.values, records: await withNames(ctx, draft.records) };
  return { values: await ownValues(ctx), records: [] };
}

/** Returns the form values of the acting patient's own profile. */
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
  if (me?.dob) values.age = String(ageOn(me.dob, todayInIndia(ctx.now)));
  return values;
}

/**
 * Fills the form for the chosen patient: "me", the id of a family member, or "new" for empty fields. Preserves the phone, the
 * reason and the note. Clears health details of the patient chosen before.
 */
export async function fillForPerson(ctx: Ctx<Actor>, typed: BookingDraftValues, whom: string): Promise<BookingDraftValues> {
  const { phone, reason, note } = typed;
  const member = await findFamilyMember(ctx, whom);
  const mine = await ownValues(ctx);
  const person: BookingDraftValues =
    whom === "me"
      ? mine
      : member
        ? {
            name: member.name,
            // The form has no age of 0 (spec 001 §5).
            age: String(Math.max(1, member.age)),
            gender: member.gender,
            ...(member.bloodGroup ? { bloodGroup: member.bloodGroup } : {}),
          }
        : {};
  const same = (typed.forWhom ?? "me") === whom && typed.medicalHistory;
  return {
    ...person,
    ...(same ? { medicalHistory: same } : {}),
    ...((phone ?? mine.phone) ? { phone: phone ?? mine.phone } : {}),
    ...(reason ? { reason } : {}),
    ...(note ? { note } : {}),
    forWhom: whom === "me" || member ? whom : "new",
    filledAt: String(ctx.now.getTime()),
  };
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
  const kept = records.map(({ fileId, recordType, description, forWhom }) => ({ fileId, recordType, description, forWhom }));
  await transact(ctx, async (tx) => {
    await requireOpenAccount(tx);
    const row = [tx.actor.userId, doctorId];
    const content = {
      values: sealed(bookingDrafts.values, row, draft.values),
      records: sealed(bookingDrafts.records, row, kept),
      fileIds: kept.map(({ fileId }) => fileId),
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

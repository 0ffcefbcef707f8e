import { and, eq, inArray } from "drizzle-orm";
import { type BookingDraftRecord, type BookingDraftValues, bookingDrafts, files, patients, users } from "#app/db/schema/index.ts";
import { ageOn, todayInIndia } from "#app/lib/dates.ts";
import type { Actor, Ctx } from "../context.server.ts";
import { MAX_RECORDS } from "./choices.ts";

export type DraftRecord = BookingDraftRecord & { name: string; byteSize: number };

/** What the patient has typed and uploaded for this doctor so far; for a first visit, what their profile says. */
export async function getBookingDraft(ctx: Ctx<Actor>, doctorId: string): Promise<{ values: BookingDraftValues; records: DraftRecord[] }> {
  const [draft] = await ctx.db
    .select()
    .from(bookingDrafts)
    .where(and(eq(bookingDrafts.patientId, ctx.actor.userId), eq(bookingDrafts.doctorId, doctorId)));
  if (draft) return { values: draft.values, records: await withNames(ctx, draft.records) };
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
  return { values, records: [] };
}

/** Keeps what was typed and received, so that a refused form, a reload or another phone loses nothing. Only own pending papers are kept. */
export async function saveBookingDraft(
  ctx: Ctx<Actor>,
  doctorId: string,
  draft: { values: BookingDraftValues; records: BookingDraftRecord[] },
): Promise<DraftRecord[]> {
  const records = await withNames(ctx, draft.records.slice(0, MAX_RECORDS));
  const kept = records.map(({ fileId, recordType, description }) => ({ fileId, recordType, description }));
  await ctx.db
    .insert(bookingDrafts)
    .values({ patientId: ctx.actor.userId, doctorId, values: draft.values, records: kept, updatedAt: ctx.now })
    .onConflictDoUpdate({
      target: [bookingDrafts.patientId, bookingDrafts.doctorId],
      set: { values: draft.values, records: kept, updatedAt: ctx.now },
    });
  return records;
}

async function withNames(ctx: Ctx<Actor>, records: BookingDraftRecord[]): Promise<DraftRecord[]> {
  if (!records.length) return [];
  const known = await ctx.db
    .select({ id: files.id, name: files.originalName, byteSize: files.byteSize })
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

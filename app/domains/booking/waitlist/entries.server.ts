import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { appointments, slotClaims, type WaitlistEnd, waitlistEntries, waitlistOffers } from "#app/db/schema/index.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import type { DateKey, TimeKey } from "#app/lib/dates.ts";
import type { AppointmentStatus } from "#app/lib/vocabulary.ts";
import type { PartOfDay } from "./rules.ts";
import { WAITLIST_ACTIONS, type WaitlistAction } from "./waitlist.state.ts";

/** SQL: the entry is on the list. The indexes have the same text. */
export const liveEntry = sql<boolean>`${waitlistEntries.state} not in ('taken', 'ended')`;

export type Offer = { id: string; practiceId: string; date: DateKey; time: TimeKey; endsAt: Date; sendAt: Date; notifiedAt: Date | null };
export type Entry = {
  id: string;
  patientId: string;
  doctorId: string;
  practiceId: string | null;
  patientName: string;
  fromDate: DateKey;
  untilDate: DateKey;
  parts: PartOfDay[];
  sms: boolean;
  state: "waiting" | "offered" | "passed" | "lapsed";
  lapses: number;
  /** The place that was chosen has closed. */
  placeClosed: boolean;
  /** The place that was chosen gives tokens, or all places of the doctor do: no time will be offered. */
  givesTokens: boolean;
  /** The later appointment, as it is now. */
  visit: { id: string; practiceId: string; date: DateKey; time: TimeKey; status: AppointmentStatus; cancelledBy: string | null } | null;
  offer: Offer | null;
};

/** Returns the entries on a doctor's list in its order, with their live offers. The caller has locked the waitlist. */
export async function readEntries(tx: Ctx, doctorId: string): Promise<Entry[]> {
  const rows = await tx.db
    .select({
      id: waitlistEntries.id,
      patientId: waitlistEntries.patientId,
      doctorId: waitlistEntries.doctorId,
      practiceId: waitlistEntries.practiceId,
      patientName: waitlistEntries.patientName,
      fromDate: waitlistEntries.fromDate,
      untilDate: waitlistEntries.untilDate,
      parts: waitlistEntries.parts,
      sms: waitlistEntries.sms,
      state: waitlistEntries.state,
      lapses: waitlistEntries.lapses,
      placeClosed: sql<boolean>`${sql`exists (select from practices p where p.id = ${waitlistEntries.practiceId} and p.state = 'closed')`}`,
      givesTokens: sql<boolean>`${sql`not exists (select from practices p where p.doctor_id = ${waitlistEntries.doctorId}
        and p.id = coalesce(${waitlistEntries.practiceId}, p.id) and p.state <> 'closed' and p.mode = 'slots')`}`,
      visit: {
        id: appointments.id,
        practiceId: appointments.practiceId,
        date: appointments.date,
        time: appointments.time,
        status: appointments.status,
        cancelledBy: appointments.cancelledBy,
      },
      offer: {
        id: waitlistOffers.id,
        practiceId: waitlistOffers.practiceId,
        date: waitlistOffers.date,
        time: waitlistOffers.time,
        endsAt: waitlistOffers.endsAt,
        sendAt: waitlistOffers.sendAt,
        notifiedAt: waitlistOffers.notifiedAt,
      },
    })
    .from(waitlistEntries)
    .leftJoin(appointments, eq(appointments.id, waitlistEntries.appointmentId))
    .leftJoin(waitlistOffers, and(eq(waitlistOffers.entryId, waitlistEntries.id), eq(waitlistOffers.state, "offered")))
    .where(and(eq(waitlistEntries.doctorId, doctorId), liveEntry))
    .orderBy(asc(waitlistEntries.number));
  const minute = <T extends { time: string }>(row: T | null) => row && { ...row, time: row.time.slice(0, 5) };
  return rows.map((row) => ({ ...row, visit: minute(row.visit), offer: minute(row.offer) }) as Entry);
}

type Changed = Pick<Entry, "id" | "patientId" | "doctorId">;
type More = Partial<typeof waitlistEntries.$inferInsert>;
/** What an action did to: the offered time. */
type About = { date?: string; time?: string; endReason?: WaitlistEnd };

/**
 * Changes the state of an entry, with its event and audit row. Automatic changes have no actor, although another user's command caused them.
 * @returns false when the entry is in another state
 */
export async function moveEntry(tx: Ctx, entry: Changed, action: WaitlistAction, about: About = {}, more: More = {}): Promise<boolean> {
  const rule = WAITLIST_ACTIONS[action];
  const { date, time, endReason } = about;
  const own = tx.actor?.userId === entry.patientId && (rule.by as readonly string[]).includes("patient");
  const as = own ? tx : { ...tx, actor: null };
  const [moved] = await tx.db
    .update(waitlistEntries)
    .set({
      ...more,
      state: rule.to,
      updatedAt: tx.now,
      ...(action === "end" && { endReason: endReason ?? "left", endedAt: tx.now }),
      ...(action === "take" && { endedAt: tx.now }),
    })
    .where(and(eq(waitlistEntries.id, entry.id), inArray(waitlistEntries.state, [...rule.from])))
    .returning({ id: waitlistEntries.id });
  if (!moved) return false;
  const at = { ...(date && { date }), ...(time && { time: time.slice(0, 5) }) };
  await recordChange(as, `waitlist.${action}`, {
    subject: { waitlist: entry.id, "waitlist-entry": entry.id },
    people: { patient: entry.patientId, doctor: entry.doctorId },
    data: { to: rule.to, ...at },
    details: { doctorId: entry.doctorId, ...at, ...(endReason && { why: endReason }) },
  });
  return true;
}

/** Ends a live offer and frees its seat. @returns false when it is over already */
export async function closeOffer(
  tx: Ctx,
  offerId: string,
  state: "taken" | "passed" | "lapsed" | "withdrawn",
  freed: { freedDate?: DateKey; freedTime?: TimeKey } = {},
): Promise<boolean> {
  const [closed] = await tx.db
    .update(waitlistOffers)
    .set({ state, decidedAt: tx.now, ...freed })
    .where(and(eq(waitlistOffers.id, offerId), eq(waitlistOffers.state, "offered")))
    .returning({ id: waitlistOffers.id });
  if (closed) await tx.db.delete(slotClaims).where(eq(slotClaims.offerId, offerId));
  return closed !== undefined;
}

/** Ends an entry and frees the time it was offered. @returns false when it is over already */
export async function endEntry(tx: Ctx, entry: Changed & { offer: { id: string } | null }, endReason: WaitlistEnd): Promise<boolean> {
  if (entry.offer) await closeOffer(tx, entry.offer.id, endReason === "left" ? "passed" : "withdrawn");
  return moveEntry(tx, entry, "end", { endReason });
}

/** Returns the live entries of a patient, with their offers. @param which only those of a family member */
export const listLiveEntriesOf = (ctx: Ctx, patientId: string, which: { memberId?: string } = {}) =>
  ctx.db
    .select({
      id: waitlistEntries.id,
      patientId: waitlistEntries.patientId,
      doctorId: waitlistEntries.doctorId,
      offer: { id: waitlistOffers.id },
    })
    .from(waitlistEntries)
    .leftJoin(waitlistOffers, and(eq(waitlistOffers.entryId, waitlistEntries.id), eq(waitlistOffers.state, "offered")))
    .where(
      and(eq(waitlistEntries.patientId, patientId), liveEntry, which.memberId ? eq(waitlistEntries.memberId, which.memberId) : undefined),
    )
    .orderBy(asc(waitlistEntries.doctorId));

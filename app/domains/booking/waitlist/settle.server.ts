import { randomUUID } from "node:crypto";
import { and, eq, gte, inArray, ne, sql } from "drizzle-orm";
import { doctorNames } from "#app/db/in-language.server.ts";
import { availabilitySlots, doctors, waitlistEntries, waitlistOffers } from "#app/db/schema/index.ts";
import { isListedDoctor } from "#app/db/schema/visibility.ts";
import { isOpen } from "#app/domains/appointment.state.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { recordChange } from "#app/domains/platform/changes/record-change.server.ts";
import { startsLater } from "#app/domains/visit-time.server.ts";
import { hasStarted, minuteInIndia } from "#app/domains/visit-time.ts";
import { timeInIndia, todayInIndia } from "#app/lib/dates.ts";
import { type DoctorNames, doctorParams } from "#app/lib/translations.ts";
import { closeOffer, type Entry, endEntry, moveEntry, type Offer, readEntries } from "./entries.server.ts";
import { type FreeTime, listFreeTimes } from "./free-times.server.ts";
import { MAX_LAPSES, offerTimes, suits } from "./rules.ts";

const deferred = new WeakSet<object>();
/**
 * Runs `work` in the transaction of `tx` without making offers: moves of several appointments to free times come first. The caller then calls
 * `settleWaitlist`.
 */
export async function withoutOffers<T>(tx: Ctx, work: () => Promise<T>): Promise<T> {
  deferred.add(tx.db);
  try {
    return await work();
  } finally {
    deferred.delete(tx.db);
  }
}

type Doctor = DoctorNames & { listed: boolean };

/**
 * Brings a doctor's waitlist up to date: ends offers and entries that are over, sends the messages that waited for the morning, and offers each free
 * time to the first patient whom it suits. Every command that frees a time, opens times or removes them calls it before its commit; a job calls it
 * each minute. The caller has locked the waitlist. Does nothing where no patient waits.
 */
export async function settleWaitlist(tx: Ctx, doctorId: string): Promise<void> {
  if (deferred.has(tx.db)) return;
  const entries = await readEntries(tx, doctorId);
  if (entries.length === 0) return;
  const [row] = await tx.db
    .select({ ...doctorNames, registrationStatus: doctors.registrationStatus })
    .from(doctors)
    .where(eq(doctors.id, doctorId));
  const doctor = { name: row?.name ?? "", translations: row?.translations ?? {}, listed: row !== undefined && isListedDoctor(row) };
  const freed = await endWhatIsOver(tx, doctor, entries);
  for (const entry of entries) if (entry.offer) await sendOffer(tx, doctor, entry, entry.offer);
  const offered = doctor.listed ? await offerFreeTimes(tx, doctorId, doctor, entries) : 0;
  if (freed || offered) await recordChange(tx, "change-offers", {});
}

/** Ends offers and entries that are over. Changes `entries` accordingly. @returns whether a time became free */
async function endWhatIsOver(tx: Ctx, doctor: Doctor, entries: Entry[]): Promise<boolean> {
  const offers = entries.flatMap(({ offer }) => (offer ? [offer] : []));
  const there = offers.length ? await findExisting(tx, entries[0]!.doctorId, offers) : new Set<string>();
  let freed = false;
  const close = async (entry: Entry, state: "lapsed" | "withdrawn") => {
    if (entry.offer) freed = (await closeOffer(tx, entry.offer.id, state)) || freed;
    entry.offer = null;
  };
  const end = async (entry: Entry, reason: Parameters<typeof endEntry>[2]) => {
    freed ||= entry.offer !== null;
    await endEntry(tx, entry, reason);
    await inform(tx, doctor, entry, "waitlist-ended", { why: reason });
    entries.splice(entries.indexOf(entry), 1);
  };
  for (const entry of [...entries]) {
    const { offer, visit } = entry;
    // The patient gave up the appointment, or it took place. One that the doctor cancelled leaves the patient waiting for any time.
    if (visit && !isOpen(visit) && visit.status === "cancelled" && visit.cancelledBy !== "patient") {
      await tx.db.update(waitlistEntries).set({ appointmentId: null, updatedAt: tx.now }).where(eq(waitlistEntries.id, entry.id));
      entry.visit = null;
    } else if (visit && (!isOpen(visit) || hasStarted(tx.now, visit))) {
      await end(entry, visit.status === "cancelled" ? "visit-cancelled" : "visit-over");
      continue;
    }
    if (visit && entry.visit && (visit.date !== entry.untilDate || visit.practiceId !== entry.practiceId)) {
      // It was moved: the entry follows it.
      const follow = { untilDate: visit.date, practiceId: visit.practiceId };
      await tx.db
        .update(waitlistEntries)
        .set({ ...follow, updatedAt: tx.now })
        .where(eq(waitlistEntries.id, entry.id));
      Object.assign(entry, follow, { placeClosed: false, givesTokens: false });
    }
    if (entry.placeClosed) {
      await end(entry, "place-closed");
      continue;
    }
    // A live offer is of a time that stays: the patient answers it first.
    if (entry.givesTokens && !offer) {
      await end(entry, "gives-tokens");
      continue;
    }
    const isLate = offer !== null && !offer.notifiedAt && tx.now >= offer.sendAt;
    // The message waited longer than for the morning: the offer lasts its full length from now. null: it is too late for it.
    const times = isLate ? offerTimes(tx.now, offer) : null;
    if (offer && times) {
      await tx.db.update(waitlistOffers).set(times).where(eq(waitlistOffers.id, offer.id));
      Object.assign(offer, times);
    }
    if (offer && !isLate && tx.now >= offer.endsAt) {
      await close(entry, "lapsed");
      entry.lapses += 1;
      await moveEntry(tx, entry, "lapse", offer, { lapses: entry.lapses });
      if (entry.lapses >= MAX_LAPSES) {
        await end(entry, "unanswered");
        continue;
      }
      await moveEntry(tx, entry, "wait-again");
      entry.state = "waiting";
      await inform(tx, doctor, entry, "waitlist-lapsed", offer);
    } else if (offer && ((isLate && !times) || !doctor.listed || !there.has(offer.id) || !suits(entry, { ...offer, chain: 0 }))) {
      await close(entry, "withdrawn");
      await moveEntry(tx, entry, "withdraw-offer", offer);
      entry.state = "waiting";
      if (offer.notifiedAt) await inform(tx, doctor, entry, "waitlist-withdrawn", offer);
    }
    if (entry.state === "waiting" && entry.untilDate < todayInIndia(tx.now)) await end(entry, "days-over");
  }
  return freed;
}

/** Returns the offers whose times the doctor still has, and which have not begun. */
async function findExisting(tx: Ctx, doctorId: string, offers: Offer[]): Promise<Set<string>> {
  const rows = await tx.db
    .select({ id: waitlistOffers.id })
    .from(waitlistOffers)
    .innerJoin(
      availabilitySlots,
      and(
        eq(availabilitySlots.doctorId, doctorId),
        eq(availabilitySlots.date, waitlistOffers.date),
        eq(availabilitySlots.time, waitlistOffers.time),
        eq(availabilitySlots.practiceId, waitlistOffers.practiceId),
      ),
    )
    .where(
      and(
        inArray(
          waitlistOffers.id,
          offers.map(({ id }) => id),
        ),
        startsLater(availabilitySlots, minuteInIndia(tx.now)),
      ),
    );
  return new Set(rows.map(({ id }) => id));
}

/** Offers each free time, soonest first, to the first waiting patient whom it suits. @returns how many were offered */
async function offerFreeTimes(tx: Ctx, doctorId: string, doctor: Doctor, entries: Entry[]): Promise<number> {
  const waiting = entries.filter(({ state }) => state === "waiting");
  if (waiting.length === 0) return 0;
  const from = waiting.reduce((least, { fromDate }) => (fromDate < least ? fromDate : least), waiting[0]!.fromDate);
  const until = waiting.reduce((most, { untilDate }) => (untilDate > most ? untilDate : most), waiting[0]!.untilDate);
  const free = await listFreeTimes(tx, doctorId, { from, until });
  if (free.length === 0) return 0;
  const before = await listOfferedBefore(tx, waiting);
  let offered = 0;
  // A time of several seats is offered to as many patients, until no seat is left.
  for (const slot of free)
    for (let seat = 0; seat < slot.seats; seat++) {
      const first = waiting.find((entry) => entry.offer === null && suits(entry, slot) && !before.has(keyOf(entry.id, slot)));
      if (!first || !(await makeOffer(tx, doctor, first, slot))) break;
      offered++;
    }
  return offered;
}

const keyOf = (entryId: string, slot: { date: string; time: string }) => `${entryId} ${slot.date} ${slot.time}`;
/** Returns which times these entries were offered before: a patient who passed is not asked about the same time again. */
async function listOfferedBefore(tx: Ctx, entries: Entry[]): Promise<Set<string>> {
  const rows = await tx.db
    .select({
      entryId: waitlistOffers.entryId,
      date: waitlistOffers.date,
      time: sql<string>`to_char(${waitlistOffers.time}, 'HH24:MI')`,
    })
    .from(waitlistOffers)
    .where(
      and(
        inArray(
          waitlistOffers.entryId,
          entries.map(({ id }) => id),
        ),
        gte(waitlistOffers.date, todayInIndia(tx.now)),
        ne(waitlistOffers.state, "withdrawn"),
      ),
    );
  return new Set(rows.map((row) => keyOf(row.entryId, row)));
}

/** Claims a seat of a free time for a patient. @returns false when no seat is left: a booking was first */
async function makeOffer(tx: Ctx, doctor: Doctor, entry: Entry, slot: FreeTime): Promise<boolean> {
  const times = offerTimes(tx.now, slot);
  if (!times) return false;
  const { doctorId } = entry;
  const { practiceId, date, time, chain } = slot;
  const id = randomUUID();
  await tx.db
    .insert(waitlistOffers)
    .values({ id, entryId: entry.id, doctorId, practiceId, date, time, chain, ...times, createdAt: tx.now });
  const claimed = await tx.db.execute(sql`
    insert into slot_claims (doctor_id, date, time, seat, kind, offer_id, created_at)
    select ${doctorId}::uuid, ${date}::date, ${time}::time, free.seat, 'offer', ${id}::uuid, ${tx.now.toISOString()}::timestamptz
    from generate_series(1, ${slot.seats}::int) free(seat)
    where not exists (select from slot_claims c where c.doctor_id = ${doctorId}::uuid and c.date = ${date}::date and c.time = ${time}::time and c.seat = free.seat)
    order by free.seat limit 1
    on conflict do nothing returning seat`);
  if (claimed.length === 0) {
    await tx.db.delete(waitlistOffers).where(eq(waitlistOffers.id, id));
    return false;
  }
  await moveEntry(tx, entry, "offer", slot);
  entry.state = "offered";
  entry.offer = { id, practiceId, date, time, ...times, notifiedAt: null };
  await sendOffer(tx, doctor, entry, entry.offer);
  return true;
}

/** Notifies the patient of an offer, once and not at night. */
async function sendOffer(tx: Ctx, doctor: Doctor, entry: Entry, offer: Offer): Promise<void> {
  if (offer.notifiedAt || tx.now < offer.sendAt) return;
  await tx.db.update(waitlistOffers).set({ notifiedAt: tx.now }).where(eq(waitlistOffers.id, offer.id));
  offer.notifiedAt = tx.now;
  await inform(tx, doctor, entry, "waitlist-offer", {
    ...offer,
    until: timeInIndia(offer.endsAt),
    ends: offer.endsAt.toISOString(),
    sms: entry.sms ? "on" : "",
  });
}

type Facts = { date?: string; time?: string; why?: string; until?: string; ends?: string; sms?: string };
/** Notifies the patient of an entry. */
const inform = (
  tx: Ctx,
  doctor: Doctor,
  entry: Entry,
  kind: "waitlist-offer" | "waitlist-lapsed" | "waitlist-withdrawn" | "waitlist-ended",
  { date = "", time = "", why = "", until = "", ends = "", sms = "" }: Facts,
) =>
  recordChange({ ...tx, actor: null }, "notify-of-waitlist", {
    people: { patient: entry.patientId },
    notify: {
      patient: {
        kind,
        params: { ...doctorParams(doctor), patient: entry.patientName, date, time, why, until, ends, sms },
        target: { page: "patient-waitlist" },
      },
    },
  });

/**
 * Simulates the waitlist of one doctor on the real database: patients cancel, move, book, join, take, pass and leave, several at once, while the
 * doctor opens and removes times and the clock moves on. `replayEvents` then checks the recorded events. Used by a test and by
 * `npm run prove -- waitlist`.
 */
import { and, eq, inArray, sql } from "drizzle-orm";
import { type Database, isDatabaseUnavailable } from "../../app/db/client.server.ts";
import { appointments, availabilitySlots, domainEvents, waitlistEntries, waitlistOffers } from "../../app/db/schema/index.ts";
import { bookAppointment } from "../../app/domains/booking/appointments/book-appointment.server.ts";
import { changeAppointment, rescheduleAppointment } from "../../app/domains/booking/appointments/change-appointment.server.ts";
import { takeOffer } from "../../app/domains/booking/appointments/take-offer.server.ts";
import { closeSlot, addSlots as openTimes } from "../../app/domains/booking/availability/change-slots.server.ts";
import { leaveWaitlist, passOffer } from "../../app/domains/booking/waitlist/answer-offer.server.ts";
import { joinWaitlist } from "../../app/domains/booking/waitlist/join-waitlist.server.ts";
import { lockWaitlist } from "../../app/domains/booking/waitlist/lock.server.ts";
import { type PartOfDay, suits } from "../../app/domains/booking/waitlist/rules.ts";
import { settleWaitlist } from "../../app/domains/booking/waitlist/settle.server.ts";
import { type Actor, type Ctx, transact } from "../../app/domains/context.server.ts";
import { addDays, instantInIndia, timeInIndia, todayInIndia } from "../../app/lib/dates.ts";
import { DomainError } from "../../app/lib/domain-error.ts";
import { makeDoctor, makePatient, type Person } from "../factories/people.ts";

export type Context = (actor: Actor | null, now: Date) => Ctx;
export type Result = {
  cancellations: number;
  offers: number;
  taken: number;
  passed: number;
  lapsed: number;
  swaps: number;
  longestChain: number;
  /** Steps that waited too long for a lock: a server answers them with "try again". */
  busy: number;
  faults: string[];
};

/** A small generator with a seed (mulberry32), so that a failure can be repeated. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const TIMES = ["09:00", "11:00", "14:00", "18:00"];
const PARTS: PartOfDay[][] = [[], [], ["morning"], ["afternoon", "evening"], ["evening"]];
/** Refusals that a patient can meet because others were first. Everything else is a fault. */
const EXPECTED = new Set(["conflict", "slot-taken", "not-found", "too-many"]);

/** Runs steps until so many appointments were cancelled or moved. @param until cancellations and moves */
export async function simulateWaitlist(
  { db, context }: { db: Database; context: Context },
  { seed, until, patients = 24, days = 4 }: { seed: number; until: number; patients?: number; days?: number },
): Promise<Result> {
  const random = randomOf(seed);
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  let now = new Date(instantInIndia(addDays(todayInIndia(new Date()), 2), "09:10"));
  const doctor = await makeDoctor(db, { name: `Dr. Simulated ${seed}` });
  const people: Person[] = [];
  for (let i = 0; i < patients; i++) people.push(await makePatient(db, { name: `Patient ${seed}-${i}` }));
  const result: Result = { cancellations: 0, offers: 0, taken: 0, passed: 0, lapsed: 0, swaps: 0, longestChain: 0, busy: 0, faults: [] };
  const openDays = async () => {
    const from = todayInIndia(now);
    const slots = Array.from({ length: days }, (_, i) => addDays(from, i)).flatMap((date) => TIMES.map((time) => ({ date, time })));
    await db
      .insert(availabilitySlots)
      .values(slots.map((slot) => ({ doctorId: doctor.id, ...slot })))
      .onConflictDoNothing();
  };
  await openDays();
  const as = (person: Person) => context(person.actor, now) as Ctx<Actor>;
  const details = { name: "Patient", phone: "+919876543210", age: 34, gender: "female" as const, reason: "Routine Checkup", records: [] };
  let keys = 0;
  type Slot = { date: string; time: string };
  type Seen = {
    visits: (Slot & { id: string; patientId: string })[];
    free: Slot[];
    offers: (Slot & { id: string; entryId: string; patientId: string })[];
  };
  /** Reads what patients and the doctor see now: open appointments, free times and live offers, in one statement. */
  const lookAround = async (): Promise<Seen> => {
    const at = `${todayInIndia(now)} ${timeInIndia(now)}`;
    const list = (of: ReturnType<typeof sql>) => sql`(select coalesce(json_agg(x), '[]') from (${of}) x)`;
    const [row] = await db.execute<Seen>(sql`select
      ${list(sql`select a.id, a.patient_id as "patientId", a.date::text, to_char(a.time, 'HH24:MI') as time from appointments a
        where a.doctor_id = ${doctor.id} and a.status in ('pending', 'accepted') and a.date + a.time > ${at}::timestamp order by a.date, a.time`)} as visits,
      ${list(sql`select s.date::text, to_char(s.time, 'HH24:MI') as time from availability_slots s
        where s.doctor_id = ${doctor.id} and s.date >= ${at}::timestamp::date and s.date + s.time > ${at}::timestamp
        and not exists (select from slot_claims c where c.doctor_id = s.doctor_id and c.date = s.date and c.time = s.time) order by s.date, s.time`)} as free,
      ${list(sql`select o.id, o.entry_id as "entryId", e.patient_id as "patientId", o.date::text, to_char(o.time, 'HH24:MI') as time
        from waitlist_offers o join waitlist_entries e on e.id = o.entry_id
        where o.doctor_id = ${doctor.id} and o.state = 'offered' order by o.date, o.time`)} as offers`);
    return row!;
  };
  const personOf = (id: string) => people.find((person) => person.id === id)!;
  const bookFor = (person: Person, slot: Slot) =>
    bookAppointment(as(person), {
      ...details,
      name: `Patient of ${person.id.slice(0, 8)}`,
      doctorId: doctor.id,
      ...slot,
      idempotencyKey: `simulated-${seed}-${++keys}`,
    });

  /** Returns one step as a function, chosen by chance; null where nothing fits. */
  function nextStep({ visits, free, offers }: Seen): (() => Promise<unknown>) | null {
    const dice = random();
    if (dice < 0.3) {
      const visit = pick(visits);
      if (!visit) return null;
      const byDoctor = random() < 0.4;
      return async () => {
        await changeAppointment(byDoctor ? (context(doctor.actor, now) as Ctx<Actor>) : as(personOf(visit.patientId)), {
          id: visit.id,
          action: "cancel",
        });
        result.cancellations++;
      };
    }
    if (dice < 0.34) {
      const [visit, slot] = [pick(visits), pick(free)];
      if (!visit || !slot) return null;
      return async () => {
        await rescheduleAppointment(as(personOf(visit.patientId)), { id: visit.id, ...slot });
        result.cancellations++;
      };
    }
    if (dice < 0.38) {
      const slot = pick(free);
      const person = pick(people)!;
      return slot ? () => bookFor(person, slot) : null;
    }
    if (dice < 0.66) {
      const held = random() < 0.5 ? pick(visits) : undefined;
      const person = held ? personOf(held.patientId) : pick(people)!;
      const wish = { parts: pick(PARTS)!, days: pick([0, 7, 30] as const)!, date: addDays(todayInIndia(now), Math.floor(random() * days)) };
      return () =>
        joinWaitlist(as(person), {
          ...wish,
          doctorId: doctor.id,
          appointment: held?.id,
          practiceId: undefined,
          who: "me",
          name: undefined,
          age: 34,
          gender: "female",
          sms: false,
        });
    }
    if (dice < 0.92) {
      const offer = pick(offers);
      if (!offer) return null;
      const answer = random();
      const person = personOf(offer.patientId);
      if (answer < 0.55)
        return () =>
          takeOffer(as(person), offer.id).then(() => {
            result.taken++;
          });
      if (answer < 0.75) return () => passOffer(as(person), offer.id);
      if (answer < 0.82) return () => leaveWaitlist(as(person), offer.entryId);
      // A stranger books the offered time: always refused while the offer lives.
      const stranger = pick(people.filter(({ id }) => id !== offer.patientId))!;
      return () => bookFor(stranger, { date: offer.date, time: offer.time });
    }
    if (dice < 0.95) {
      const slot = pick(free) ?? pick(offers);
      if (!slot) return null;
      return () => closeSlot(context(doctor.actor, now) as Ctx<Actor>, { date: slot.date, time: slot.time });
    }
    const date = addDays(todayInIndia(now), 1 + Math.floor(random() * days));
    return () => openTimes(context(doctor.actor, now) as Ctx<Actor>, [{ date, times: [pick(TIMES)!] }]);
  }

  for (let round = 0; result.cancellations < until; round++) {
    // Most of the time every time is booked or offered: otherwise a patient books instead of waiting.
    let seen = await lookAround();
    if (seen.free.length > 0 && random() < 0.8) {
      await Promise.allSettled(seen.free.map((slot) => bookFor(pick(people)!, slot)));
      seen = await lookAround();
    }
    const steps = [];
    for (let i = 0, count = random() < 0.5 ? 1 : 2 + Math.floor(random() * 3); i < count; i++) {
      const step = nextStep(seen);
      if (step) steps.push(step);
    }
    // A second tab of the same patient, sometimes.
    if (steps.length > 0 && random() < 0.15) steps.push(steps[0]!);
    const outcomes = await Promise.allSettled(steps.map((step) => step()));
    for (const outcome of outcomes)
      if (outcome.status === "rejected" && isDatabaseUnavailable(outcome.reason)) result.busy++;
      else if (outcome.status === "rejected" && !(outcome.reason instanceof DomainError && EXPECTED.has(outcome.reason.code)))
        result.faults.push(`round ${round}: ${String((outcome.reason as Error).cause ?? outcome.reason)}`);
    if (random() < 0.25) {
      // Minutes, or hours: also past the end of offers, through the night and over midnight.
      now = new Date(now.getTime() + (random() < 0.7 ? 1 + random() * 25 : 60 + random() * 300) * 60_000);
      await openDays();
      await transact(context(null, now), async (tx) => {
        await lockWaitlist(tx, doctor.id);
        await settleWaitlist(tx, doctor.id);
      });
      await db.execute(sql`delete from rate_limits`).catch(() => undefined);
    }
    if (round % 25 === 0) result.faults.push(...(await faultsOfClaims(db, doctor.id)));
    if (result.faults.length > 20 || round > until * 60) break;
  }
  result.faults.push(...(await faultsOfClaims(db, doctor.id)), ...(await replayEvents(db, doctor.id, result)));
  return result;
}

/** Returns where claims, open appointments and live offers differ. Empty: each has exactly one seat. */
async function faultsOfClaims(db: Database, doctorId: string): Promise<string[]> {
  const rows = await db.execute<{ fault: string }>(sql`
    select 'two claims on one time: ' || c.date || ' ' || c.time as fault from slot_claims c left join availability_slots s
      on s.doctor_id = c.doctor_id and s.date = c.date and s.time = c.time
      where c.doctor_id = ${doctorId} group by c.date, c.time having count(*) > coalesce(max(s.seats), 1)
    union all select 'appointment without a seat: ' || a.id from appointments a where a.doctor_id = ${doctorId} and a.status <> 'cancelled'
      and not exists (select from slot_claims c where c.appointment_id = a.id and c.date = a.date and c.time = a.time)
    union all select 'offer without a seat: ' || o.id from waitlist_offers o where o.doctor_id = ${doctorId} and o.state = 'offered'
      and not exists (select from slot_claims c where c.offer_id = o.id and c.date = o.date and c.time = o.time)
    union all select 'seat of an offer that is over: ' || o.id from waitlist_offers o join slot_claims c on c.offer_id = o.id
      where o.doctor_id = ${doctorId} and o.state <> 'offered'
    union all select 'state of an entry: ' || e.id || ' ' || e.state from waitlist_entries e where e.doctor_id = ${doctorId}
      and ((e.state = 'offered') <> exists (select from waitlist_offers o where o.entry_id = e.id and o.state = 'offered') or e.state in ('passed', 'lapsed'))`);
  return rows.map(({ fault }) => fault);
}

/**
 * Replays the events of a doctor in their order and returns what broke a rule: a patient skipped in the order, an offer after a take, a change that
 * the states do not allow. Commands that offer times are serialized, so the ids of their events are in the order of their commits.
 */
async function replayEvents(db: Database, doctorId: string, result: Result): Promise<string[]> {
  const entries = await db.select().from(waitlistEntries).where(eq(waitlistEntries.doctorId, doctorId)).orderBy(waitlistEntries.number);
  const offers = await db.select().from(waitlistOffers).where(eq(waitlistOffers.doctorId, doctorId)).orderBy(waitlistOffers.createdAt);
  const events = await db
    .select({ kind: domainEvents.kind, id: domainEvents.subjectId, data: domainEvents.data })
    .from(domainEvents)
    .where(and(eq(domainEvents.doctorId, doctorId), inArray(domainEvents.subjectKind, ["waitlist", "appointment"])))
    .orderBy(domainEvents.id);
  const cancelledBy = new Map(
    (
      await db.select({ id: appointments.id, by: appointments.cancelledBy }).from(appointments).where(eq(appointments.doctorId, doctorId))
    ).map((row) => [row.id, row.by]),
  );
  const held = new Map(await heldAtJoining(db, doctorId));
  const state = new Map<string, string>();
  const offered = new Map<string, string>();
  const before = new Set<string>();
  const visits = new Map<string, { date: string; time: string; practiceId: string } | null>();
  const faults: string[] = [];
  for (const { kind, id, data } of events) {
    const { date = "", time = "" } = data as Record<string, string>;
    if (kind.startsWith("appointment.")) {
      if (kind === "appointment.cancel") {
        visits.set(id, null);
        for (const [entryId, visit] of held) if (visit === id && cancelledBy.get(id) !== "patient") held.delete(entryId);
      } else visits.set(id, { date, time, practiceId: doctorId });
      continue;
    }
    const was = state.get(id);
    if (was === "taken" || was === "ended" || (kind !== "waitlist.join" && was === undefined)) faults.push(`${kind} after ${was}: ${id}`);
    const at = `${date} ${time}`;
    if (kind === "waitlist.offer") {
      result.offers++;
      const own = offers.find((offer) => offer.entryId === id && offer.date === date && offer.time.startsWith(time));
      const chain = own?.chain ?? 0;
      result.longestChain = Math.max(result.longestChain, chain);
      if (was !== "waiting") faults.push(`offer to an entry that is ${was}: ${id}`);
      for (const earlier of entries) {
        if (earlier.id === id) break;
        if (state.get(earlier.id) !== "waiting" || before.has(`${earlier.id} ${at}`)) continue;
        const visit = held.has(earlier.id) ? (visits.get(held.get(earlier.id)!) ?? null) : null;
        if (suits({ ...earlier, visit }, { date, time, practiceId: doctorId, chain }))
          faults.push(`skipped ${earlier.id} for ${id} at ${at}`);
      }
      before.add(`${id} ${at}`);
      offered.set(id, at);
    }
    if (kind === "waitlist.withdraw-offer") before.delete(`${id} ${offered.get(id)}`);
    if (kind === "waitlist.pass") result.passed++;
    if (kind === "waitlist.lapse") result.lapsed++;
    state.set(id, (data as { to?: string }).to ?? "");
  }
  result.swaps = offers.filter(({ freedDate }) => freedDate !== null).length;
  for (const entry of entries)
    if (state.get(entry.id) !== entry.state) faults.push(`events end in ${state.get(entry.id)}, the entry is ${entry.state}: ${entry.id}`);
  return faults;
}

/** Returns which appointment each entry was to move: from its audit row, because the entry forgets one that the doctor cancelled. */
async function heldAtJoining(db: Database, doctorId: string): Promise<[string, string][]> {
  const rows = await db.execute<{ entry: string; visit: string }>(sql`
    select a.subject_id as entry, a.details->>'appointmentId' as visit from audit_log a
    where a.action = 'join-waitlist' and a.details->>'doctorId' = ${doctorId} and a.details ? 'appointmentId'`);
  return rows.map(({ entry, visit }) => [entry, visit]);
}

/** The waitlist: who gets a freed time, and what happens to offers when something else changes. */
import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import {
  appointments,
  doctors,
  domainEvents,
  familyMembers,
  hospitals,
  notifications,
  practices,
  slotClaims,
  waitlistEntries,
  waitlistOffers,
} from "#app/db/schema/index.ts";
import { closePractice } from "#app/domains/clinic/practices/close-practice.server.ts";
import { endLeave, enterLeave, listLeaves } from "#app/domains/clinic/practices/leave.server.ts";
import { setHours } from "#app/domains/clinic/practices/set-hours.server.ts";
import type { Actor } from "#app/domains/context.server.ts";
import { removeFamilyMember } from "#app/domains/patients/family/save-family.server.ts";
import { deleteAccount } from "#app/domains/privacy/own-data/delete-account.server.ts";
import { addDays, instantInIndia, todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { bookingFields, wishFor } from "../../../../tests/factories/booking.ts";
import { addSlots, makeDoctor, makePatient, makeVisit, type Person, type TestDoctor } from "../../../../tests/factories/people.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { bookAppointment } from "../appointments/book-appointment.server.ts";
import { getBookingDraft, saveBookingDraft } from "../appointments/booking-draft.server.ts";
import { changeAppointment } from "../appointments/change-appointment.server.ts";
import { getPatientAppointment } from "../appointments/patient-queries.server.ts";
import { moveAppointment } from "../appointments/proposals.server.ts";
import { takeOffer } from "../appointments/take-offer.server.ts";
import { closeSlot, setDaySlots } from "../availability/change-slots.server.ts";
import { listDaySlots } from "../availability/queries.server.ts";
import { leaveWaitlist, passOffer } from "./answer-offer.server.ts";
import { endEntriesOfMember } from "./end-entries.server.ts";
import { joinWaitlist } from "./join-waitlist.server.ts";
import { MAX_CHAIN } from "./rules.ts";
import { settleAllWaitlists } from "./settle-all.server.ts";
import type { JoinWaitlist } from "./waitlist.schema.ts";

const { db, sql, ctx } = testDb();
const today = todayInIndia(new Date());
/** A day that is full: 10:00 and 10:30, both booked. Now is two days before, at noon. */
const day = addDays(today, 9);
const noon = instantInIndia(addDays(day, -2), "12:00");
const later = (minutes: number, from = noon) => new Date(from.getTime() + minutes * 60_000);

let doctor: TestDoctor;
let [first, second, third]: Person[] = [];
let booked: Person;
let visit: string;
beforeEach(async () => {
  doctor = await makeDoctor(db, { name: "Dr. Asha Rao", slots: ["10:00", "10:30"].map((time) => ({ date: day, time })) });
  [booked, first, second, third] = (await Promise.all(["Booked", "First", "Second", "Third"].map((name) => makePatient(db, { name })))) as [
    Person,
    Person,
    Person,
    Person,
  ];
  visit = await makeVisit(db, { patient: booked, doctor }, { date: day, time: "10:00" });
  await makeVisit(db, { patient: booked, doctor }, { date: day, time: "10:30" });
});

const as = (person: Person | undefined, now = noon) => ctx(person!.actor, now);
const wish = (over: Partial<JoinWaitlist> = {}): JoinWaitlist => ({
  doctorId: doctor.id,
  date: day,
  practiceId: undefined,
  appointment: undefined,
  who: "me",
  name: undefined,
  age: 40,
  gender: "female",
  days: 0,
  parts: [],
  sms: true,
  ...over,
});
const join = (person: Person | undefined, over: Partial<JoinWaitlist> = {}, now = noon) => joinWaitlist(as(person, now), wish(over));
const cancel = (id = visit, now = noon) => changeAppointment(as(booked, now), { id, action: "cancel" });
const job = (now: Date) => settleAllWaitlists(ctx(null, now));
const stateOf = async ({ id }: { id: string }) => (await db.select().from(waitlistEntries).where(eq(waitlistEntries.id, id)))[0]!;
const offerTo = async (person: Person | undefined) => {
  const [row] = await db
    .select({
      id: waitlistOffers.id,
      time: waitlistOffers.time,
      date: waitlistOffers.date,
      endsAt: waitlistOffers.endsAt,
      chain: waitlistOffers.chain,
    })
    .from(waitlistOffers)
    .innerJoin(waitlistEntries, eq(waitlistEntries.id, waitlistOffers.entryId))
    .where(and(eq(waitlistOffers.doctorId, doctor.id), eq(waitlistEntries.patientId, person!.id), eq(waitlistOffers.state, "offered")));
  return row ?? null;
};
const noticesOf = async (person: Person | undefined) =>
  (
    await db
      .select({ kind: notifications.kind })
      .from(notifications)
      .where(eq(notifications.userId, person!.id))
      .orderBy(notifications.createdAt)
  )
    .map(({ kind }) => kind)
    .filter((kind) => kind.startsWith("waitlist"));
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
      return error;
    },
  );
const book = (person: Person | undefined, time = "10:00", now = noon) =>
  bookAppointment(as(person, now), {
    ...(bookingFields() as never as { name: string; phone: string; gender: "female"; reason: string; idempotencyKey: string }),
    phone: "+919876543210",
    age: 34,
    bloodGroup: undefined,
    records: [],
    doctorId: doctor.id,
    date: day,
    time,
  } as Parameters<typeof bookAppointment>[1]);

describe("a freed time", () => {
  it("is offered to the first patient whom it suits, and is booked for others", async () => {
    const evening = await join(first, { parts: ["evening"] });
    const entry = await join(second);
    await join(third);
    await cancel();
    expect((await stateOf(evening)).state).toBe("waiting");
    expect((await stateOf(entry)).state).toBe("offered");
    const offer = (await offerTo(second))!;
    expect(offer.time).toBe("10:00:00");
    expect(offer.endsAt).toEqual(later(120));
    expect(await offerTo(third)).toBeNull();
    expect(await noticesOf(second)).toEqual(["waitlist-offer"]);
    expect((await listDaySlots(ctx(null, noon), doctor.id, day)).map(({ state }) => state)).toEqual(["booked", "booked"]);
    expect(await refusal(book(third))).toMatchObject({ code: "slot-taken" });
    const taken = await takeOffer(as(second), offer.id);
    expect(await takeOffer(as(second), offer.id)).toEqual(taken);
    // No page asked for a reason.
    expect(await getPatientAppointment(as(second), taken.id)).toMatchObject({ reason: "" });
    expect(await stateOf(entry)).toMatchObject({ state: "taken", appointmentId: taken.id });
    const kinds = await db
      .select({ kind: domainEvents.kind })
      .from(domainEvents)
      .where(eq(domainEvents.subjectId, entry.id))
      .orderBy(domainEvents.id);
    expect(kinds.map(({ kind }) => kind)).toEqual(["waitlist.join", "waitlist.offer", "waitlist.take"]);
  });
  it("goes to the next patient after a pass, and is free after the last", async () => {
    const entry = await join(first);
    await join(second);
    await cancel();
    const offer = (await offerTo(first))!;
    await passOffer(as(first), offer.id);
    await passOffer(as(first), offer.id);
    expect((await stateOf(entry)).state).toBe("waiting");
    await passOffer(as(second), (await offerTo(second))!.id);
    await job(later(1));
    expect([await offerTo(first), await offerTo(second)]).toEqual([null, null]);
    expect(await refusal(takeOffer(as(first), offer.id))).toMatchObject({ code: "conflict" });
    await book(third);
  });
  it("is refused after the end of the offer, and goes to the next patient at once", async () => {
    const entry = await join(first);
    await join(second);
    await cancel();
    const offer = (await offerTo(first))!;
    const error = await refusal(takeOffer(as(first, later(120)), offer.id));
    expect(error).toMatchObject({ code: "conflict" });
    expect(error!.sentence).toContain("This offer has ended");
    expect(await stateOf(entry)).toMatchObject({ state: "waiting", lapses: 1 });
    expect((await offerTo(second))!.time).toBe("10:00:00");
    expect(await noticesOf(first)).toEqual(["waitlist-offer", "waitlist-lapsed"]);
  });
  it("passes on when the offer lapses, and an entry ends after three", async () => {
    const entry = await join(first);
    for (const [n, time] of ["11:00", "11:30", "12:00"].entries()) {
      const now = later(n * 130);
      await setDaySlots(ctx(doctor.actor, now), { date: day, slots: ["10:00", "10:30", time] });
      expect((await offerTo(first))!.time).toBe(`${time}:00`);
      await job(later(121, now));
    }
    expect(await stateOf(entry)).toMatchObject({ state: "ended", endReason: "unanswered" });
    expect((await noticesOf(first)).at(-1)).toBe("waitlist-ended");
  });
  it("is set aside at night, and the message waits until 07:00", async () => {
    await join(first);
    const night = instantInIndia(addDays(day, -2), "23:30");
    await cancel(visit, night);
    expect(await noticesOf(first)).toEqual([]);
    expect(await refusal(book(second, "10:00", night))).toMatchObject({ code: "slot-taken" });
    const morning = instantInIndia(addDays(day, -1), "07:00");
    await job(later(-1, morning));
    expect(await noticesOf(first)).toEqual([]);
    await job(morning);
    await job(later(1, morning));
    expect(await noticesOf(first)).toEqual(["waitlist-offer"]);
    expect((await offerTo(first))!.endsAt).toEqual(later(120, morning));
  });
  it("lasts its full length from a late message, and is withdrawn without a lapse when it is too late to send one", async () => {
    const entry = await join(first);
    await cancel(visit, instantInIndia(addDays(day, -2), "23:30"));
    const late = instantInIndia(addDays(day, -1), "09:45");
    await job(late);
    expect(await noticesOf(first)).toEqual(["waitlist-offer"]);
    expect((await offerTo(first))!.endsAt).toEqual(later(120, late));
    await passOffer(as(first, late), (await offerTo(first))!.id);
    await book(second, "10:00", late);
    const [again] = await db.select().from(appointments).where(eq(appointments.patientId, second!.id));
    const other = await join(third, {}, late);
    await changeAppointment(as(second, late), { id: again!.id, action: "cancel" });
    await db.update(waitlistOffers).set({ notifiedAt: null }).where(eq(waitlistOffers.entryId, other.id));
    await job(instantInIndia(day, "09:30"));
    expect(await stateOf(other)).toMatchObject({ state: "waiting", lapses: 0 });
    expect(await stateOf(entry)).toMatchObject({ state: "waiting", lapses: 0 });
  });
  it("keeps an unfinished booking of the patient who takes it", async () => {
    await join(first);
    await saveBookingDraft(as(first), doctor.id, { values: { reason: "Chest pain since Monday" }, records: [] });
    await cancel();
    await takeOffer(as(first), (await offerTo(first))!.id);
    expect((await getBookingDraft(as(first), doctor.id)).values.reason).toBe("Chest pain since Monday");
  });
  it("of one doctor does not wait for the list of another doctor", async () => {
    const others = await makeDoctor(db, { slots: [{ date: day, time: "10:00" }] });
    const there = await makeVisit(db, { patient: booked, doctor: others }, { date: day, time: "10:00" });
    const entries = [await join(first), await join(second, { doctorId: others.id })];
    await cancel();
    await changeAppointment(as(booked), { id: there, action: "cancel" });
    const [blocked] = [doctor.id, others.id].sort();
    await sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtextextended('waitlist:' || ${blocked!}::text, 0))`;
      await expect(job(later(121))).rejects.toThrow();
    });
    const states = await Promise.all(entries.map(async (entry) => [(await stateOf(entry)).doctorId, (await stateOf(entry)).state]));
    expect(Object.fromEntries(states)).toEqual({ [blocked!]: "offered", [[doctor.id, others.id].sort()[1]!]: "waiting" });
  });
  it("is not offered less than an hour before it begins", async () => {
    await join(first);
    await changeAppointment(ctx(doctor.actor, instantInIndia(day, "09:10")), { id: visit, action: "cancel" });
    expect(await offerTo(first)).toBeNull();
  });
});

describe("a later appointment", () => {
  const held = (person: Person | undefined, time: string) => makeVisit(db, { patient: person!, doctor }, { date: addDays(day, 1), time });
  beforeEach(() =>
    addSlots(
      db,
      doctor.id,
      ["10:00", "11:00"].map((time) => ({ date: addDays(day, 1), time })),
    ),
  );

  it("moves when the offer is taken, and its time is offered in turn", async () => {
    const own = await held(first, "10:00");
    await held(second, "11:00");
    const entry = await join(first, { appointment: own });
    await join(third, { days: 7 });
    await cancel();
    await takeOffer(as(first), (await offerTo(first))!.id);
    expect(await stateOf(entry)).toMatchObject({ state: "taken", appointmentId: own });
    expect(await offerTo(third)).toMatchObject({ date: addDays(day, 1), time: "10:00:00", chain: 1 });
    const claims = await db.select().from(slotClaims).where(eq(slotClaims.doctorId, doctor.id));
    expect(claims.map(({ date, time, kind }) => `${date} ${time} ${kind}`)).toContain(`${addDays(day, 1)} 10:00:00 offer`);
  });
  it("is moved at most five times after one cancellation", async () => {
    const times = ["10:00", "11:00", "12:00", "13:00", "14:00", "15:00", "16:00"];
    await addSlots(
      db,
      doctor.id,
      times.slice(2).map((time) => ({ date: addDays(day, 1), time })),
    );
    const people = await Promise.all(times.map(() => makePatient(db, { name: "Chained" })));
    for (const [n, person] of people.entries()) await join(person, { appointment: await held(person, times[n]!) });
    await cancel();
    let moves = 0;
    for (const person of people) {
      const offer = await offerTo(person);
      if (!offer) break;
      expect(offer.chain).toBe(moves++);
      await takeOffer(as(person), offer.id);
    }
    expect(moves).toBe(MAX_CHAIN);
  });
  it("may move again after another cancellation of a time that five moves freed", async () => {
    const at = { date: addDays(day, 1), time: "10:00" };
    const own = await held(second, "11:00");
    const entry = await join(third);
    await cancel();
    const taken = (await offerTo(third))!.id;
    await takeOffer(as(third), taken);
    // As after five moves: the last one freed 10:00 of the next day.
    await db
      .update(waitlistOffers)
      .set({ chain: MAX_CHAIN - 1, freedDate: at.date, freedTime: at.time })
      .where(eq(waitlistOffers.id, taken));
    expect((await stateOf(entry)).state).toBe("taken");
    const stranger = await makeVisit(db, { patient: booked, doctor }, at);
    await join(second, { appointment: own });
    expect(await offerTo(second)).toBeNull();
    await cancel(stranger, later(5));
    expect(await offerTo(second)).toMatchObject({ ...at, time: "10:00:00", chain: 0 });
  });
  it("that the doctor moves to a later day, or to another place, is still moved to an earlier time there", async () => {
    const place = await makeSecondPlace();
    await setDaySlots(ctx(doctor.actor, noon), { date: addDays(day, 3), slots: ["10:00", "17:00"], practiceId: place });
    const own = await held(first, "10:00");
    const entry = await join(first, { appointment: own });
    const stranger = await bookAt(booked, addDays(day, 3), "10:00");
    await moveAppointment(ctx(doctor.actor, noon), { id: own, at: { date: addDays(day, 3), time: "17:00" } });
    expect(await stateOf(entry)).toMatchObject({ practiceId: place, untilDate: addDays(day, 3) });
    await changeAppointment(as(booked), { id: stranger, action: "cancel" });
    const offer = await offerTo(first);
    expect(offer).toMatchObject({ date: addDays(day, 3), time: "10:00:00" });
    await takeOffer(as(first), offer!.id);
    const [row] = await db.select().from(appointments).where(eq(appointments.id, own));
    expect(row).toMatchObject({ date: addDays(day, 3), time: "10:00:00", movedAt: null });
  });
  it("that the patient cancels ends the entry; one that the doctor cancels leaves them waiting", async () => {
    const [mine, theirs] = [await held(first, "10:00"), await held(second, "11:00")];
    const ended = await join(first, { appointment: mine });
    const stays = await join(second, { appointment: theirs });
    await changeAppointment(as(first), { id: mine, action: "cancel" });
    await changeAppointment(ctx(doctor.actor, noon), { id: theirs, action: "cancel" });
    expect(await stateOf(ended)).toMatchObject({ state: "ended", endReason: "visit-cancelled" });
    expect(await stateOf(stays)).toMatchObject({ state: "offered", appointmentId: null });
  });
  it("of another patient is not found", async () => {
    expect(await refusal(join(first, { appointment: await held(second, "10:00") }))).toMatchObject({ code: "not-found" });
  });
});

describe("an offer, when something else changes", () => {
  let entry: { id: string };
  beforeEach(async () => {
    entry = await join(first);
    await cancel();
  });
  const withdrawn = async () => {
    expect((await stateOf(entry)).state).toBe("waiting");
    expect(await offerTo(first)).toBeNull();
    expect(
      await db
        .select()
        .from(slotClaims)
        .where(and(eq(slotClaims.doctorId, doctor.id), eq(slotClaims.kind, "offer"))),
    ).toEqual([]);
    expect((await noticesOf(first)).sort()).toEqual(["waitlist-offer", "waitlist-withdrawn"]);
  };

  it("is withdrawn when the doctor removes the time", async () => {
    const { id } = (await offerTo(first))!;
    await closeSlot(ctx(doctor.actor, noon), { date: day, time: "10:00" });
    await withdrawn();
    expect((await refusal(takeOffer(as(first), id)))!.sentence).toContain("not available at this time any more");
    // The time comes back: it may be offered to the same patient again.
    await setDaySlots(ctx(doctor.actor, noon), { date: day, slots: ["10:00", "10:30"] });
    expect((await offerTo(first))!.time).toBe("10:00:00");
  });
  it("is withdrawn by leave, and times are offered again after it ends", async () => {
    await enterLeave(ctx(doctor.actor, noon), {
      from: day,
      until: day,
      practiceId: null,
      note: null,
      visits: [],
      booked: "keep",
      reason: "emergency",
    } as never);
    await withdrawn();
    await endLeave(ctx(doctor.actor, noon), (await listLeaves(ctx(doctor.actor, noon)))[0]!.id);
    await setDaySlots(ctx(doctor.actor, noon), { date: day, slots: ["10:00", "10:30"] });
    expect(await offerTo(first)).not.toBeNull();
  });
  it("is refused at once and withdrawn by the job when the doctor is suspended", async () => {
    await db.update(doctors).set({ registrationStatus: "suspended" }).where(eq(doctors.id, doctor.id));
    const { id } = (await offerTo(first))!;
    expect(await refusal(takeOffer(as(first), id))).toMatchObject({ code: "conflict" });
    await job(later(1));
    await withdrawn();
    await db.update(doctors).set({ registrationStatus: "verified" }).where(eq(doctors.id, doctor.id));
    await job(later(2));
    expect(await offerTo(first)).not.toBeNull();
  });
  it("stays when the doctor changes the weekly hours", async () => {
    await setHours(ctx(doctor.actor, noon), { id: doctor.id, spans: [{ weekday: 1, from: "15:00", until: "16:00" }] });
    expect((await offerTo(first))!.time).toBe("10:00:00");
  });
  it("goes to the next patient when the patient leaves", async () => {
    await join(second);
    await leaveWaitlist(as(first), entry.id);
    await leaveWaitlist(as(first), entry.id);
    expect(await stateOf(entry)).toMatchObject({ state: "ended", endReason: "left" });
    expect(await offerTo(second)).not.toBeNull();
  });
  it("goes to the next patient when the account is deleted", async () => {
    await join(second);
    await deleteAccount(as(first));
    expect(await db.select().from(waitlistEntries).where(eq(waitlistEntries.patientId, first!.id))).toEqual([]);
    expect(await offerTo(second)).not.toBeNull();
  });
  it("goes to one of several presses, and to no stranger", async () => {
    const { id } = (await offerTo(first))!;
    const results = await Promise.all([
      ...[1, 2, 3, 4].map(() => refusal(takeOffer(as(first), id))),
      refusal(takeOffer(as(second), id)),
      refusal(book(third)),
    ]);
    expect(results.map((error) => error?.code ?? null)).toEqual([null, null, null, null, "not-found", "slot-taken"]);
    expect(await db.$count(slotClaims, and(eq(slotClaims.doctorId, doctor.id), eq(slotClaims.time, "10:00")))).toBe(1);
  });
  it.each([1, 2, 3, 4])("is either taken or withdrawn when the doctor removes the time meanwhile (%i)", async () => {
    const { id } = (await offerTo(first))!;
    const [taken, closed] = await Promise.all([
      refusal(takeOffer(as(first), id)),
      refusal(closeSlot(ctx(doctor.actor, noon), { date: day, time: "10:00" })),
    ]);
    expect([taken?.code ?? null, closed?.code ?? null].filter((code) => code === "conflict")).toHaveLength(1);
    expect((await stateOf(entry)).state).toBe(taken ? "waiting" : "taken");
  });
  it("is taken once when it lapses meanwhile", async () => {
    await join(second);
    const { id } = (await offerTo(first))!;
    await Promise.all([refusal(takeOffer(as(first, later(119)), id)), job(later(120))]);
    const { state } = await stateOf(entry);
    expect(await db.$count(slotClaims, and(eq(slotClaims.doctorId, doctor.id), eq(slotClaims.time, "10:00")))).toBe(1);
    expect(state === "taken" ? await offerTo(second) : (await offerTo(second))?.time).toBe(state === "taken" ? null : "10:00:00");
  });
});

it("withdraws the offers of a practice that closes, and ends the entries for it", async () => {
  const place = await makeSecondPlace();
  const on = addDays(day, 2);
  await setDaySlots(ctx(doctor.actor, noon), { date: on, slots: ["10:00"], practiceId: place });
  const visitThere = await bookAt(booked, on, "10:00");
  const entry = await join(first, { date: on, practiceId: place });
  const anywhere = await join(second, { date: on });
  await changeAppointment(as(booked), { id: visitThere, action: "cancel" });
  expect((await stateOf(entry)).state).toBe("offered");
  await closePractice(ctx(doctor.actor, noon), { id: place, visits: [], booked: "cancel", reason: "emergency", moves: new Map() });
  expect(await stateOf(entry)).toMatchObject({ state: "ended", endReason: "place-closed" });
  expect((await stateOf(anywhere)).state).toBe("waiting");
  expect(await noticesOf(first)).toContain("waitlist-ended");
  expect(await db.$count(slotClaims, and(eq(slotClaims.doctorId, doctor.id), eq(slotClaims.kind, "offer")))).toBe(0);
});
async function makeSecondPlace() {
  const [hospital] = await db
    .insert(hospitals)
    .values({ name: `Second ${doctor.id}`, category: "Clinic", address: "Main Road", city: "Guntur", state: "Andhra Pradesh" })
    .returning({ id: hospitals.id });
  const [practice] = await db.insert(practices).values({ doctorId: doctor.id, hospitalId: hospital!.id }).returning({ id: practices.id });
  return practice!.id;
}
async function bookAt(person: Person, date: string, time: string) {
  return (await bookAppointment(as(person), wishFor(doctor.id, { date, time }))).id;
}

it("ends the entry of a family member who is removed, and frees the offered time", async () => {
  const [member] = await db
    .insert(familyMembers)
    .values({ patientId: first!.id, name: "Savitri Devi", relation: "mother", gender: "female", age: 64, ageOn: today })
    .returning({ id: familyMembers.id });
  await join(first, { who: member!.id });
  await join(second);
  await cancel();
  expect((await offerTo(first))!.time).toBe("10:00:00");
  await removeFamilyMember(as(first), member!.id, endEntriesOfMember);
  expect(await offerTo(second)).not.toBeNull();
  const kinds = await db
    .select({ kind: domainEvents.kind })
    .from(domainEvents)
    .where(and(eq(domainEvents.doctorId, doctor.id), eq(domainEvents.kind, "waitlist.end")));
  expect(kinds).toHaveLength(1);
});

it("ends an entry when its days are over, at midnight in India", async () => {
  const entry = await join(first);
  await job(instantInIndia(day, "23:59"));
  expect((await stateOf(entry)).state).toBe("waiting");
  await job(instantInIndia(addDays(day, 1), "00:00"));
  expect(await stateOf(entry)).toMatchObject({ state: "ended", endReason: "days-over" });
});

describe("joining", () => {
  it("is refused while a time that suits is free, with that time", async () => {
    await addSlots(db, doctor.id, [{ date: day, time: "17:00" }]);
    expect(await refusal(join(first))).toMatchObject({ code: "conflict", detail: { free: { date: day, time: "17:00" } } });
    await join(first, { parts: ["morning"] });
  });
  it("is refused twice for one person, also at once, and allowed for a family member", async () => {
    const results = await Promise.all([1, 2, 3].map(() => refusal(join(first))));
    expect(results.filter((error) => error?.code === "conflict")).toHaveLength(2);
    const [member] = await db
      .insert(familyMembers)
      .values({ patientId: first!.id, name: "Arjun", relation: "son", gender: "male", age: 4, ageOn: today })
      .returning({ id: familyMembers.id });
    await join(first, { who: member!.id });
  });
  it("needs the details that the profile lacks, and own family members", async () => {
    expect((await refusal(join(first, { age: undefined, gender: undefined })))!.fields).toMatchObject({
      age: [expect.any(String)],
      gender: [expect.any(String)],
    });
    expect(await refusal(join(first, { who: second!.id }))).toMatchObject({ code: "invalid" });
  });
  it("is refused for a doctor who is not listed", async () => {
    await db.update(doctors).set({ registrationStatus: "suspended" }).where(eq(doctors.id, doctor.id));
    expect(await refusal(join(first))).toMatchObject({ code: "not-found" });
  });
});

it("answers another patient's offer or entry as not found", async () => {
  const entry = await join(first);
  await cancel();
  const { id } = (await offerTo(first))!;
  const stranger = { userId: second!.id, role: "patient" } satisfies Actor;
  for (const work of [
    () => takeOffer(ctx(stranger, noon), id),
    () => passOffer(ctx(stranger, noon), id),
    () => leaveWaitlist(ctx(stranger, noon), entry.id),
  ])
    expect(await refusal(work())).toMatchObject({ code: "not-found" });
});

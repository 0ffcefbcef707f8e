/** Places, weekly hours and leave of a doctor, also while patients book. */

import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { connect } from "#app/db/client.server.ts";
import { appointments, availabilitySlots, domainEvents, hospitals, leaves, memberships, notifications } from "#app/db/schema/index.ts";
import { bookAppointment } from "#app/domains/booking/appointments/book-appointment.server.ts";
import { changeAppointment } from "#app/domains/booking/appointments/change-appointment.server.ts";
import { addSlots, setDaySlots } from "#app/domains/booking/availability/change-slots.server.ts";
import { listTimes } from "#app/domains/booking/availability/queries.server.ts";
import { changePlaceDoctor, claimDoctor } from "#app/domains/places/members/place-doctors.server.ts";
import { planDay } from "#app/domains/waiting-room/queue/plan-day.server.ts";
import { addDays, instantInIndia, weekdayOf } from "#app/lib/dates.ts";
import type { DomainError } from "#app/lib/domain-error.ts";
import { paise } from "#app/lib/money.ts";
import { env } from "#app/runtime/env.server.ts";
import { wishFor } from "../../../../tests/factories/booking.ts";
import {
  dayFromNow,
  addSlots as giveSlots,
  makeDoctor,
  makePatient,
  makeStaff,
  makeVisit,
  type Person,
  type TestDoctor,
} from "../../../../tests/factories/people.ts";
import { countWaiting } from "../../../../tests/setup/locked.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { changePractice } from "./change-practice.server.ts";
import { closePractice } from "./close-practice.server.ts";
import { listComingVisitsOf } from "./coming-visits.server.ts";
import { endLeave, enterLeave, listLeaves } from "./leave.server.ts";
import { OPEN_DAYS, openAllDays } from "./open-days.server.ts";
import { openPractice } from "./open-practice.server.ts";
import { HoursSchema, leaveSchema } from "./practices.schema.ts";
import { getPractice, listPractices } from "./queries.server.ts";
import { setHours } from "./set-hours.server.ts";

const { db, sql, ctx } = testDb();
const day = dayFromNow(7);
const weekday = weekdayOf(day);
const everyDay = Array.from({ length: 7 }, (_, weekday) => ({ weekday, from: "09:00", until: "09:30" }));
const terms = { fee: null, slotMinutes: 20, patientsPerSlot: 1 };

let doctor: TestDoctor;
let patient: Person;
const as = () => ctx(doctor.actor);
beforeEach(async () => {
  [doctor, patient] = [await makeDoctor(db), await makePatient(db)];
});
const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error as DomainError,
  );
const makePlace = async (status: "active" | "pending" = "active") => {
  const values = {
    name: "Guntur Clinic",
    category: "Clinic",
    address: "Main Road",
    city: "Guntur",
    state: "Andhra Pradesh",
    status,
  } as const;
  const [row] = await db.insert(hospitals).values(values).returning({ id: hospitals.id });
  return row!.id;
};
const timesOn = async (date: string) =>
  (
    await sql<{ time: string }[]>`
      select to_char(time, 'HH24:MI') as time from availability_slots where doctor_id = ${doctor.id} and date = ${date} order by time`
  ).map((row) => row.time);
const datesOf = async () =>
  (await sql<{ date: string }[]>`select distinct date::text from availability_slots where doctor_id = ${doctor.id}`).map(
    ({ date }) => date,
  );
const book = (time: string, date = day) => bookAppointment(ctx(patient.actor), wishFor(doctor.id, { date, time }));
const waiting = () => countWaiting({ sql });
const statusOf = async (id: string) => (await db.select().from(appointments).where(eq(appointments.id, id)))[0]?.status;
const cancel = { booked: "cancel", reason: "busy", moves: new Map() } as const;
const leave = (over: object = {}) => ({
  from: day,
  until: day,
  practiceId: null,
  note: null,
  visits: [] as string[],
  booked: "keep" as const,
  reason: "unwell" as const,
  moves: new Map(),
  ...over,
});

describe("a second place", () => {
  it("has its own fee and hours, and is listed after the first", async () => {
    const place = await makePlace();
    const { id } = await openPractice(as(), { hospitalId: place, fee: paise(30_000), slotMinutes: 20, patientsPerSlot: 2 });
    expect(await listPractices(as())).toMatchObject([
      { id: doctor.id, isFirst: true, fee: 50_000, ownFee: null },
      { id, isFirst: false, place: "Guntur Clinic", fee: paise(30_000), slotMinutes: 20, patientsPerSlot: 2, hours: [] },
    ]);
    expect((await db.select().from(domainEvents).where(eq(domainEvents.subjectId, id))).map(({ kind }) => kind)).toEqual(["practice.open"]);
  });

  it("is refused twice, at the hospital of the profile, and at a place that is not confirmed", async () => {
    const place = await makePlace();
    const twice = await Promise.all([0, 1].map(() => failure(openPractice(as(), { hospitalId: place, ...terms }))));
    expect(twice.map((error) => error?.code).sort()).toEqual(["conflict", undefined]);
    await sql`update doctors set hospital_id = ${await makePlace()} where id = ${doctor.id} returning hospital_id`;
    const [own] = await sql<{ hospital_id: string }[]>`select hospital_id from doctors where id = ${doctor.id}`;
    expect((await failure(openPractice(as(), { hospitalId: own!.hospital_id, ...terms })))?.code).toBe("conflict");
    expect((await failure(openPractice(as(), { hospitalId: await makePlace("pending"), ...terms })))?.code).toBe("invalid");
  });

  it("waits for the owner of the place, and then opens the hours", async () => {
    const place = await makePlace();
    const owner = await makeStaff(db, "staff");
    await db.insert(memberships).values({ hospitalId: place, userId: owner.userId, role: "owner", state: "active" });
    const { id } = await openPractice(as(), { hospitalId: place, ...terms });
    await setHours(as(), { id, spans: [{ weekday, from: "18:00", until: "18:40" }] });
    expect((await failure(addSlots(as(), [{ date: day, times: ["18:00"] }], { practiceId: id })))?.code).toBe("conflict");
    expect([(await getPractice(as(), id)).state, await timesOn(day)]).toEqual(["asked", []]);
    await changePlaceDoctor(ctx(owner), { hospitalId: place, doctorId: doctor.id, action: "accept-doctor" });
    await openAllDays(ctx(null));
    expect([(await getPractice(as(), id)).state, await timesOn(day)]).toEqual(["active", ["18:00", "18:20"]]);
    const kinds = (await db.select().from(domainEvents).where(eq(domainEvents.subjectId, id))).map(({ kind }) => kind);
    expect(kinds.sort()).toEqual(["practice.accept", "practice.open"]);
  });

  it("is open at once where the owner asked the doctor first", async () => {
    const place = await makePlace();
    const owner = await makeStaff(db, "staff");
    await db.insert(memberships).values({ hospitalId: place, userId: owner.userId, role: "owner", state: "active" });
    await claimDoctor(ctx(owner), { hospitalId: place, doctorId: doctor.id });
    const { id } = await openPractice(as(), { hospitalId: place, ...terms });
    expect((await getPractice(as(), id)).state).toBe("active");
  });

  it("is not found by another doctor", async () => {
    const { id } = await openPractice(as(), { hospitalId: await makePlace(), ...terms });
    const other = ctx((await makeDoctor(db)).actor);
    for (const work of [
      () => getPractice(other, id),
      () => setHours(other, { id, spans: [] }),
      () => changePractice(other, { id, ...terms }),
      () => closePractice(other, { id, visits: [], ...cancel }),
      () => enterLeave(other, leave({ practiceId: id })),
    ])
      expect((await failure(work()))?.code).toBe("not-found");
  });

  it("is closed once by two presses, and not by another doctor", async () => {
    const { id } = await openPractice(as(), { hospitalId: await makePlace(), ...terms });
    await closePractice(as(), { id, visits: [], ...cancel });
    expect(await closePractice(as(), { id, visits: [], ...cancel })).toEqual({ cancelled: 0, moved: 0, offered: 0 });
    expect((await failure(closePractice(ctx((await makeDoctor(db)).actor), { id, visits: [], ...cancel })))?.code).toBe("not-found");
    const events = await db.select().from(domainEvents).where(eq(domainEvents.subjectId, id));
    expect(events.filter(({ kind }) => kind === "practice.close")).toHaveLength(1);
  });

  it("closes with its coming times and cancels the appointments that the doctor has seen, and no other", async () => {
    const { id } = await openPractice(as(), { hospitalId: await makePlace(), ...terms });
    await addSlots(as(), [{ date: day, times: ["18:00", "18:20"] }], { practiceId: id });
    await addSlots(as(), [{ date: day, times: ["09:00"] }]);
    const [seen, first] = [await book("18:00"), await book("09:00")];
    const close = (visits: string[]) => closePractice(as(), { id, visits, ...cancel });
    expect((await failure(close([])))?.code).toBe("conflict");
    expect(await statusOf(seen.id)).toBe("pending");
    expect(await close([seen.id])).toEqual({ cancelled: 1, moved: 0, offered: 0 });
    expect([await statusOf(seen.id), await statusOf(first.id), await timesOn(day)]).toEqual(["cancelled", "pending", ["09:00"]]);
    expect((await failure(closePractice(as(), { id: doctor.id, visits: [], ...cancel })))?.code).toBe("conflict");
    expect((await failure(addSlots(as(), [{ date: day, times: ["18:00"] }], { practiceId: id })))?.code).toBe("conflict");
  });
});

describe("weekly hours", () => {
  const morning = { weekday, from: "09:00", until: "10:00" };
  const evening = { weekday, from: "18:00", until: "18:30" };

  it("open the times of several spans for 60 days, and no time in the past", async () => {
    await setHours(as(), { id: doctor.id, spans: [morning, evening] });
    expect(await timesOn(day)).toEqual(["09:00", "09:30", "18:00"]);
    const dates = (await listTimes(ctx(null), { doctorId: doctor.id, booked: false })).map(({ date }) => date);
    expect(dates.length).toBeGreaterThanOrEqual(Math.floor(OPEN_DAYS / 7));
    expect(dates.every((date) => weekdayOf(date) === weekday && date < dayFromNow(OPEN_DAYS))).toBe(true);
  });

  it("end with the last time that fits before midnight", async () => {
    await changePractice(as(), { id: doctor.id, slotMinutes: 60, patientsPerSlot: 1 });
    await setHours(as(), { id: doctor.id, spans: [{ weekday, from: "21:30", until: "23:59" }] });
    expect(await timesOn(day)).toEqual(["21:30", "22:30"]);
  });

  it("leave a booked time and a day that the doctor changed by hand", async () => {
    await setHours(as(), { id: doctor.id, spans: [morning] });
    const { id } = await book("09:30");
    await setDaySlots(as(), { date: dayFromNow(14), slots: ["12:00"] });
    await setHours(as(), { id: doctor.id, spans: [evening] });
    expect([await timesOn(day), await timesOn(dayFromNow(14))]).toEqual([["09:30", "18:00"], ["12:00"]]);
    await setHours(as(), { id: doctor.id, spans: [] });
    expect([await timesOn(day), await timesOn(dayFromNow(14)), await statusOf(id)]).toEqual([["09:30"], ["12:00"], "pending"]);
  });

  it("never open again a day that the doctor emptied, nor change a day from before the hours", async () => {
    await giveSlots(db, doctor.id, [{ date: dayFromNow(14), time: "11:00" }]);
    await setHours(as(), { id: doctor.id, spans: [morning] });
    await setDaySlots(as(), { date: day, slots: [] });
    await openAllDays(ctx(null));
    expect([await timesOn(day), await timesOn(dayFromNow(14))]).toEqual([[], ["11:00"]]);
  });

  it("are topped up by the job, once, also when it runs twice at the same time", async () => {
    await setHours(as(), { id: doctor.id, spans: [morning] });
    // A week later the same weekday is new at the end of the 60 days.
    const inAWeek = { ...ctx(null), now: new Date(Date.now() + 7 * 86_400_000) };
    const [before, all] = [(await datesOf()).length, await db.$count(availabilitySlots)];
    const [one, other] = await Promise.all([openAllDays(inAWeek), openAllDays(inAWeek)]);
    expect((await datesOf()).length).toBe(before + 1);
    // The two may share doctors of earlier tests: each time is opened by one of them.
    expect(one + other).toBe((await db.$count(availabilitySlots)) - all);
  });

  it("open one more day at midnight in India, and no time of the day that is over", async () => {
    await setHours(as(), { id: doctor.id, spans: everyDay });
    const [before, after] = [instantInIndia(day, "23:59"), instantInIndia(addDays(day, 1), "00:00")];
    await sql`delete from availability_slots where doctor_id = ${doctor.id}`;
    await openAllDays({ ...ctx(null), now: before });
    expect([(await datesOf()).sort().at(0), (await datesOf()).sort().at(-1)]).toEqual([addDays(day, 1), addDays(day, OPEN_DAYS - 1)]);
    await openAllDays({ ...ctx(null), now: after });
    expect((await datesOf()).sort().at(-1)).toBe(addDays(day, OPEN_DAYS));
    expect(await timesOn(day)).toEqual([]);
  });
  it("are topped up with one query while no doctor is behind", async () => {
    await setHours(as(), { id: doctor.id, spans: [morning] });
    await openAllDays(ctx(null));
    const statements: string[] = [];
    const noted = new Proxy(db, {
      get: (target, name) => {
        if (typeof name === "string" && ["selectDistinct", "select", "transaction", "execute", "update"].includes(name))
          statements.push(name);
        return Reflect.get(target, name, target);
      },
    });
    expect(await openAllDays({ ...ctx(null), db: noted })).toBe(0);
    expect(statements).toEqual(["selectDistinct"]);
  });

  it("are refused while the doctor is in another place, in weekly hours and on a single day", async () => {
    const { id } = await openPractice(as(), { hospitalId: await makePlace(), ...terms });
    await setHours(as(), { id: doctor.id, spans: [morning] });
    expect((await failure(setHours(as(), { id, spans: [{ weekday, from: "09:30", until: "11:00" }] })))?.code).toBe("conflict");
    await addSlots(as(), [{ date: dayFromNow(14), times: ["18:00"] }]);
    await setHours(as(), { id, spans: [evening] });
    expect(await timesOn(dayFromNow(14))).not.toContain("18:20");
    expect(await timesOn(day)).toEqual(["09:00", "09:30", "18:00"]);
  });

  it("follow a new length and number of patients, and keep seats that are booked", async () => {
    await setHours(as(), { id: doctor.id, spans: [morning] });
    await changePractice(as(), { id: doctor.id, slotMinutes: 20, patientsPerSlot: 3 });
    expect(await timesOn(day)).toEqual(["09:00", "09:20", "09:40"]);
    await book("09:00");
    await bookAppointment(ctx((await makePatient(db)).actor), wishFor(doctor.id, { date: day, time: "09:00" }));
    await changePractice(as(), { id: doctor.id, slotMinutes: 20, patientsPerSlot: 1 });
    const rows = await db.select().from(availabilitySlots).where(eq(availabilitySlots.doctorId, doctor.id));
    expect(
      rows
        .filter((row) => row.date === day)
        .map(({ seats }) => seats)
        .sort(),
    ).toEqual([1, 1, 2]);
  });

  it("keep every booking when 30 patients book while the hours change", async () => {
    await setHours(as(), { id: doctor.id, spans: [{ weekday, from: "09:00", until: "17:00" }] });
    const patients = await Promise.all(Array.from({ length: 30 }, () => makePatient(db)));
    const times = await timesOn(day);
    await Promise.all([
      ...patients.map((p, i) => failure(bookAppointment(ctx(p.actor), wishFor(doctor.id, { date: day, time: times[i % times.length]! })))),
      setHours(as(), { id: doctor.id, spans: [evening] }),
      changePractice(as(), { id: doctor.id, slotMinutes: 15, patientsPerSlot: 2 }),
    ]);
    const booked = await db.select().from(appointments).where(eq(appointments.doctorId, doctor.id));
    const open = await timesOn(day);
    for (const visit of booked) expect(open).toContain(visit.time.slice(0, 5));
    const claims = await sql`select date, time, seat from slot_claims where doctor_id = ${doctor.id}`;
    expect(claims.length).toBe(booked.length);
  });
});

describe("leave", () => {
  it("closes its days, and leaves no open time after a cancellation", async () => {
    await giveSlots(
      db,
      doctor.id,
      ["09:00", "09:30"].map((time) => ({ date: day, time })),
    );
    const { id } = await book("09:00");
    expect(await enterLeave(as(), leave())).toEqual({ cancelled: 0, moved: 0, offered: 0 });
    expect([await timesOn(day), await statusOf(id)]).toEqual([[], "pending"]);
    await changeAppointment(as(), { id, action: "cancel" });
    expect(await listTimes(ctx(null), { doctorId: doctor.id, booked: false })).toEqual([]);
    expect((await failure(book("09:30")))?.code).toBe("slot-taken");
  });

  it("of today does not wait in a circle with the first page of the day's queue", async () => {
    const [today, now] = [dayFromNow(0), instantInIndia(dayFromNow(0), "00:05")];
    const made = (time: string, status: "accepted" | "completed" = "accepted") =>
      makeVisit(
        db,
        { patient, doctor },
        { date: today, time, status, ...(status === "completed" && { completedAt: now }), name: `At ${time}` },
      );
    // A leave cancels in the order of ids: here the evening before the morning.
    const visits = [await made("10:00"), await made("11:00"), await made("13:00", "completed")].slice(0, 2).sort();
    for (const [i, time] of ["18:00", "09:00", "17:00"].entries())
      await db
        .update(appointments)
        .set({ time })
        .where(eq(appointments.id, visits[i % 2]!));
    const plan = () => planDay(ctx(doctor.actor, now), { practiceId: doctor.id, date: today });
    await plan();
    // Began before the leave: it needs a token, and the leave does not cancel it.
    await made("00:01");
    const blocker = connect(env().database, { max: 1 });
    try {
      let planned: Promise<unknown> | undefined;
      let left: Promise<unknown> | undefined;
      const settled = { leave: false };
      await blocker.sql.begin(async (tx) => {
        const [held] = await tx`select part from queue_sessions where doctor_id = ${doctor.id} and part = 'afternoon' for no key update`;
        expect(held?.part).toBe("afternoon");
        planned = failure(plan());
        await expect.poll(waiting).toBe(1);
        left = failure(enterLeave(ctx(doctor.actor, now), leave({ from: today, until: today, visits, booked: "cancel" }))).finally(() => {
          settled.leave = true;
        });
        await expect.poll(async () => settled.leave || (await waiting()) === 2).toBe(true);
      });
      expect(await Promise.all([planned, left])).toEqual([null, null]);
    } finally {
      await blocker.end();
    }
    expect(await Promise.all(visits.map(statusOf))).toEqual(["cancelled", "cancelled"]);
  });

  it("cancels its appointments with a message, one for each patient", async () => {
    await giveSlots(
      db,
      doctor.id,
      ["09:00", "09:30", "10:00"].map((time) => ({ date: day, time })),
    );
    const [a, b] = [
      await book("09:00"),
      await bookAppointment(ctx((await makePatient(db)).actor), wishFor(doctor.id, { date: day, time: "09:30" })),
    ];
    const visits = (await listComingVisitsOf(as(), { from: day, until: day })).map(({ id }) => id);
    expect(await enterLeave(as(), leave({ visits, booked: "cancel" }))).toEqual({ cancelled: 2, moved: 0, offered: 0 });
    expect([await statusOf(a.id), await statusOf(b.id)]).toEqual(["cancelled", "cancelled"]);
    const sent = await db.select().from(notifications).where(eq(notifications.kind, "appointment-cancelled-by-doctor"));
    expect(sent.filter(({ params }) => [a.id, b.id].includes(String(params.appointment)))).toHaveLength(2);
  });

  it("cancels nothing when a patient booked after the page was shown", async () => {
    await giveSlots(
      db,
      doctor.id,
      ["09:00", "09:30"].map((time) => ({ date: day, time })),
    );
    const { id } = await book("09:00");
    await bookAppointment(ctx((await makePatient(db)).actor), wishFor(doctor.id, { date: day, time: "09:30" }));
    expect((await failure(enterLeave(as(), leave({ visits: [id], booked: "cancel" }))))?.code).toBe("conflict");
    expect([await statusOf(id), await timesOn(day), (await listLeaves(as())).length]).toEqual(["pending", ["09:00", "09:30"], 0]);
  });

  it("is entered once by two presses, whatever becomes of its appointments", async () => {
    const after = { date: dayFromNow(9), time: "09:00" };
    await giveSlots(db, doctor.id, [after, ...["09:00", "09:30"].map((time) => ({ date: day, time }))]);
    for (const booked of ["offer", "move", "cancel"] as const) {
      const { id } = await book(booked === "cancel" ? "09:30" : "09:00");
      const input = leave({ visits: [id], booked, moves: new Map([[id, after]]) });
      expect(Object.values(await enterLeave(as(), input)).reduce((a, b) => a + b)).toBe(1);
      expect(await enterLeave(as(), input)).toEqual({ cancelled: 0, moved: 0, offered: 0 });
      expect(await listLeaves(as())).toHaveLength(1);
      const sent = await db.select().from(notifications).where(eq(notifications.userId, patient.id));
      expect(sent.filter(({ params }) => params.appointment === id)).toHaveLength(1);
      // Kept before, cancelled now: the same leave, entered again for its appointments.
      const [row] = await listLeaves(as());
      await endLeave(as(), row!.id);
      await endLeave(as(), row!.id);
      if (booked === "offer") await changeAppointment(ctx(patient.actor), { id, action: "cancel" });
      await giveSlots(
        db,
        doctor.id,
        ["09:00", "09:30"].map((time) => ({ date: day, time })),
      );
    }
  });

  it("of a day closes that day in India, and is over at its midnight", async () => {
    await giveSlots(db, doctor.id, [
      { date: day, time: "23:30" },
      { date: addDays(day, 1), time: "00:30" },
    ]);
    const late = ctx(doctor.actor, instantInIndia(day, "23:15"));
    await enterLeave(late, leave());
    expect([await timesOn(day), await timesOn(addDays(day, 1))]).toEqual([[], ["00:30"]]);
    expect([await listLeaves(late), await listLeaves(ctx(doctor.actor, instantInIndia(addDays(day, 1), "00:00")))]).toMatchObject([
      [{ from: day, until: day }],
      [],
    ]);
  });

  it("that kept its appointments cancels them when it is entered again", async () => {
    await giveSlots(db, doctor.id, [{ date: day, time: "09:00" }]);
    const { id } = await book("09:00");
    await enterLeave(as(), leave());
    expect(await enterLeave(as(), leave({ visits: [id], booked: "cancel" }))).toEqual({ cancelled: 1, moved: 0, offered: 0 });
    expect(await listLeaves(as())).toHaveLength(1);
  });

  it("of one place leaves the other open", async () => {
    const { id } = await openPractice(as(), { hospitalId: await makePlace(), ...terms });
    await addSlots(as(), [{ date: day, times: ["09:00"] }]);
    await addSlots(as(), [{ date: day, times: ["18:00"] }], { practiceId: id });
    await enterLeave(as(), leave({ practiceId: id }));
    expect(await timesOn(day)).toEqual(["09:00"]);
  });

  it("that ends opens the weekly hours again, and is not ended by another doctor", async () => {
    await setHours(as(), { id: doctor.id, spans: [{ weekday, from: "09:00", until: "10:00" }] });
    await enterLeave(as(), leave({ note: "A wedding" }));
    await openAllDays(ctx(null));
    const [row] = await listLeaves(as());
    expect([row?.note, await timesOn(day)]).toEqual(["A wedding", []]);
    expect((await db.select().from(leaves).where(eq(leaves.id, row!.id)))[0]?.reason).not.toContain("wedding");
    expect((await failure(endLeave(ctx((await makeDoctor(db)).actor), row!.id)))?.code).toBe("not-found");
    await endLeave(as(), row!.id);
    expect([await timesOn(day), await listLeaves(as())]).toEqual([["09:00", "09:30"], []]);
  });

  it("never leaves an open time when 20 patients book while it is entered", async () => {
    const times = Array.from({ length: 16 }, (_, i) => `${String(9 + Math.floor(i / 2)).padStart(2, "0")}:${i % 2 ? "30" : "00"}`);
    await giveSlots(
      db,
      doctor.id,
      times.map((time) => ({ date: day, time })),
    );
    const patients = await Promise.all(Array.from({ length: 20 }, () => makePatient(db)));
    await Promise.all([
      ...patients.map((p, i) => failure(bookAppointment(ctx(p.actor), wishFor(doctor.id, { date: day, time: times[i % times.length]! })))),
      enterLeave(as(), leave()),
    ]);
    expect(await timesOn(day)).toEqual([]);
    expect((await listComingVisitsOf(as(), { from: day, until: day })).length).toBe(
      (await sql`select from slot_claims where doctor_id = ${doctor.id}`).length,
    );
  });
});

describe("what is typed", () => {
  const hours = (n: number, from: string, until: string) => {
    const list = Array.from({ length: 21 }, () => ({ from: "", until: "" }));
    list[n] = { from, until };
    return HoursSchema.safeParse({ hours: list });
  };
  it.each([
    ["no end", "09:00", ""],
    ["an end before the start", "10:00", "09:00"],
    ["no length", "09:00", "09:00"],
    ["nonsense", "soon", "later"],
    ["an hour that does not exist", "09:00", "24:30"],
  ])("hours with %s are refused", (_, from, until) => {
    expect(hours(3, from, until).success).toBe(false);
  });
  it("hours of a closed weekday do not count, and errors name the weekday", () => {
    const list = Array.from({ length: 21 }, () => ({ from: "", until: "" }));
    list[3] = { from: "09:00", until: "13:00" };
    list[6] = { from: "09:00", until: "" };
    const read = (open: unknown) => HoursSchema.safeParse({ hours: list, days: "on", open });
    expect(read("1").data).toMatchObject({ spans: [{ weekday: 1, from: "09:00", until: "13:00" }] });
    expect(read(undefined).data).toMatchObject({ spans: [] });
    expect(read(["1", "2"]).error?.issues[0]?.message).toBe("Tuesday: Enter both times.");
    // An open weekday without times would be closed without a word.
    expect(read(["1", "6"]).error?.issues).toMatchObject([{ path: ["hours", 18, "from"], message: "Saturday: Enter both times." }]);
  });
  it("the hours of one weekday are copied to Monday to Saturday, and Sunday stays", () => {
    const list = Array.from({ length: 21 }, () => ({ from: "", until: "" }));
    list[0] = { from: "10:00", until: "11:00" };
    list[6] = { from: "09:00", until: "13:00" };
    list[7] = { from: "17:00", until: "20:00" };
    const copied = HoursSchema.parse({ hours: list, days: "on", open: ["0", "1", "2"], intent: "copy-2" });
    if (copied.intent !== "copy") throw new Error("not copied");
    expect(copied.open.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(copied.hours[0]).toEqual({ from: "10:00", until: "11:00" });
    for (const day of [1, 3, 6]) expect(copied.hours.slice(day * 3, day * 3 + 2)).toEqual(list.slice(6, 8));
    // An empty weekday would wipe the times of all others.
    const empty = HoursSchema.safeParse({ hours: list, days: "on", open: ["1", "2"], intent: "copy-1" });
    expect(empty.error?.issues).toMatchObject([{ message: "Monday: Enter both times." }]);
  });
  it("hours of one day that overlap are refused, those of two days are not", () => {
    const spans = (...rows: [number, string, string][]) => {
      const list = Array.from({ length: 21 }, () => ({ from: "", until: "" }));
      for (const [n, from, until] of rows) list[n] = { from, until };
      return HoursSchema.safeParse({ hours: list });
    };
    expect(spans([3, "09:00", "13:00"], [4, "12:00", "14:00"]).success).toBe(false);
    expect(spans([3, "09:00", "13:00"], [6, "12:00", "14:00"]).data).toMatchObject({
      spans: [
        { weekday: 1, from: "09:00", until: "13:00" },
        { weekday: 2, from: "12:00", until: "14:00" },
      ],
    });
  });
  it("a leave that ends before it begins, began yesterday or is longer than a year away is refused", () => {
    const parse = (from: string, until: string) => leaveSchema("2026-11-22").safeParse({ intent: "enter", from, until }).success;
    expect([parse("2026-11-24", "2026-11-23"), parse("2026-11-21", "2026-11-23"), parse("2026-11-24", "2028-01-01")]).toEqual([
      false,
      false,
      false,
    ]);
    expect([parse("2026-11-22", "2026-11-22"), parse("25/12/2026", "26/12/2026")]).toEqual([true, true]);
  });
});

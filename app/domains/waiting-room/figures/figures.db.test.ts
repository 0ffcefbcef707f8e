/** Figures of sessions whose waits are known, and the range that a patient saw on arrival. */
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { queueEntries } from "#app/db/schema/index.ts";
import { addDays, instantInIndia } from "#app/lib/dates.ts";
import { minutes } from "#app/lib/durations.ts";
import { makeMember } from "../../../../tests/factories/members.ts";
import { dayFromNow, makePatient, makeVisit, newPhone, type TestDoctor } from "../../../../tests/factories/people.ts";
import { makeClinic, makeSession } from "../../../../tests/factories/queues.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { addEntry } from "../queue/add-entry.server.ts";
import { queueFiguresCsv } from "./csv.ts";
import { noShowRate, ON_TIME_SESSIONS } from "./figures.ts";
import { getOwnQueueReport, getPlaceQueueReport, getPunctuality } from "./queries.server.ts";
import { recordEstimate } from "./record-estimate.server.ts";

const { db, sql, ctx } = testDb();
const today = dayFromNow(0);
let doctor: TestDoctor;
let place: Awaited<ReturnType<typeof makeClinic>>["place"];
let patient: Awaited<ReturnType<typeof makePatient>>;
beforeEach(async () => {
  ({ doctor, place } = await makeClinic(db));
  patient = await makePatient(db);
});

/** A patient of a session. Minutes are counted from 9:00. */
type Visit = {
  due?: number;
  arrived?: number;
  called?: number;
  done?: number;
  left?: number;
  state?: "done" | "no-show" | "left" | "unseen";
  cancelled?: boolean;
  low?: number;
  high?: number;
};
async function makeDay(date: string, visits: Visit[], startsLate = 0) {
  const at = (minute: number | undefined) =>
    minute === undefined ? null : new Date(instantInIndia(date, "09:00").getTime() + minutes(minute));
  const session = await makeSession(db, doctor.id, { date, state: "closed", doctorInAt: at(startsLate)! });
  for (const [i, visit] of visits.entries()) {
    const appointmentId =
      visit.due === undefined
        ? null
        : await makeVisit(
            db,
            { patient, doctor },
            {
              date,
              time: `${String(9 + Math.floor(i / 2)).padStart(2, "0")}:${i % 2 ? "30" : "00"}`,
              status: visit.cancelled ? "cancelled" : "accepted",
            },
          );
    const { id } = await addEntry(ctx(null, at(visit.arrived ?? 0)!), {
      session: { id: session, doctorId: doctor.id },
      kind: visit.due === undefined ? "walk-in" : "booked",
      state: "expected",
      appointmentId,
      name: `Patient ${i}`,
      phone: newPhone(),
      dueAt: at(visit.due ?? visit.arrived ?? 0)!,
    });
    await db
      .update(queueEntries)
      .set({
        state: visit.state ?? "done",
        arrivedAt: at(visit.arrived),
        calledAt: at(visit.called),
        doneAt: at(visit.done),
        leftAt: at(visit.left),
        estimateLowAt: at(visit.low),
        estimateHighAt: at(visit.high),
      })
      .where(eq(queueEntries.id, id));
  }
  return session;
}
const own = () => getOwnQueueReport(ctx({ userId: doctor.id, role: "doctor" }), 30);

describe("the figures of a doctor", () => {
  it("count waits, consultations, delays, missed appointments and patients who left", async () => {
    await makeDay(
      addDays(today, -2),
      [
        // Came 20 minutes early: waits from the booked time on.
        { due: 30, arrived: 10, called: 40, done: 50, low: 35, high: 45 },
        { due: 60, arrived: 60, called: 90, done: 96, low: 70, high: 80 },
        { arrived: 0, called: 20, done: 28, low: 20, high: 30 },
        { due: 90, state: "no-show" },
        // Waited for half an hour and went home.
        { arrived: 50, left: 80, state: "left" },
        // Went home before the booked time.
        { due: 120, arrived: 90, left: 105, state: "left" },
        // The appointment was cancelled: not unseen.
        { due: 150, arrived: 120, left: 170, state: "left", cancelled: true },
      ],
      15,
    );
    const { all, weeks } = await own();
    expect(all).toEqual({
      sessions: 1,
      patients: 3,
      wait: 20,
      longWait: 26,
      consultation: 8,
      late: 15,
      booked: 3,
      noShows: 1,
      left: 2,
      unseen: 2,
      unseenWait: 15,
      onTime: 50,
      estimated: 3,
      byLow: 33,
      byHigh: 67,
    });
    expect(noShowRate(all)).toBe(33);
    expect(weeks).toHaveLength(1);
  });
  it("are empty without a session, and leave out other doctors and older sessions", async () => {
    expect((await own()).all).toMatchObject({ sessions: 0, patients: 0, wait: null, onTime: null });
    await makeDay(addDays(today, -40), [{ arrived: 0, called: 20, done: 28 }]);
    const other = await makeClinic(db);
    await makeSession(db, other.doctor.id, { date: addDays(today, -1), state: "closed", doctorInAt: new Date() });
    expect((await own()).all.sessions).toBe(0);
    expect((await getOwnQueueReport(ctx({ userId: doctor.id, role: "doctor" }), 90)).all.sessions).toBe(1);
  });
});

describe("the figures of a place", () => {
  it("are its owner's, by doctor and week", async () => {
    await makeDay(addDays(today, -1), [{ arrived: 0, called: 12, done: 20 }]);
    const { placeName, report } = await getPlaceQueueReport(ctx(place.owner), place.id, 30);
    expect(placeName).toBe(place.name);
    expect(report.doctors).toMatchObject([{ doctorId: doctor.id, sessions: 1, wait: 12 }]);
    const csv = queueFiguresCsv(report);
    expect(csv.trim().split("\r\n")).toHaveLength(4);
    const reception = await makeMember(db, place.id, "reception");
    await expect(getPlaceQueueReport(ctx(reception), place.id, 30)).rejects.toMatchObject({ code: "forbidden" });
    const other = await makeClinic(db);
    await expect(getPlaceQueueReport(ctx(other.place.owner), place.id, 30)).rejects.toMatchObject({ code: "not-found" });
  });
});

describe("the punctuality that patients see", () => {
  it("needs thirty sessions with booked patients", async () => {
    for (let day = 1; day < ON_TIME_SESSIONS; day++)
      await makeDay(addDays(today, -day), [{ due: 0, arrived: 0, called: day % 3 ? 10 : 40, done: 45 }]);
    expect(await getPunctuality(ctx(), doctor.id)).toBeNull();
    const second = await makeClinic(db);
    [doctor] = [second.doctor];
    for (let day = 1; day <= ON_TIME_SESSIONS; day++)
      await makeDay(addDays(today, -day), [{ due: 0, arrived: 0, called: day % 3 ? 10 : 40, done: 45 }]);
    expect(await getPunctuality(ctx(), doctor.id)).toBe(67);
  });
});

it("stores the range that a patient sees on arrival, once", async () => {
  const now = instantInIndia(today, "09:30");
  const session = await makeSession(db, doctor.id, { doctorInAt: instantInIndia(today, "09:00") });
  const add = (name: string) =>
    addEntry(ctx(null, now), {
      session: { id: session, doctorId: doctor.id },
      kind: "walk-in",
      state: "arrived",
      name,
      phone: newPhone(),
      dueAt: now,
    });
  const [first, second] = [await add("First"), await add("Second")];
  for (const { id } of [first, second]) await recordEstimate(ctx(null, now), id);
  const read = async (id: string) => (await db.select().from(queueEntries).where(eq(queueEntries.id, id)))[0]!;
  const stored = await read(second.id);
  expect(stored.estimateLowAt!.getTime()).toBeGreaterThan(now.getTime());
  expect(stored.estimateHighAt!.getTime()).toBeGreaterThan(stored.estimateLowAt!.getTime());
  await recordEstimate(ctx(null, new Date(now.getTime() + minutes(20))), second.id);
  expect((await read(second.id)).estimateLowAt).toEqual(stored.estimateLowAt);
  // Each arrival has queued its job.
  const [{ jobs }] = (await sql`select count(*)::int as jobs from pgboss.job where name = 'queue-estimate'
    and data ->> 'entryId' in (${first.id}, ${second.id})`) as unknown as [{ jobs: number }];
  expect(jobs).toBe(2);
});

/** A session that nobody opened ends by itself: on every page by definition, and in the database by the sweep. */
import { eq } from "drizzle-orm";
import { beforeEach, expect, it } from "vitest";
import { appointments, queueEntries, queueSessions } from "#app/db/schema/index.ts";
import { readToday } from "#app/domains/booking/appointments/doctor-queries.server.ts";
import { listPatientAppointments } from "#app/domains/booking/appointments/patient-queries.server.ts";
import type { Actor } from "#app/domains/context.server.ts";
import { isOver, minuteInIndia } from "#app/domains/visit-time.ts";
import { addDays, instantInIndia } from "#app/lib/dates.ts";
import type { DomainError } from "#app/lib/domain-error.ts";
import { dayFromNow, makePatient, makeVisit, newPhone, type Person, type TestDoctor } from "../../../../tests/factories/people.ts";
import { makeClinic, makeSession } from "../../../../tests/factories/queues.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { viewBoard } from "../screen/board-view.ts";
import { listOwnTokens } from "../token-page/own-tokens.server.ts";
import { readSnapshot } from "../token-page/snapshot.server.ts";
import { viewToken } from "../token-page/token-view.ts";
import { addWalkIn } from "./add-walk-in.server.ts";
import { changeSession } from "./change-session.server.ts";
import { planDay } from "./plan-day.server.ts";
import { getQueuePage } from "./queue-page.server.ts";
import { sweepQueues } from "./sweep-queues.server.ts";

const { db, ctx } = testDb();
const today = dayFromNow(0);
const at = (time: string, date = today) => instantInIndia(date, time);
let doctor: TestDoctor;
let reception: Actor;
let patient: Person;
let [morning, visit, entryId] = ["", "", ""];
beforeEach(async () => {
  ({ doctor, reception } = await makeClinic(db));
  patient = await makePatient(db);
  morning = await makeSession(db, doctor.id, { state: "planned", startsAt: "09:00", endsAt: "13:00" });
  visit = await makeVisit(db, { patient, doctor }, { date: today, time: "09:30", status: "accepted" });
  await planDay(ctx(reception, at("08:00")), { practiceId: doctor.id, date: today });
  const [entry] = await db.select().from(queueEntries).where(eq(queueEntries.appointmentId, visit));
  entryId = entry!.id;
});
const pageAt = (time: string) => getQueuePage(ctx(reception, at(time)), "member", null);
const board = async (now: Date) => viewBoard([await readSnapshot(ctx(null, now), morning)], now).map(({ state }) => state);
const stored = async () => (await db.select().from(queueSessions).where(eq(queueSessions.id, morning)))[0]!;
const stateOf = async () => (await db.select().from(queueEntries).where(eq(queueEntries.id, entryId)))[0]!.state;

it("is planned until an hour after its end and the announced delay, then closed on every page", async () => {
  expect([await board(at("13:59")), await board(at("14:00"))]).toEqual([["planned"], []]);
  expect((await pageAt("13:59")).session).toMatchObject({ id: morning, state: "planned" });
  expect((await pageAt("14:00")).session).toMatchObject({ id: morning, state: "closed", expected: [], closedAt: "14:00" });
  expect(await listOwnTokens(ctx(patient.actor, at("13:59")))).toHaveLength(1);
  expect(await listOwnTokens(ctx(patient.actor, at("14:00")))).toEqual([]);
  const view = viewToken(await readSnapshot(ctx(null, at("19:00")), morning), entryId, at("19:00"));
  expect(view).toMatchObject({
    state: "lapsed",
    session: "closed",
    range: null,
    leaveAt: null,
    sms: null,
    may: { arrive: false, leave: false },
  });
  await db.update(queueSessions).set({ lateMinutes: 60 }).where(eq(queueSessions.id, morning));
  expect([await board(at("14:59")), await board(at("15:00"))]).toEqual([["planned"], []]);
});

it("opens the page of the desk on the session of now", async () => {
  const evening = await makeSession(db, doctor.id, { part: "evening", state: "planned", startsAt: "17:00", endsAt: "20:00" });
  expect((await pageAt("10:00")).session?.id).toBe(morning);
  expect((await pageAt("18:00")).session?.id).toBe(evening);
});

it("is not counted as to come by the doctor, and its visit is over for the patient", async () => {
  const toCome = async (time: string) => (await readToday(ctx(doctor.actor, at(time)))).left;
  expect([await toCome("13:00"), await toCome("19:00")]).toEqual([1, 0]);
  const over = async (time: string) => {
    const [row] = await listPatientAppointments(ctx(patient.actor, at(time)));
    return isOver(row!, minuteInIndia(at(time)));
  };
  expect([await over("13:00"), await over("19:00")]).toEqual([false, true]);
});

it("gets no more patients", async () => {
  const late = addWalkIn(ctx(reception, at("19:00")), {
    sessionId: morning,
    name: "Late",
    phone: newPhone(),
    formKey: "late-key",
    priority: "normal",
  });
  expect(await late.catch((error: DomainError) => error.code)).toBe("conflict");
});

it("is closed by the sweep, which says nothing false about its patients, and can be opened after all", async () => {
  await sweepQueues(ctx(null, at("13:59")));
  expect((await stored()).state).toBe("planned");
  await sweepQueues(ctx(null, at("14:00")));
  expect([(await stored()).state, await stateOf()]).toEqual(["closed", "lapsed"]);
  const [row] = await db.select().from(appointments).where(eq(appointments.id, visit));
  expect(row).toMatchObject({ status: "accepted", noShowAt: null });
  await changeSession(ctx(reception, at("14:30")), { sessionId: morning, action: "reopen" });
  expect([(await stored()).state, await stateOf()]).toEqual(["open", "expected"]);
});

it("can be opened after all before the sweep", async () => {
  await changeSession(ctx(reception, at("14:30")), { sessionId: morning, action: "reopen" });
  expect([(await stored()).state, await stateOf()]).toEqual(["open", "expected"]);
});

it("continues when it is open, also past midnight", async () => {
  await changeSession(ctx(reception, at("12:50")), { sessionId: morning, action: "open" });
  const night = at("00:30", addDays(today, 1));
  await sweepQueues(ctx(null, night));
  expect((await stored()).state).toBe("open");
  expect(await board(night)).toEqual(["open"]);
  expect((await getQueuePage(ctx(reception, night), "member", null)).session).toMatchObject({ id: morning, state: "open" });
});

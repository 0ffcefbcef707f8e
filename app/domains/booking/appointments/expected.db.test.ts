/** When a token is called is one range: lists, the appointment, the queue, the token page and notifications show the same. */
import { and, desc, eq } from "drizzle-orm";
import { beforeAll, expect, it } from "vitest";
import { appointments, notifications, queueEntries, queueSessions } from "#app/db/schema/index.ts";
import type { Eta } from "#app/domains/token-words.ts";
import { visitTimeTitle, visitTimeWord } from "#app/domains/token-words.ts";
import { changeEntry } from "#app/domains/waiting-room/queue/change-entry.server.ts";
import { expectDoctor } from "#app/domains/waiting-room/queue/change-session.server.ts";
import { estimateRows, listRowTokens } from "#app/domains/waiting-room/token-page/row-estimates.server.ts";
import { dropSnapshots, readSnapshot } from "#app/domains/waiting-room/token-page/snapshot.server.ts";
import { viewToken } from "#app/domains/waiting-room/token-page/token-view.ts";
import { instantInIndia, timeInIndia } from "#app/lib/dates.ts";
import { wishFor } from "../../../../tests/factories/booking.ts";
import { dayFromNow, makePatient, type Person, type TestDoctor } from "../../../../tests/factories/people.ts";
import { makeTokenDoctor } from "../../../../tests/factories/tokens.ts";
import { testDb } from "../../../../tests/setup/test-db.ts";
import { bookAppointment } from "./book-appointment.server.ts";
import { changeAppointment } from "./change-appointment.server.ts";
import { listDoctorAppointments } from "./doctor-queries.server.ts";
import { findNextAppointment, getPatientAppointment, listPatientAppointments } from "./patient-queries.server.ts";

const { db, ctx } = testDb();
const date = dayFromNow(1);
const at = (time: string) => instantInIndia(date, time);
const EVE = new Date(at("12:00").getTime() - 86_400_000);
let doctor: TestDoctor;
const patients: Person[] = [];
const ids: string[] = [];
let sessionId: string;
beforeAll(async () => {
  doctor = await makeTokenDoctor(ctx(null));
  for (let i = 0; i < 6; i++) {
    patients.push(await makePatient(db));
    const { id } = await bookAppointment(ctx(patients[i]!.actor, EVE), wishFor(doctor.id, { date, time: "17:00" }));
    await changeAppointment(ctx(doctor.actor, EVE), { id, action: "accept" });
    ids.push(id);
  }
  const [visit] = await db.select().from(appointments).where(eq(appointments.id, ids[5]!));
  sessionId = visit!.queueSessionId!;
});

/** Returns the range of the last patient as every reader shows it. */
async function readers(now: Date): Promise<Eta[]> {
  dropSnapshots();
  const own = ctx(patients[5]!.actor, now);
  const staff = ctx(doctor.actor, now);
  const id = ids[5]!;
  const [entry] = await db.select().from(queueEntries).where(eq(queueEntries.appointmentId, id));
  const page = viewToken(await readSnapshot(own, sessionId), entry!.id, now)!.expected!;
  const list = await listDoctorAppointments(staff, { tab: "upcoming", page: 1, search: "" });
  return [
    { from: timeInIndia(page.from), until: timeInIndia(page.until) },
    (await listPatientAppointments(own)).find((one) => one.id === id)!.expected!,
    (await findNextAppointment(own))!.expected!,
    (await getPatientAppointment(own, id)).expected!,
    list.rows.find((one) => one.id === id)!.expected!,
    (await estimateRows(staff, sessionId, null))[entry!.id]!,
    (await listRowTokens(staff, [{ id, date, token: 6 }]))[id]!.eta!,
  ];
}

it("shows the same range everywhere, the day before and during the session", async () => {
  for (const now of [EVE, at("16:31"), at("17:03")]) {
    const all = await readers(now);
    for (const one of all) expect(one).toEqual(all[0]);
    expect(all[0]!.from >= "17:25").toBe(true);
  }
});

it("is in the notification, with the words of the pages", async () => {
  const [sent] = await db
    .select({ params: notifications.params })
    .from(notifications)
    .where(and(eq(notifications.userId, patients[5]!.id), eq(notifications.kind, "appointment-accepted")))
    .orderBy(desc(notifications.createdAt));
  const [page] = await readers(EVE);
  expect(sent!.params).toMatchObject({ token: "6", expected: page!.from, until: page!.until });
  const visit = { time: "17:00", token: 6, expectedTime: "17:30", expected: { from: "18:40", until: "19:05" } };
  expect(visitTimeWord(visit)).toBe("6:40–7:05 PM (token 6)");
  expect(visitTimeTitle(visit)).toBe("Expected 6:40–7:05 PM (token 6)");
});

it("says that no patient has checked in, begins at the announced time, and gets no wider by the first check-in", async () => {
  const now = at("17:03");
  const view = async () => {
    dropSnapshots();
    const [entry] = await db.select().from(queueEntries).where(eq(queueEntries.appointmentId, ids[5]!));
    return viewToken(await readSnapshot(ctx(null, now), sessionId), entry!.id, now)!;
  };
  await expectDoctor(ctx(doctor.actor, now), { sessionId, at: "18:10" });
  const before = await view();
  expect(before.early).toBe(true);
  expect(timeInIndia(before.expected!.from) >= "18:10").toBe(true);
  const [first] = await db.select().from(queueEntries).where(eq(queueEntries.appointmentId, ids[0]!));
  await changeEntry(ctx(doctor.actor, now), { sessionId, entryId: first!.id, action: "arrive" });
  const after = await view();
  expect(after.early).toBe(false);
  const width = ({ expected }: typeof after) => expected!.until.getTime() - expected!.from.getTime();
  expect(width(before)).toBeGreaterThanOrEqual(width(after));
  expect(await db.$count(queueSessions, and(eq(queueSessions.id, sessionId), eq(queueSessions.lateMinutes, 70)))).toBe(1);
});

/** Sessions with tokens as plain form posts: patients book, move and cancel, the doctor sees them. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Ctx } from "#app/domains/context.server.ts";
import { addDays, formatDay, instantInIndia } from "#app/lib/dates.ts";
import { book as bookAs, bookedId, readable } from "../factories/booking.ts";
import { dayFromNow, makeDoctor, newPhone, type TestDoctor, typed } from "../factories/people.ts";
import { giveTokens } from "../factories/tokens.ts";
import { DAY, newPatient, server } from "../setup/booking.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";

const time = "17:00";
let doctor: TestDoctor;
let asDoctor: LoggedIn;
beforeAll(async () => {
  doctor = await makeDoctor(server.db, { fee: 50_000, slots: [] });
  await giveTokens({ db: server.db, now: new Date() } as Ctx, doctor.id, { seats: 3 });
  asDoctor = await loginAs(server, { role: "doctor", email: doctor.email });
});

const slotsOn = (date: string) =>
  server.sql<{ time: string; tokens: boolean; seats: number }[]>`
    select to_char(time, 'HH24:MI') as time, tokens, seats from availability_slots where doctor_id = ${doctor.id} and date = ${date} order by time`;
const visitsOf = (who: LoggedIn) =>
  server.sql<{ id: string; token: number; status: string; date: string }[]>`
    select id, token, status, date::text from appointments where patient_id = ${who.userId} order by created_at`;
/** One person on one phone has one token of a session. */
const book = (who: LoggedIn, to: { id: string }, slot: { date: string; time: string }, over: Record<string, string> = {}) =>
  bookAs(who, to.id, slot, { phone: typed(newPhone()), ...over });
const choose = (date: string) => `/patient/appointments/datetime?${new URLSearchParams({ doctorId: doctor.id, date })}`;

describe("a practice that gives tokens", () => {
  it("refuses single times, and closing a session in the week", async () => {
    const week = (fields: Record<string, string>) => asDoctor.post("/doctor/availability/week", { date: DAY, ...fields });
    for (const press of [
      { intent: "open", time: "10:00" },
      { intent: "close", time },
    ])
      expect(readable((await week(press)).text)).toContain("This place gives tokens.");
    expect(await slotsOn(DAY)).toMatchObject([{ time, tokens: true }]);
  });
});

describe("a patient", () => {
  let patient: LoggedIn;
  beforeAll(async () => {
    patient = await newPatient();
  });

  it("sees the session with the next token and about when it is called, and no waitlist", async () => {
    const page = readable((await patient.get(choose(DAY))).text);
    expect(page).toContain("5:00 PM to 8:00 PM");
    expect(page).toContain("3 tokens left. The next is token 1, about 5:00 PM");
    expect(page).not.toContain("waitlist");
    const refused = await patient.post(`/patient/waitlist/join?doctorId=${doctor.id}`, { who: "me", days: "14", parts: "any" });
    expect(refused.status).toBeGreaterThanOrEqual(400);
  });

  it("books the session and sees token and expected time on every page", async () => {
    const first = await book(await newPatient(), doctor, { date: DAY, time });
    expect(bookedId(first)).not.toBeNull();
    expect(
      readable(
        (await patient.get(`/patient/appointments/patient-detail?${new URLSearchParams({ doctorId: doctor.id, date: DAY, time })}`)).text,
      ),
    ).toContain("The next is token 2, about 6:00 PM");
    const id = bookedId(await book(patient, doctor, { date: DAY, time }))!;
    for (const path of [
      `/patient/appointments/payment/${id}`,
      "/patient/calendar",
      "/patient-dashboard",
      `/patient/appointments/${id}/cancel`,
      `/patient/appointments/${id}/reschedule`,
    ])
      expect(readable((await patient.get(path)).text), path).toMatch(/\d+:\d\d(?: [AP]M)?(?:–| – )\d+:\d\d [AP]M \(token 2\)/);
    const own = readable((await patient.get(`/patient/appointments/${id}`)).text);
    expect(own).toMatch(/Token 2 Expected \d+:\d\d(?: [AP]M)?(?:–| – )\d+:\d\d [AP]M\. The session starts at 5:00 PM\./);
    expect(own).toContain("See token 2 in the queue");
    expect((await patient.get(`/patient/appointments/${id}/calendar.ics`)).text).toContain(`${DAY.replaceAll("-", "")}T180000`);
    const [{ code } = { code: "" }] = await server.sql<{ code: string }[]>`select code from queue_entries where appointment_id = ${id}`;
    expect((await patient.get(`/q/${code}`)).status).toBe(200);
  });

  it("is asked to pay until the session begins, on both pages", async () => {
    const own = await makeDoctor(server.db, { fee: 50_000, slots: [] });
    await giveTokens({ db: server.db, now: new Date() } as Ctx, own.id, { seats: 3 });
    await book(await newPatient(), own, { date: DAY, time });
    const me = await newPatient();
    const id = bookedId(await book(me, own, { date: DAY, time }))!;
    const payment = `/patient/appointments/payment/${id}`;
    const asks = async () => [
      (await me.get(`/patient/appointments/${id}`)).text.includes(`href="${payment}"`),
      (await me.get(payment)).text.includes('name="method"'),
    ];
    expect(await asks()).toEqual([true, true]);
    try {
      // Token 2 is expected at six.
      server.clock.to(instantInIndia(DAY, "17:10").getTime());
      expect(await asks()).toEqual([false, false]);
    } finally {
      server.clock.set(0);
    }
  });
  it("presses twice and has one token", async () => {
    const other = await newPatient();
    const fields = { idempotencyKey: "token-pressed-twice", phone: "9876543211" };
    const [one, two] = [await book(other, doctor, { date: DAY, time }, fields), await book(other, doctor, { date: DAY, time }, fields)];
    expect(bookedId(one)).toBe(bookedId(two));
    expect(await visitsOf(other)).toMatchObject([{ token: 3 }]);
  });

  it("is sent to other sessions when all tokens are taken", async () => {
    const late = await newPatient();
    const answer = await book(late, doctor, { date: DAY, time });
    expect(answer.status).toBe(409);
    expect(readable(answer.text)).toContain(formatDay(addDays(DAY, 1)));
    expect(await visitsOf(late)).toEqual([]);
    expect(readable((await patient.get(choose(DAY))).text)).toContain("All times on this day are booked.");
  });

  it("moves to another session and gets a token there", async () => {
    const [visit] = await visitsOf(patient);
    const to = addDays(DAY, 1);
    const moved = await patient.post(`/patient/appointments/${visit!.id}/reschedule?date=${to}`, { date: to, time });
    expect(moved.location).toBe(`/patient/appointments/${visit!.id}`);
    expect(await visitsOf(patient)).toMatchObject([{ date: to, token: 1, status: "pending" }]);
  });

  it("cannot change or see the booking of another patient", async () => {
    const [visit] = await visitsOf(patient);
    const other = await newPatient();
    expect((await other.get(`/patient/appointments/${visit!.id}`)).status).toBe(404);
    expect((await other.post(`/patient/appointments/${visit!.id}/reschedule?date=${DAY}`, { date: DAY, time })).status).toBe(404);
    expect(await visitsOf(patient)).toMatchObject([{ token: 1 }]);
  });

  it("cancels, and the token is free for another patient under a new number", async () => {
    const [visit] = await visitsOf(patient);
    expect((await patient.post(`/patient/appointments/${visit!.id}/cancel`, {})).status).toBe(303);
    expect(await visitsOf(patient)).toMatchObject([{ status: "cancelled" }]);
    const next = await newPatient();
    await book(next, doctor, { date: addDays(DAY, 1), time });
    expect(await visitsOf(next)).toMatchObject([{ token: 2 }]);
  });
});

describe("the doctor", () => {
  it("sees token and expected time in the lists, and accepts", async () => {
    const cards = readable((await asDoctor.get("/doctor/appointments")).text);
    expect(cards).toMatch(/Expected \d+:\d\d(?: [AP]M)?(?:–| – )\d+:\d\d [AP]M \(token 1\)/);
    const agenda = readable((await asDoctor.get(`/doctor/appointments?view=agenda&day=${DAY}`)).text);
    expect(agenda).toContain("Token 3");
    const [{ id } = { id: "" }] = await server.sql<{ id: string }[]>`
      select id from appointments where doctor_id = ${doctor.id} and date = ${DAY} and token = 1`;
    await asDoctor.post(`/doctor/appointments/${id}/accept`, {});
    for (const path of ["/doctor/availability", "/doctor/availability/week", "/doctor/appointments", `/doctor/patient/${id}`])
      expect((await asDoctor.get(path)).status, path).toBe(200);
  });

  it("sees in the queue who is not accepted yet", async () => {
    const today = dayFromNow(0);
    const [slot] = await server.sql<{ id: string }[]>`
      insert into queue_sessions (practice_id, doctor_id, date, part, starts_at, ends_at, seats) values (${doctor.id}, ${doctor.id}, ${today}, 'evening', '17:00', '20:00', 3) returning id`;
    const [visit] = await server.sql<{ id: string }[]>`
      update appointments set date = ${today}, queue_session_id = ${slot!.id} where doctor_id = ${doctor.id} and token = 3 returning id`;
    await server.sql`update queue_entries set session_id = ${slot!.id} where appointment_id = ${visit!.id}`;
    expect(readable((await asDoctor.get(`/doctor/queue?session=${slot!.id}`)).text)).toContain("Not accepted yet");
  });
});

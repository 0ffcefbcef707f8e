/** The waitlist over HTTP: a full day, a cancellation, an offer, and presses at the same time. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MAX_LAPSES } from "#app/domains/booking/waitlist/rules.ts";
import { addDays, formatDay, instantInIndia } from "#app/lib/dates.ts";
import { hours, minutes } from "#app/lib/durations.ts";
import { book, bookedId, valuesOf } from "../factories/booking.ts";
import { dayFromNow, makeDoctor, newPhone, type TestDoctor } from "../factories/people.ts";
import { plain } from "../setup/applications.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";
import { expectEvents, expectEveryTransition, watchChanges } from "../setup/watch-changes.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ seed: false });
  await watchChanges(server);
  // At noon, so that offers are sent at once.
  server.clock.to(instantInIndia(dayFromNow(1), "12:00").getTime());
});
afterAll(() => server?.stop());

const day = dayFromNow(6);
const patient = () => loginAs(server, { role: "patient", phone: newPhone() });
type Offer = { id: string; entry: string; state: string };
const offersOf = (who: LoggedIn) =>
  server.sql<Offer[]>`select o.id, o.entry_id as entry, o.state from waitlist_offers o join waitlist_entries e on e.id = o.entry_id
    where e.patient_id = ${who.userId} order by o.created_at`;
const DETAILS = { who: "me", name: "Lakshmi Devi", age: "34", gender: "female", days: "0", sms: "on" };
const join = (who: LoggedIn, doctor: TestDoctor, over: Record<string, string> = {}) =>
  who.post(`/patient/waitlist/join?doctorId=${doctor.id}&date=${day}`, { ...DETAILS, ...over });
const answer = (who: LoggedIn, intent: string, id: string) => who.post("/patient/waitlist", { intent, id });

/** Returns a doctor whose only time of the day is booked, and a patient with an offer of it, after the booking was cancelled. */
async function offered() {
  const doctor = await makeDoctor(server.db, { name: "Dr. Asha Rao", slots: [{ date: day, time: "10:00" }] });
  const [a, b] = [await patient(), await patient()];
  const visit = bookedId(await book(a, doctor.id, { date: day, time: "10:00" }))!;
  expect((await join(b, doctor)).location).toBe("/patient/waitlist");
  await a.post(`/patient/appointments/${visit}/cancel`, {});
  const [offer] = await offersOf(b);
  return { doctor, a, b, offer: offer! };
}

it("offers the waitlist on a full day, and the freed time to the patient who waits", async () => {
  const doctor = await makeDoctor(server.db, { name: "Dr. Asha Rao", slots: [{ date: day, time: "10:00" }] });
  const [a, b] = [await patient(), await patient()];
  const visit = bookedId(await book(a, doctor.id, { date: day, time: "10:00" }))!;
  const full = await b.get(`/patient/appointments/datetime?doctorId=${doctor.id}&date=${day}`);
  expect(plain(full.text)).toContain("Join the waitlist");
  const address = /href="(\/patient\/waitlist\/join[^"]*)"/.exec(full.text)![1]!.replaceAll("&amp;", "&");
  expect(plain((await b.get(address)).text)).toContain("Which days suit you?");
  const joined = await b.post(address, DETAILS);
  expect([joined.status, joined.location]).toEqual([303, "/patient/waitlist"]);
  expect(plain((await b.get("/patient/waitlist")).text)).toContain("You are number 1 on the list.");
  expect(plain((await b.get("/patient/calendar")).text)).toContain("See your waitlist");
  expect(plain((await a.get(`/patient/appointments/${visit}/cancel`)).text)).toContain("Want an earlier time?");
  await a.post(`/patient/appointments/${visit}/cancel`, {});
  const page = plain((await b.get("/patient/waitlist")).text);
  expect(page).toMatch(/A time is free: \w{3} \d{1,2} \w{3} \d{4}, 10:00 AM\. Yours until 2:00 PM\./);
  const [offer] = await offersOf(b);
  expect((await offersOf(b)).map(({ state }) => state)).toEqual(["offered"]);
  // Only the patient with the offer can take the time.
  expect(bookedId(await book(a, doctor.id, { date: day, time: "10:00" }))).toBeNull();
  const taken = await answer(b, "take", offer!.id);
  expect(taken.status).toBe(303);
  expect(taken.location).toMatch(/^\/patient\/appointments\/[0-9a-f-]{36}$/);
  expect(plain((await b.follow(taken)).text)).toContain("The time is yours.");
  const asDoctor = await loginAs(server, { role: "doctor", email: doctor.email });
  expect(plain((await asDoctor.get("/doctor/waitlist")).text)).toContain("The waitlist is empty");
});

it("shows the doctor who waits, with phone and wish, and no other doctor", async () => {
  const { doctor } = await offered();
  const other = await makeDoctor(server.db);
  const list = plain((await (await loginAs(server, { role: "doctor", email: doctor.email })).get("/doctor/waitlist")).text);
  expect(list).toMatch(/Lakshmi Devi 34 years, female .* Offered \w{3} .* 10:00 AM\. Until 2:00 PM\./);
  const empty = plain((await (await loginAs(server, { role: "doctor", email: other.email })).get("/doctor/waitlist")).text);
  expect(empty).not.toContain("Lakshmi");
});

it("refuses to join while a time that suits is free, and links it", async () => {
  const doctor = await makeDoctor(server.db, { slots: [{ date: day, time: "17:30" }] });
  const refused = await join(await patient(), doctor);
  expect(refused.status).toBe(409);
  expect(plain(refused.text)).toContain("A time that suits you is free now");
  expect(refused.text).toContain(`date=${day}&amp;time=17%3A30`);
});

it("chooses the full day alone before a free one, and says that a free time can be booked", async () => {
  const doctor = await makeDoctor(server.db, {
    slots: [
      { date: day, time: "10:00" },
      { date: addDays(day, 1), time: "17:30" },
    ],
  });
  bookedId(await book(await patient(), doctor.id, { date: day, time: "10:00" }));
  const page = await (await patient()).get(`/patient/waitlist/join?doctorId=${doctor.id}&date=${day}`);
  expect(valuesOf(page.text).days).toBe("0");
  expect(plain(page.text)).toContain("You can book a time that is free now. The waitlist is for other times.");
  expect(page.text).toContain(`date=${addDays(day, 1)}&amp;time=17%3A30`);
  expect((await join(await patient(), doctor)).location).toBe("/patient/waitlist");
  // No day was chosen: perhaps nothing of today can be offered any more.
  expect(valuesOf((await (await patient()).get(`/patient/waitlist/join?doctorId=${doctor.id}`)).text).days).toBe("7");
  const [full] = [await makeDoctor(server.db, { slots: [{ date: day, time: "10:00" }] })];
  bookedId(await book(await patient(), full.id, { date: day, time: "10:00" }));
  const without = await (await patient()).get(`/patient/waitlist/join?doctorId=${full.id}&date=${day}`);
  expect(valuesOf(without.text).days).toBe("7");
  expect(plain(without.text)).not.toContain("You can book a time");
});

it("names the days that it stores, also for a day that is too far", async () => {
  const doctor = await makeDoctor(server.db);
  const who = await patient();
  for (const date of ["9999-12-31", addDays(dayFromNow(1), 200)]) {
    const page = await who.get(`/patient/waitlist/join?doctorId=${doctor.id}&date=${date}`);
    expect(page.status, date).toBe(200);
    expect(plain(page.text), date).toContain(`Which days suit you? ${formatDay(dayFromNow(1))}`);
  }
  await who.post(`/patient/waitlist/join?doctorId=${doctor.id}&date=9999-12-31`, DETAILS);
  const [entry] = await server.sql<
    { from: string }[]
  >`select from_date::text as from from waitlist_entries where patient_id = ${who.userId}`;
  expect(entry!.from).toBe(dayFromNow(1));
});

it("offers the waitlist of a full day as a button, and of other days on request", async () => {
  const doctor = await makeDoctor(server.db, { slots: [{ date: day, time: "10:00" }] });
  const who = await patient();
  const offer = async (date: string) => (await who.get(`/patient/appointments/datetime?doctorId=${doctor.id}&date=${date}`)).text;
  const REQUEST = "No time suits you? Join the waitlist.";
  expect(plain(await offer(day))).toContain(REQUEST);
  // Nothing can become free on a day without times.
  expect(plain(await offer(addDays(day, 1)))).toContain(REQUEST);
  bookedId(await book(await patient(), doctor.id, { date: day, time: "10:00" }));
  expect(plain(await offer(day))).not.toContain(REQUEST);
  expect(plain(await offer(day))).toContain("Join the waitlist");
});

it("asks for missing details and answers a malformed form with 400, a malformed address with 404", async () => {
  const doctor = await makeDoctor(server.db);
  const who = await patient();
  expect((await join(who, doctor, { name: "", age: "", gender: "" })).status).toBe(400);
  expect((await join(who, doctor, { days: "5" })).status).toBe(400);
  expect((await join(who, doctor, { parts: "midnight" })).status).toBe(400);
  expect((await who.get("/patient/waitlist/join?doctorId=x")).status).toBe(404);
  expect((await answer(who, "take", "nonsense")).status).toBe(400);
});

describe("an offer", () => {
  it("is not taken, passed or left by a link", async () => {
    const { b, offer } = await offered();
    for (const intent of ["take", "pass", "leave"]) await b.get(`/patient/waitlist?intent=${intent}&id=${offer.id}`);
    expect((await offersOf(b))[0]!.state).toBe("offered");
  });
  it("taken in two tabs at once is one appointment; a stranger does not find it", async () => {
    const { doctor, a, b, offer } = await offered();
    const stranger = await patient();
    const [one, two, three, four] = await Promise.all([
      answer(b, "take", offer.id),
      answer(b, "take", offer.id),
      answer(stranger, "take", offer.id),
      book(a, doctor.id, { date: day, time: "10:00" }),
    ]);
    expect(one.location).toMatch(/^\/patient\/appointments\//);
    expect(two.location).toBe(one.location);
    expect(three.status).toBe(404);
    expect(bookedId(four)).toBeNull();
    expect(await server.sql`select from appointments where doctor_id = ${doctor.id} and status <> 'cancelled'`).toHaveLength(1);
  });
  it("is refused after its end with a way to go on, and passed on", async () => {
    const { doctor, b, offer } = await offered();
    const c = await patient();
    await join(c, doctor);
    server.clock.advance(hours(2));
    const late = await answer(b, "take", offer.id);
    expect(late.status).toBe(409);
    const words = plain(late.text);
    expect(words).toContain("This offer has ended");
    expect(words).toContain("You are number 1 on the list.");
    expect((await offersOf(c)).map(({ state }) => state)).toEqual(["offered"]);
    server.clock.advance(-hours(2) + minutes(1));
  });
  it("is passed, and the waitlist left, by buttons", async () => {
    const { doctor, b, offer } = await offered();
    const c = await patient();
    await join(c, doctor);
    expect((await answer(b, "pass", offer.id)).location).toBe("/patient/waitlist");
    const [next] = await offersOf(c);
    expect(next!.state).toBe("offered");
    expect((await answer(b, "leave", next!.entry)).status).toBe(404);
    await answer(c, "leave", next!.entry);
    expect(plain((await c.get("/patient/waitlist")).text)).toContain("You left this waitlist.");
  });
  it("is refused while the doctor removes the time, whichever is first", async () => {
    const { doctor, b, offer } = await offered();
    const asDoctor = await loginAs(server, { role: "doctor", email: doctor.email });
    const [taken, removed] = await Promise.all([answer(b, "take", offer.id), asDoctor.post(`/doctor/availability/delete/${day}`, {})]);
    const [{ n }] =
      (await server.sql`select count(*)::int as n from appointments where doctor_id = ${doctor.id} and status <> 'cancelled'`) as never as [
        { n: number },
      ];
    const [{ slots }] =
      (await server.sql`select count(*)::int as slots from availability_slots where doctor_id = ${doctor.id}`) as never as [
        { slots: number },
      ];
    expect([taken.status, n, slots]).toEqual(n === 1 ? [303, 1, 1] : [409, 0, 0]);
    expect(removed.status).toBeLessThan(500);
  });
  it("is withdrawn when the doctor removes its time, and its patient waits again", async () => {
    const { doctor, b } = await offered();
    const asDoctor = await loginAs(server, { role: "doctor", email: doctor.email });
    await expectEvents(server);
    expect((await asDoctor.post(`/doctor/availability/delete/${day}`, {})).status).toBe(303);
    expect(await expectEvents(server)).toEqual(["waitlist.withdraw-offer"]);
    expect((await offersOf(b)).map(({ state }) => state)).toEqual(["withdrawn"]);
    expect(plain((await b.get("/patient/waitlist")).text)).toContain("You are number 1 on the list.");
    // The patient leaves the list while waiting, once.
    const [entry] = await server.sql<{ id: string }[]>`select id from waitlist_entries where patient_id = ${b.userId}`;
    for (let press = 0; press < 2; press++) await answer(b, "leave", entry!.id);
    expect(await expectEvents(server)).toEqual(["waitlist.end"]);
  });
});

it("ends when its offers were not answered for the last time", async () => {
  const { doctor, b } = await offered();
  const asDoctor = await loginAs(server, { role: "doctor", email: doctor.email });
  await expectEvents(server);
  for (let lapses = 1; lapses <= MAX_LAPSES; lapses++) {
    server.clock.advance(hours(2));
    const [offer] = (await offersOf(b)).reverse();
    expect((await answer(b, "take", offer!.id)).status).toBe(409);
    expect(await expectEvents(server)).toEqual(["waitlist.lapse", lapses < MAX_LAPSES ? "waitlist.wait-again" : "waitlist.end"]);
    if (lapses === MAX_LAPSES) break;
    // Another time: the same one is not offered twice.
    expect((await asDoctor.post("/doctor/availability/add", { date: day, slots: [`1${lapses}:00`] })).status).toBe(303);
    expect(await expectEvents(server)).toEqual(["waitlist.offer"]);
  }
  server.clock.advance(-hours(2 * MAX_LAPSES) + minutes(1));
});

it("moves a later appointment to an earlier time", async () => {
  const doctor = await makeDoctor(server.db, {
    slots: [
      { date: day, time: "10:00" },
      { date: addDays(day, 1), time: "10:00" },
    ],
  });
  const [a, b] = [await patient(), await patient()];
  const early = bookedId(await book(a, doctor.id, { date: day, time: "10:00" }))!;
  const late = bookedId(await book(b, doctor.id, { date: addDays(day, 1), time: "10:00" }))!;
  const page = await b.get(`/patient/appointments/${late}`);
  expect(plain(page.text)).toContain("Tell me if an earlier time is free");
  const address = `/patient/waitlist/join?doctorId=${doctor.id}&appointment=${late}`;
  expect(plain((await b.get(address)).text)).toContain("You keep the appointment until you take it.");
  expect((await b.post(address, { days: "30", sms: "on" })).location).toBe("/patient/waitlist");
  await a.post(`/patient/appointments/${early}/cancel`, {});
  expect(plain((await b.get("/patient/waitlist")).text)).toContain("Taking it moves your appointment");
  const [offer] = await offersOf(b);
  expect((await answer(b, "take", offer!.id)).location).toBe(`/patient/appointments/${late}`);
  const [moved] = await server.sql<{ date: string }[]>`select date::text from appointments where id = ${late}`;
  expect(moved!.date).toBe(day);
});

it("records one event for each state change of these pages, and takes each transition of the state tables", () =>
  expectEveryTransition(server, ["waitlist"]));

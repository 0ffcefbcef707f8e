/** A patient's calendar over HTTP. */
import { describe, expect, it } from "vitest";
import { instantInIndia } from "#app/lib/dates.ts";
import { book, readable } from "../factories/booking.ts";
import { addSlots, dayFromNow, makeVisit } from "../factories/people.ts";
import { makeSession } from "../factories/queues.ts";
import { doctor, newDoctor, newPatient, server } from "../setup/booking.ts";
import { whileLocked } from "../setup/locked.ts";

it("lists a booking with its status", async () => {
  const own = await newDoctor();
  await addSlots(server.db, own.id, [{ date: dayFromNow(6), time: "15:00" }]);
  const patient = await newPatient();
  expect(readable((await patient.get("/patient/calendar")).text)).toContain("No bookings found.");
  expect(readable((await patient.get("/patient/calendar")).text)).toContain("No Appointments");
  await book(patient, own.id, { date: dayFromNow(6), time: "15:00" });
  const page = readable((await patient.get(`/patient/calendar?month=${dayFromNow(6).slice(0, 7)}`)).text);
  for (const words of ["Your Appointments", "Active Appointment", "3:00 PM", "Pending", "Your Bookings", "For Lakshmi Devi"])
    expect(page).toContain(words);
});

it("shows the texts of the specification when times or bookings cannot be read (§8)", async () => {
  const patient = await newPatient();
  for (const [table, path, sentence] of [
    ["availability_slots", `/patient/appointments/datetime?doctorId=${doctor.id}`, "Failed to fetch availability"],
    ["appointments", "/patient/calendar", "Failed to load bookings"],
  ] as const) {
    const answer = await whileLocked(server, table, () => patient.get(path));
    expect([answer.status, readable(answer.text).includes(sentence)], path).toEqual([503, true]);
    expect((await patient.get(path)).status).toBe(200);
  }
});

describe("the calendar's side panel and days (spec 001 §2.12, §4.3)", () => {
  const seen = async (visits: Parameters<typeof makeVisit>[2][], month = dayFromNow(0).slice(0, 7)) => {
    const own = await newDoctor([]);
    const patient = await newPatient();
    const [row] = await server.sql<{ phone: string }[]>`select phone from users where id = ${patient.userId}`;
    const me = { id: patient.userId, phone: row!.phone, actor: { userId: patient.userId, role: "patient" as const } };
    for (const visit of visits) await makeVisit(server.db, { patient: me, doctor: own }, visit);
    const [{ text }, past] = [await patient.get(`/patient/calendar?month=${month}`), await patient.get("/patient/calendar?tab=past")];
    return { text, words: readable(text), past: past.text };
  };
  const badges = (html: string) =>
    [...html.matchAll(/class="badge ?([a-z]*)"[^>]*>\s*(?:<svg.*?<\/svg>)?\s*([^<]*)</g)].map(([, tone, word]) => [word, tone]);

  it("does not call a visit completed while its token waits or is inside", async () => {
    const own = await newDoctor([]);
    const patient = await newPatient();
    const [row] = await server.sql<{ phone: string }[]>`select phone from users where id = ${patient.userId}`;
    const me = { id: patient.userId, phone: row!.phone, actor: { userId: patient.userId, role: "patient" as const } };
    const date = dayFromNow(-1);
    const visit = await makeVisit(server.db, { patient: me, doctor: own }, { date, time: "20:00", status: "accepted" });
    const session = await makeSession(server.db, own.id, { date, part: "evening" });
    await server.sql`insert into queue_entries (session_id, appointment_id, patient_id, number, kind, name, phone, state, code, due_at, arrived_at)
      values (${session}, ${visit}, ${me.id}, 1, 'booked', '', '', 'arrived', ${session.slice(0, 20)}, now(), now())`;
    const pages = async () =>
      Promise.all(
        ["/patient/calendar", `/patient/appointments/${visit}`, `/patient/appointments/payment/${visit}`, "/patient-dashboard"].map(
          async (path) => readable((await patient.get(path)).text),
        ),
      );
    for (const state of ["arrived", "called", "with-doctor"]) {
      await server.sql`update queue_entries set state = ${state} where session_id = ${session}`;
      const [calendar, ...others] = await pages();
      expect(calendar).toContain("Active Appointment");
      for (const text of [calendar, ...others]) expect(text).not.toMatch(/Completed|has passed/);
    }
    await server.sql`update queue_entries set state = 'done' where session_id = ${session}`;
    expect((await pages())[0]).toContain("Completed");
  });
  it("shows the last visit as completed when none is coming", async () => {
    const { words, text } = await seen([
      { date: dayFromNow(-9), status: "completed" },
      { date: dayFromNow(-3), time: "09:00", status: "accepted", reason: "Fever" },
      { date: dayFromNow(-2), status: "cancelled" },
    ]);
    expect(words).toContain("Completed Appointment");
    expect(words.indexOf("Fever")).toBeLessThan(words.indexOf("Your Bookings"));
    expect(words).toContain("Schedule Appointment");
    for (const none of ["Active Appointment", "No Appointments", "Today's Appointments"]) expect(words).not.toContain(none);
    expect(badges(text)).toContainEqual(["Completed", ""]);
    expect(badges(text)).not.toContainEqual(["Accepted", "ok"]);
  });
  it("shows today's visits first, each status with its colour and word", async () => {
    // Its first visit is over at any hour of the test.
    server.clock.to(instantInIndia(dayFromNow(0), "12:00").getTime());
    const { words, text, past } = await seen([
      { date: dayFromNow(0), time: "00:30", status: "pending" },
      { date: dayFromNow(0), time: "00:00", status: "accepted" },
      { date: dayFromNow(3), status: "accepted" },
      { date: dayFromNow(4), status: "pending" },
      { date: dayFromNow(5), status: "cancelled" },
    ]);
    expect(words).toContain("Today's Appointments");
    expect(words).not.toContain("Active Appointment");
    for (const look of [
      ["Accepted", "ok"],
      ["Pending", "warn"],
      ["Cancelled", "bad"],
      ["Completed", ""],
    ])
      expect(badges(text + past)).toContainEqual(look);
    // A past request without an answer has its old status.
    expect(words.slice(words.indexOf("Today's"))).toMatch(/12:00 AM Completed.*12:30 AM Pending/);
    server.clock.set(0);
  });
  it("shows an appointment of today once, also where today is the chosen day", async () => {
    const today = dayFromNow(0);
    const own = await newDoctor([]);
    const patient = await newPatient();
    const [row] = await server.sql<{ phone: string }[]>`select phone from users where id = ${patient.userId}`;
    const me = { id: patient.userId, phone: row!.phone, actor: { userId: patient.userId, role: "patient" as const } };
    await makeVisit(server.db, { patient: me, doctor: own }, { date: today, time: "23:30", status: "accepted", reason: "R-today" });
    await makeVisit(server.db, { patient: me, doctor: own }, { date: dayFromNow(2), status: "accepted", reason: "R-later" });
    for (const query of ["", `?day=${today}`, `?month=${today.slice(0, 7)}`, `?day=${dayFromNow(2)}`])
      expect(readable((await patient.get(`/patient/calendar${query}`)).text).match(/R-today/g), query).toHaveLength(1);
  });
  it("shows the times of a day in order, and marks today and past days", async () => {
    const [today, day] = [dayFromNow(0), dayFromNow(40)];
    const { text, words } = await seen(
      ["14:00", "09:30", "12:00"].map((time) => ({ date: day, time, status: "accepted" as const })),
      day.slice(0, 7),
    );
    expect(text).toMatch(
      /<small[^>]*aria-hidden="true"> 9:30<\/small><small[^>]*aria-hidden="true"> 12:00<\/small><small[^>]*aria-hidden="true"> \+1<\/small>/,
    );
    expect(words).toContain("9:30 AM, 12:00 PM, 2:00 PM");
    const now = await seen([], today.slice(0, 7));
    expect(now.text).toMatch(new RegExp(`<span [^>]*data-today="true"[^>]*><span[^>]*>${Number(today.slice(8))}<`));
    if (!today.endsWith("-01")) expect(now.text).toMatch(/<span class="[^"]*opacity-\[0\.82\]/);
    expect([...now.text.matchAll(/href="[^"]*month=(\d{4}-\d{2})#h-month"/g)]).toHaveLength(2);
  });
});

describe("the tabs Upcoming and Past", () => {
  const shownIn = (html: string) => {
    const section = html.slice(html.indexOf('id="bookings"'), html.indexOf('id="h-month"'));
    return [...section.matchAll(/R-[a-z]+/g)].map(([reason]) => reason);
  };
  const tabsOf = (html: string) => readable(/<nav [^>]*data-tabs.*?<\/nav>/s.exec(html)?.[0] ?? "").trim();

  it("lists open appointments soonest first, closed and over ones latest first, both before the month", async () => {
    const own = await newDoctor([]);
    const patient = await newPatient();
    const [row] = await server.sql<{ phone: string }[]>`select phone from users where id = ${patient.userId}`;
    const me = { id: patient.userId, phone: row!.phone, actor: { userId: patient.userId, role: "patient" as const } };
    for (const [day, status, reason] of [
      [9, "pending", "R-later"],
      [3, "accepted", "R-next"],
      [5, "cancelled", "R-off"],
      [-1, "pending", "R-unanswered"],
      [-4, "completed", "R-seen"],
    ] as const)
      await makeVisit(server.db, { patient: me, doctor: own }, { date: dayFromNow(day), status, reason });
    const upcoming = (await patient.get("/patient/calendar")).text;
    expect(shownIn(upcoming)).toEqual(["R-next", "R-later"]);
    expect(tabsOf(upcoming)).toBe("Upcoming 2 Past 3");
    expect(upcoming.indexOf("data-deep")).toBeLessThan(upcoming.indexOf('id="bookings"'));
    const past = (await patient.get("/patient/calendar?tab=past")).text;
    expect(shownIn(past)).toEqual(["R-off", "R-unanswered", "R-seen"]);
    expect(past).toMatch(
      /<a[^>]*aria-current="page"[^>]*href="\/patient\/calendar\?tab=past"|href="\/patient\/calendar\?tab=past"[^>]*aria-current="page"/,
    );
    // The month and the days keep the tab; a day shows its own appointments in each of them.
    expect(past.match(/href="[^"]*month=[^"]*"/g)?.every((link) => link.includes("tab=past"))).toBe(true);
    expect(shownIn((await patient.get(`/patient/calendar?tab=past&day=${dayFromNow(3)}`)).text)).toEqual(["R-next"]);
    expect((await patient.get("/patient/calendar?tab=nonsense")).text).toContain("R-next");
  });
  it("names the next step in an empty list", async () => {
    const patient = await newPatient();
    expect(tabsOf((await patient.get("/patient/calendar")).text)).toBe("Upcoming 0 Past 0");
    const past = readable((await patient.get("/patient/calendar?tab=past")).text);
    expect(past).toContain("No bookings found. Schedule Appointment");
    const own = await newDoctor([]);
    const [row] = await server.sql<{ phone: string }[]>`select phone from users where id = ${patient.userId}`;
    const me = { id: patient.userId, phone: row!.phone, actor: { userId: patient.userId, role: "patient" as const } };
    await makeVisit(server.db, { patient: me, doctor: own }, { date: dayFromNow(-2), status: "cancelled" });
    const upcoming = readable((await patient.get("/patient/calendar")).text);
    expect(upcoming).toContain("No bookings found. You have no upcoming appointments. See past appointments");
  });
});

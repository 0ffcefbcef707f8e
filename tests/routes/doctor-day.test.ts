/** The doctor's day over HTTP: dashboard, appointments, patient, day sheet, calendar file, statistics. Request in, response out. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addDays, formatDate, formatDay, formatDayLong, formatTime } from "#app/lib/dates.ts";
import { readable as textOf } from "../factories/booking.ts";
import { dayFromNow, makeDoctor, makePatient, makeVisit, type Person, type TestDoctor } from "../factories/people.ts";
import { Browser } from "../setup/http.ts";
import { whileLocked } from "../setup/locked.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

/** React separates neighbouring texts by comments, which this reads as spaces. */
const readable = (html: string) => textOf(html).replaceAll(" ,", ",");

let server: TestServer;
let doctor: TestDoctor;
let patient: Person;
let asDoctor: LoggedIn;
beforeAll(async () => {
  server = await startServer({ seed: false });
  // Noon in India, so that neither this morning nor this evening is another day.
  server.clock.to(Date.parse(`${dayFromNow(0)}T06:30:00Z`));
  [doctor, patient] = [await makeDoctor(server.db, { name: "Dr. Day" }), await makePatient(server.db, { name: "Asha Rao" })];
  asDoctor = await loginAs(server, { role: "doctor", email: doctor.email });
});
afterAll(() => server?.stop());

const between = () => ({ patient, doctor });
const page = async (path: string, browser: Browser = asDoctor) => {
  const answer = await browser.get(path);
  return { ...answer, words: readable(answer.text) };
};
const statusOf = async (id: string) =>
  (await server.sql<{ status: string }[]>`select status from appointments where id = ${id}`)[0]?.status;
const emptied = async () => {
  await server.sql`delete from reviews where doctor_id = ${doctor.id}`;
  await server.sql`update doctors set rating_sum = 0, rating_count = 0 where id = ${doctor.id}`;
  await server.sql`delete from appointments where doctor_id = ${doctor.id}`;
};

describe("access", () => {
  const paths = [
    "/doctor-dashboard",
    "/doctor/appointments",
    "/doctor/appointments.ics",
    "/doctor/stats",
    "/doctor/stats.csv",
    "/doctor/patient/x",
  ];
  test.each([...paths, `/doctor/appointments/day/${dayFromNow(0)}`])(
    "%s: refuses visitors, patients and unverified doctors",
    async (path) => {
      expect((await new Browser(server.url).get(path)).location).toMatch(/^\/dual-doctor/);
      const person = await loginAs(server, { role: "patient", phone: patient.phone });
      expect((await person.get(path)).location).toBe("/patient-dashboard");
      const waiting = await makeDoctor(server.db, { status: "under review by hospital" });
      const answer = await (await loginAs(server, { role: "doctor", email: waiting.email })).get(path);
      expect(answer.location).toBe("/doctor-verify");
      expect(answer.text).not.toContain("Asha");
    },
  );
});

describe("the dashboard", () => {
  test("shows zeros, an empty day and the next steps to a new doctor", async () => {
    await emptied();
    const { words, text } = await page("/doctor-dashboard");
    expect(words).toContain("Good afternoon, Dr. Day");
    for (const text of ["Total Earnings ₹0", "Total Patients 0", "Today's Appointments 0", "Completion Rate –"])
      expect(words).toContain(text);
    for (const text of ["Today Appointments", "See All", "No appointments today.", "0 to accept or cancel"]) expect(words).toContain(text);
    expect(words).toContain("Add to your profile: some words about you, your photo, and the languages you speak");
    expect(words).toMatch(/No bookable times from \w{3} \d+ \w{3} to \w{3} \d+ \w{3}/);
    // Its button leads to the hours, as that of the week.
    const hours = `/doctor/practices/${doctor.id}/hours`;
    expect(text.split('id="h-next"')[1]).toContain(`href="${hours}"`);
    const week = (await page("/doctor/availability/week")).text;
    expect(week).toContain(`href="${hours}"`);
    for (const page of [text, week]) expect(page).not.toContain('href="/doctor/availability/weekly"');
  });
  test("counts the day, shows the current patient and lists the requests", async () => {
    await emptied();
    const today = dayFromNow(0);
    await makeVisit(server.db, between(), { date: today, time: "09:00", status: "completed", name: "Early Bird" });
    const now = await makeVisit(server.db, between(), { date: today, time: "11:30", status: "accepted", name: "In The Room" });
    await makeVisit(server.db, between(), { date: today, time: "16:00", status: "cancelled", name: "Gone Away" });
    const waits = await makeVisit(server.db, between(), { date: addDays(today, 1), time: "10:00", name: "Waits Tomorrow" });
    await makeVisit(server.db, between(), { date: addDays(today, -1), status: "accepted", name: "Forgotten" });
    const { words, text } = await page("/doctor-dashboard");
    for (const part of ["Total Earnings ₹500", "₹500 this month", "Today's Appointments 2", "1 seen, 1 to come", "Completion Rate 50%"])
      expect(words).toContain(part);
    expect(words).toContain("1 past appointment is not closed");
    expect(words).toContain("1 to accept or cancel");
    expect(words).not.toContain("Gone Away");
    // One press opens the question, and the answer returns here.
    expect(text).toContain(`/doctor/appointments/${now}/complete?from=%2Fdoctor-dashboard`);
    expect(text).toContain(`/doctor/appointments/${waits}/accept?from=%2Fdoctor-dashboard`);
    expect(/<li data-state="now"[\s\S]*?<\/li>/.exec(text)?.[0]).toContain("In The Room");
  });
  test("sends no phone, and the reason of a visit only where the page shows it", async () => {
    await emptied();
    const today = dayFromNow(0);
    await makeVisit(server.db, between(), { date: today, time: "16:00", status: "accepted", reason: "Shown today" });
    await makeVisit(server.db, between(), { date: addDays(today, 1), name: "Waits Tomorrow", reason: "Not shown" });
    const { text } = await page("/doctor-dashboard");
    expect(text).toContain("Shown today");
    expect(text).toContain("Waits Tomorrow");
    expect(text).not.toContain("Not shown");
    expect(text).not.toContain(patient.phone.slice(-10));
  });
  test("fills one button, in the current row, and marks the completed row as done", async () => {
    await emptied();
    const today = dayFromNow(0);
    for (const [time, status, name] of [
      ["09:00", "completed", "Early Bird"],
      ["11:30", "accepted", "In The Room"],
      ["16:00", "accepted", "Later On"],
    ] as const)
      await makeVisit(server.db, between(), { date: today, time, status, name });
    const main = (await page("/doctor-dashboard")).text.split("<main")[1] ?? "";
    const buttons = [...main.matchAll(/class="(btn[^"]*)"/g)].map(([, names = ""]) => names.split(" "));
    const filled = buttons.filter((names) => !names.some((name) => ["second", "quiet", "danger"].includes(name)));
    expect(filled).toHaveLength(1);
    expect(/<li data-state="now"[\s\S]*?<\/li>/.exec(main)?.[0]).toMatch(/class="btn(?! second| quiet)/);
    expect(/<li data-state="done"[\s\S]*?<\/li>/.exec(main)?.[0]).toContain("Early Bird");
  });
  test("shows zeros when the figures cannot be read", async () => {
    await whileLocked(server, "appointments", async () => {
      const { status, words } = await page("/doctor-dashboard");
      expect(status).toBe(200);
      expect(words).toContain("Failed to load statistics");
      expect(words).toContain("Total Earnings ₹0");
      expect(words).toContain("Failed to load appointments");
      const stats = await page("/doctor/stats");
      expect(stats.status).toBe(503);
      expect(stats.words).toContain("Doctor Statistics");
      expect(stats.words).toContain("Failed to load statistics");
      expect(stats.words).toContain("Refresh");
      const list = await page("/doctor/appointments");
      expect(list.status).toBe(503);
      expect(list.words).toContain("Failed to load appointments");
    });
    expect((await page("/doctor/stats")).status).toBe(200);
  }, 40_000);
});

describe("accept, complete, cancel", () => {
  // 10:30 is past: the clock of the server is at noon.
  const when = () => ({ date: dayFromNow(0), time: "10:30" });
  const facts = () => `the appointment with Asha Rao on ${formatDate(when().date)} at ${formatTime(when().time)}`;
  test("ask for confirmation, have one effect, show a toast and return to the previous page", async () => {
    await emptied();
    const id = await makeVisit(server.db, between(), { ...when(), name: "Asha Rao" });
    const steps = [
      ["accept", `Are you sure you want to accept ${facts()}?`, "accepted", "Appointment accepted successfully!"],
      ["complete", `Are you sure you want to mark ${facts()} as completed?`, "completed", "Appointment completed successfully!"],
    ] as const;
    for (const [action, question, status, done] of steps) {
      const path = `/doctor/appointments/${id}/${action}?from=${encodeURIComponent("/doctor/appointments?tab=upcoming&q=asha")}`;
      expect((await page(path)).words).toContain(question);
      const answer = await asDoctor.post(path);
      expect(answer.location).toBe("/doctor/appointments?tab=upcoming&q=asha");
      expect(readable((await asDoctor.follow(answer)).text)).toContain(done);
      expect(await statusOf(id)).toBe(status);
    }
    const other = await makeVisit(server.db, between(), { ...when(), time: "11:30", name: "Asha Rao" });
    const cancel = `/doctor/appointments/${other}/cancel`;
    expect((await page(cancel)).words).toContain(
      `Are you sure you want to cancel the appointment with Asha Rao on ${formatDate(when().date)} at 11:30 AM?`,
    );
    expect((await page(cancel)).words).toContain("This cannot be undone.");
    expect(readable((await asDoctor.follow(await asDoctor.post(cancel))).text)).toContain("Appointment cancelled successfully!");
    expect(await statusOf(other)).toBe("cancelled");
  });
  test("refuses to complete before the start, shows no button for it, and shows when it opens", async () => {
    await emptied();
    const id = await makeVisit(server.db, between(), { date: dayFromNow(0), time: "12:30", name: "Asha Rao", status: "accepted" });
    const path = `/doctor/appointments/${id}/complete`;
    for (const from of ["/doctor-dashboard", "/doctor/appointments", `/doctor/patient/${id}`])
      expect((await page(from)).text).not.toContain(path);
    const opens = `You can complete this appointment from ${formatDay(dayFromNow(0))}, 12:30 PM.`;
    const asked = await page(path);
    expect(asked.words).toContain(opens);
    expect(asked.words).not.toContain("Yes");
    const answer = await asDoctor.post(path);
    expect(answer.status).toBe(409);
    expect(readable(answer.text)).toContain(`Error completing appointment: ${opens}`);
    expect(await statusOf(id)).toBe("accepted");
  });
  test("undoes completing within ten minutes, with earnings and the review request", async () => {
    await emptied();
    const id = await makeVisit(server.db, between(), { ...when(), name: "Asha Rao", status: "accepted" });
    const phone = await loginAs(server, { role: "patient", phone: patient.phone });
    const review = async () => readable((await phone.get(`/patient/appointments/${id}/review`)).text);
    const undo = `/doctor/appointments/${id}/undo-complete`;
    await asDoctor.post(`/doctor/appointments/${id}/complete`);
    expect((await page("/doctor-dashboard")).words).toContain("Total Earnings ₹500");
    expect(await review()).not.toContain("This visit is not completed");
    for (const from of ["/doctor-dashboard", "/doctor/appointments?tab=completed", `/doctor/patient/${id}`])
      expect((await page(from)).text).toContain(undo);
    expect((await page(undo)).words).toContain(`Undo completing ${facts()}?`);
    expect(readable((await asDoctor.follow(await asDoctor.post(undo))).text)).toContain("Appointment is open again.");
    expect(await statusOf(id)).toBe("accepted");
    expect((await page("/doctor-dashboard")).words).toContain("Total Earnings ₹0");
    expect((await phone.post(`/patient/appointments/${id}/review`, { rating: "5", words: "" })).status).toBe(409);
    expect(readable((await phone.get("/patient/notifications")).text)).toContain("Appointment not completed yet");
    const twice = await asDoctor.post(undo);
    expect(twice.status).toBe(409);
    expect(readable(twice.text)).toContain("This appointment is already accepted.");
    await asDoctor.post(`/doctor/appointments/${id}/complete`);
    await phone.post(`/patient/appointments/${id}/review`, { rating: "5", words: "" });
    const reviewed = await asDoctor.post(undo);
    expect(reviewed.status).toBe(409);
    expect(readable(reviewed.text)).toContain("The patient has already reviewed this visit, so it stays completed.");
  });
  test("refuses to undo after ten minutes and hides the button", async () => {
    await emptied();
    const id = await makeVisit(server.db, between(), { ...when(), status: "accepted" });
    await asDoctor.post(`/doctor/appointments/${id}/complete`);
    server.clock.advance(600_000);
    try {
      expect((await page("/doctor/appointments?tab=completed")).text).not.toContain("undo-complete");
      const late = await asDoctor.post(`/doctor/appointments/${id}/undo-complete`);
      expect(late.status).toBe(409);
      expect(readable(late.text)).toContain("You can undo a completion only within 10 minutes.");
    } finally {
      server.clock.advance(-600_000);
    }
  });
  test.each([
    ["accept", "completed", "Error accepting appointment: This appointment is already completed."],
    ["complete", "cancelled", "Error completing appointment: This appointment is already cancelled."],
    ["cancel", "completed", "Error cancelling appointment: This appointment is already completed."],
  ] as const)("%s a visit that is %s: %s", async (action, status, sentence) => {
    const id = await makeVisit(server.db, between(), {
      date: dayFromNow(4),
      time: { accept: "09:00", complete: "10:00", cancel: "11:00" }[action],
      status,
      name: "Once",
    });
    const answer = await asDoctor.post(`/doctor/appointments/${id}/${action}`);
    expect(answer.status).toBe(409);
    expect(readable(answer.text)).toContain(sentence);
    expect(await statusOf(id)).toBe(status);
  });
  test("refuses another doctor's visit, an unknown action and a return address outside the area", async () => {
    const other = await makeDoctor(server.db);
    const id = await makeVisit(server.db, { patient, doctor: other });
    for (const action of ["accept", "cancel"]) {
      expect((await asDoctor.get(`/doctor/appointments/${id}/${action}`)).status).toBe(404);
      const answer = await asDoctor.post(`/doctor/appointments/${id}/${action}`);
      expect(answer.status).toBe(404);
      expect(answer.text).not.toContain("Proof Patient");
    }
    expect(await statusOf(id)).toBe("pending");
    expect((await asDoctor.post(`/doctor/appointments/${id}/reschedule`)).status).toBe(404);
    for (const from of ["//evil.example", "https://evil.example/doctor/", "/\\evil.example", "/patient-dashboard", "javascript:alert(1)"]) {
      const own = await makeVisit(server.db, between(), { date: dayFromNow(6), time: `${9 + (from.length % 9)}:30`.padStart(5, "0") });
      const answer = await asDoctor.post(`/doctor/appointments/${own}/accept?from=${encodeURIComponent(from)}`);
      expect(answer.location).toBe("/doctor/appointments");
      await server.sql`delete from appointments where id = ${own}`;
    }
  });
});

describe("the list", () => {
  test("each empty tab has its own message", async () => {
    await emptied();
    const upcoming = await page("/doctor/appointments");
    expect(upcoming.words).toContain("No Upcoming Appointments");
    expect(upcoming.words).toContain("You don't have any upcoming appointments scheduled. Check back later or set your availability.");
    expect((await page("/doctor/appointments?tab=completed")).words).toContain("No completed appointments");
    expect((await page("/doctor/appointments?tab=cancelled")).words).toContain("No cancelled appointments");
    expect((await page("/doctor/appointments?tab=nonsense&page=-3")).words).toContain("No Upcoming Appointments");
  });
  test("shows patient, time, reason and possible actions", async () => {
    await emptied();
    const today = dayFromNow(0);
    for (const [days, name, status] of [
      [0, "Asha Rao", "accepted"],
      [1, "Bala Reddy", "pending"],
      [5, "Chitra Devi", "pending"],
    ] as const)
      await makeVisit(server.db, between(), { date: addDays(today, days), time: "14:00", name, status, reason: "" });
    const { words, text } = await page("/doctor/appointments");
    const cards = [...text.matchAll(/<article[\s\S]*?<\/article>/g)].map(([card]) => readable(card));
    expect(cards).toHaveLength(3);
    expect(cards[0]).toMatch(
      /2:00 PM Today Asha Rao 40 years, female, \+91 \d{5} \d{5} Reason Not specified Accepted No medical records Check in View Details Cancel/,
    );
    // The status badge is hidden while it is pending.
    expect(cards[1]).toMatch(/Tomorrow Bala Reddy .* Not specified No medical records Accept View Details Cancel/);
    expect(cards[2]).toContain("In 5 days");
    expect(words).toContain("Upcoming 3 Completed 0 Cancelled 0");
  });
  test("shows Cancelled in place of Cancel, and no disabled button on a completed visit", async () => {
    await emptied();
    await makeVisit(server.db, between(), { date: dayFromNow(-3), status: "completed" });
    await makeVisit(server.db, between(), { date: dayFromNow(-4), status: "cancelled" });
    expect((await page("/doctor/appointments?tab=completed")).text).not.toMatch(/<button[^>]*disabled/);
    expect((await page("/doctor/appointments?tab=cancelled")).text).toMatch(/<button[^>]*disabled[^>]*>Cancelled<\/button>/);
  });
  test("searches by a part of a name or phone, across tabs and pages, in the doctor's own visits", async () => {
    await emptied();
    const other = await makeDoctor(server.db);
    await makeVisit(server.db, { patient, doctor: other }, { name: "Lakshmi Elsewhere" });
    for (let i = 0; i < 23; i++)
      await makeVisit(server.db, between(), { date: dayFromNow(2 + i), time: "09:00", name: `Lakshmi Prasanna ${i}` });
    await makeVisit(server.db, between(), { date: dayFromNow(2), time: "10:00", name: "100% Wool_Sweater" });
    await server.sql`update appointments set patient_phone = '+919812345678' where patient_name like '100%'`;
    const names = async (query: string) => {
      const { text } = await page(`/doctor/appointments?${query}`);
      return [...text.matchAll(/<article[\s\S]*?<\/article>/g)].length;
    };
    expect(await names("q=LAK+prasa")).toBe(20);
    expect(await names("q=lak+prasa&page=2")).toBe(3);
    expect(await names("q=98123+45")).toBe(1);
    expect(await names("q=%2B91+98123-45678")).toBe(1);
    expect(await names("q=09812345678")).toBe(1);
    expect(await names("q=100%25")).toBe(1);
    expect(await names("q=%25")).toBe(1);
    expect(await names("q=_")).toBe(1);
    expect(await names("q=%5C")).toBe(0);
    const { words, text } = await page("/doctor/appointments?q=lak");
    expect(words).toContain("Upcoming 23 Completed 0");
    expect(words).not.toContain("Elsewhere");
    expect(text).toContain('href="/doctor/appointments?tab=completed&amp;q=lak"');
    expect(text).toContain('href="/doctor/appointments?tab=upcoming&amp;q=lak&amp;page=2"');
    expect((await page("/doctor/appointments?q=<b>zz</b>")).words).toContain("No patient matches “<b>zz</b>” in this list");
    expect((await asDoctor.get(`/doctor/appointments?q=${"x".repeat(3000)}`)).status).toBe(200);
  });
});

describe("a patient's page", () => {
  test("shows the visit, and a message for empty fields", async () => {
    await emptied();
    const id = await makeVisit(server.db, between(), { name: "Asha Rao", reason: "", history: "Asthma" });
    await server.sql`update appointments set patient_note = 'Comes by <wheelchair>' where id = ${id}`;
    const { words } = await page(`/doctor/patient/${id}`);
    for (const part of ["Asha Rao", "40 years, female", "Not specified", "Priority Normal", "Blood group Not known", "Asthma", "0 files"])
      expect(words).toContain(part);
    expect(words).toContain("Patient note Comes by <wheelchair>");
    expect(words).toContain("No medical records uploaded");
    const plain = await makeVisit(server.db, between(), { time: "11:00" });
    expect((await page(`/doctor/patient/${plain}`)).words).toContain("Patient note No note");
  });
  test.each(["not-an-id", "00000000-0000-4000-8000-000000000000"])("%s: No Appointment Data", async (id) => {
    const { status, words } = await page(`/doctor/patient/${id}`);
    expect(status).toBe(404);
    expect(words).toContain("No Appointment Data Appointment information is not available Go Back");
  });
  test("shows the same for another doctor's visit, and nothing of it", async () => {
    const other = await makeDoctor(server.db);
    const id = await makeVisit(server.db, { patient, doctor: other }, { history: "Secret illness" });
    const { status, text } = await page(`/doctor/patient/${id}`);
    expect(status).toBe(404);
    expect(text).not.toContain("Secret illness");
    expect((await asDoctor.get(`/doctor/patient/${id}.data`)).text).not.toContain("Secret illness");
  });
});

describe("the day sheet", () => {
  test("prints one day: times, names, ages, phones and reasons, and logs the read once", async () => {
    await emptied();
    const date = dayFromNow(2);
    await makeVisit(server.db, between(), { date, time: "15:30", name: "Bala", reason: "", status: "accepted" });
    await makeVisit(server.db, between(), { date, time: "09:30", name: "Asha", reason: "Cough" });
    await makeVisit(server.db, between(), { date, time: "10:30", name: "Cancelled Person", status: "cancelled" });
    const { words, text } = await page(`/doctor/appointments/day/${date}`);
    expect(words).toContain(`${formatDayLong(date)} Dr. Day, 2 appointments`);
    expect(words).toMatch(
      /9:30 AM Asha 40 years, female \+91 \d{5} \d{5} Cough Pending 3:30 PM Bala 40 years, female \+91 \d{5} \d{5} Not specified Accepted/,
    );
    expect(words).not.toContain("Cancelled Person");
    expect(text).toContain(`/doctor/appointments/day/${addDays(date, -1)}`);
    expect(text).toContain(`/doctor/appointments/day/${addDays(date, 1)}`);
    expect(await server.sql`select from audit_log where action = 'read-day-sheet' and actor_id = ${doctor.id}`).toHaveLength(1);
  });
  test("shows a message for an empty day, and does not find an invalid one", async () => {
    expect((await page(`/doctor/appointments/day/${dayFromNow(60)}`)).words).toContain("No appointments on this day.");
    for (const date of ["2026-02-31", "today", "0001-01-01", "9999-12-31", "2026-1-1"])
      expect((await asDoctor.get(`/doctor/appointments/day/${date}`)).status).toBe(404);
  });
});

test("the calendar file lists coming visits with names only", async () => {
  await emptied();
  const date = dayFromNow(2);
  const id = await makeVisit(server.db, between(), {
    date,
    time: "17:30",
    name: "Asha, Rao",
    reason: "Cough at night",
    status: "accepted",
  });
  await makeVisit(server.db, between(), { date, time: "09:00", name: "Waiting" });
  await makeVisit(server.db, between(), { date: dayFromNow(-1), name: "Past" });
  await makeVisit(server.db, between(), { date, time: "10:00", name: "Cancelled", status: "cancelled" });
  const { status, headers, text } = await asDoctor.get("/doctor/appointments.ics");
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("text/calendar; charset=utf-8");
  expect(headers.get("content-disposition")).toBe('attachment; filename="nadi-schedule.ics"');
  expect(headers.get("cache-control")).toBe("no-store");
  expect(text.match(/BEGIN:VEVENT/g)).toHaveLength(2);
  expect(text).toContain(`UID:${id}`);
  expect(text).toContain(`DTSTART;TZID=Asia/Kolkata:${date.replaceAll("-", "")}T173000`);
  expect(text).toContain("SUMMARY:Asha\\, Rao");
  for (const hidden of ["Cough", patient.phone, "Past", "Cancelled"]) expect(text).not.toContain(hidden);
});

describe("statistics", () => {
  test("without visits: shows no trend, no sample data and a refresh link", async () => {
    await emptied();
    const { words, text } = await page("/doctor/stats");
    expect(words).toContain("Doctor Statistics");
    expect(words).toContain("No earnings trend data available.");
    expect(text.match(/Refresh/g)?.length).toBeGreaterThanOrEqual(2);
    expect(text).not.toContain("stats.csv");
    expect(text).not.toContain("data-bars");
  });
  test("shows the real figures as bars, table and file", async () => {
    await emptied();
    const thisMonth = dayFromNow(0).slice(0, 7);
    const lastMonth = addDays(`${thisMonth}-01`, -1);
    await makeVisit(server.db, between(), { date: `${thisMonth}-01`, status: "completed", name: "A" });
    await makeVisit(server.db, between(), { date: `${thisMonth}-01`, time: "11:00", status: "completed", name: "B" });
    await makeVisit(server.db, between(), { date: lastMonth, status: "completed", name: "A" });
    await makeVisit(server.db, between(), { date: lastMonth, time: "11:00", status: "cancelled", name: "C" });
    const { words, text } = await page("/doctor/stats");
    for (const part of ["Total Earnings ₹1,500", "₹1,000 this month", "Monthly Growth +100%", "Total Patients 2", "₹750 per patient"])
      expect(words).toContain(part);
    expect(words).toContain("Completion Rate 75% 3 of 4 closed appointments");
    expect(/<svg [^>]*data-bars[\s\S]*?<\/svg>/.exec(text)?.[0].match(/<rect/g)).toHaveLength(2);
    expect(words).toContain("Show as a table");
    expect(words).toMatch(/Total 3 3 1 ₹1,500/);
    for (const range of ["6m", "12m", "year", "all", "nonsense"]) {
      const csv = await asDoctor.get(`/doctor/stats.csv?range=${range}`);
      expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
      expect(csv.text.startsWith("\uFEFF") || csv.text.startsWith("Month")).toBe(true);
      const lines = csv.text.replace("\uFEFF", "").trim().split("\r\n");
      expect(lines[0]).toBe("Month,Appointments,Completed,Cancelled,Earnings (INR)");
      expect(lines.at(-1)).toBe(`${thisMonth},2,2,0,1000`);
      if (range === "6m" || range === "nonsense") expect(lines).toHaveLength(7);
      if (range === "all") expect(lines).toEqual([lines[0], `${lastMonth.slice(0, 7)},1,1,1,500`, lines[2]]);
    }
  });
  test("every figure of the specification has a row", async () => {
    const { words } = await page("/doctor/stats?view=figures");
    for (const line of [
      "Today's Appointments 0",
      "Earned in the last 7 days",
      "Growth of appointments",
      "Average per patient ₹750",
      "Waiting for your answer 0",
      "Consultation fee ₹500",
    ])
      expect(words).toContain(line);
  });
  test("the file starts with a byte order mark, for Excel", async () => {
    const answer = await fetch(`${server.url}/doctor/stats.csv`, { headers: { cookie: `nadi_session=${asDoctor.token}` } });
    expect([...new Uint8Array(await answer.arrayBuffer()).slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  });
  test("recharts is not in the first scripts of any page", async () => {
    const demo = await loginAs(server, { role: "doctor", email: doctor.email });
    for (const path of ["/doctor-dashboard", "/doctor/stats"]) {
      const { text } = await demo.get(path);
      const scripts = [...new Set(Array.from(text.matchAll(/"(\/assets\/[\w.-]+\.js)"/g), ([, script]) => script!))];
      expect(scripts.length).toBeGreaterThan(5);
      for (const script of scripts) expect((await demo.get(script)).text, script).not.toContain("recharts-wrapper");
    }
  });
});

describe("Add Availability", () => {
  const boxesOf = (html: string) =>
    new Map([...html.matchAll(/<input type="checkbox"[^>]*>/g)].map(([tag]) => [/value="([^"]*)"/.exec(tag)?.[1], tag]));

  test("shows the existing slots of a date, also without JavaScript", async () => {
    const date = dayFromNow(20);
    const doctor = await makeDoctor(server.db, {
      slots: [
        { date, time: "09:00" },
        { date, time: "10:30" },
      ],
    });
    await makeVisit(server.db, { patient: await makePatient(server.db), doctor }, { date, time: "10:30" });
    const asDoctor = await loginAs(server, { role: "doctor", email: doctor.email });
    const empty = await asDoctor.get("/doctor/availability/add");
    expect(empty.text).toContain('formMethod="get"');
    expect(empty.text).not.toContain("Already set");
    // What the button without JavaScript sends: the chosen day and the checked slots.
    const { text } = await asDoctor.get(`/doctor/availability/add?date=${date}&slots=11:00`);
    expect(readable(text)).toContain(`Times already set on ${formatDay(date)}: 2.`);
    const boxes = boxesOf(text);
    expect(boxes.size).toBe(18);
    for (const time of ["09:00", "10:30"]) expect(boxes.get(time)).toMatch(/disabled/);
    expect(boxes.get("11:00")).toMatch(/checked/);
    expect(boxes.get("11:00")).not.toMatch(/disabled/);
    expect(text).toMatch(/9:00 AM<\/span>(?:<!-- -->)? <small>Already set/);
    expect(text).toMatch(/10:30 AM<\/span>(?:<!-- -->)? <small>Booked/);

    await asDoctor.post("/doctor/availability/add", { date, slots: ["11:00"] });
    expect(boxesOf((await asDoctor.get(`/doctor/availability/add?date=${date}`)).text).get("11:00")).toMatch(/disabled/);
  });

  test("shows no slots of a day in the past or out of range", async () => {
    const asDoctor = await loginAs(server, { role: "doctor", email: (await makeDoctor(server.db)).email });
    for (const date of ["2020-01-01", "2999-01-01", "never"]) {
      const page = await asDoctor.get(`/doctor/availability/add?date=${date}`);
      expect([page.status, page.text.includes("Already set")]).toEqual([200, false]);
    }
  });
});

test("moves the browser to the preview of a weekly pattern without JavaScript", async () => {
  const asDoctor = await loginAs(server, { role: "doctor", email: (await makeDoctor(server.db)).email });
  // The button goes to the fragment of the preview, and stays on the page with all times selected.
  for (const [address, action] of [
    ["/doctor/availability/weekly", "#preview"],
    ["/doctor/availability/weekly?select=all", "?select=all#preview"],
  ] as const) {
    const [button] = /<button[^>]*value="preview"[^>]*>/.exec((await asDoctor.get(address)).text) ?? [];
    expect(button).toContain(`formAction="${action}"`);
  }
  const answer = await asDoctor.post("/doctor/availability/weekly", {
    intent: "preview",
    from: dayFromNow(1),
    until: dayFromNow(14),
    weekdays: ["1", "2"],
    slots: ["09:00"],
  });
  expect(answer.text).toMatch(/<section[^>]*id="preview"[^>]*aria-labelledby="h-preview"/);
});

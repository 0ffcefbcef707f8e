/** Reviews over HTTP: who may write, read, report and hide them, with the errors, and nothing hidden or private is public. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readable, valuesOf } from "../factories/booking.ts";
import { dayFromNow, makeDoctor, makePatient, makeStaff, makeVisit, newPhone, type TestDoctor } from "../factories/people.ts";
import { Browser } from "../setup/http.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

const UNKNOWN = "00000000-0000-4000-8000-000000000000";
const WORDS = "Listened to everything <b>I said</b>.";
let server: TestServer;
let doctor: TestDoctor;
let author: LoggedIn;
let reader: LoggedIn;
let doctorPage: LoggedIn;
let otherDoctor: LoggedIn;
let admin: LoggedIn;
let visit: string;
let days = 0;

const completed = (patient: { userId: string }, status: "completed" | "accepted" = "completed") =>
  makeVisit(
    server.db,
    { patient: { id: patient.userId, phone: newPhone(), actor: { userId: patient.userId, role: "patient" } }, doctor },
    { status, date: dayFromNow(-1 - ++days) },
  );
const at = (id: string) => `/patient/appointments/${id}/review`;
const reviewOf = async (appointmentId: string) =>
  (
    await server.sql<
      { id: string; status: string; rating: number | null; words: string | null }[]
    >`select * from reviews where appointment_id = ${appointmentId}`
  )[0];
const publicPage = async () => (await new Browser(server.url).get(`/details/doctor/${doctor.id}`)).text;

beforeAll(async () => {
  server = await startServer({ seed: false });
  doctor = await makeDoctor(server.db, { name: "Dr. Asha Rao" });
  const stranger = await makeDoctor(server.db);
  author = await loginAs(server, { role: "patient", phone: newPhone() });
  await server.sql`update patients set name = 'Lakshmi Prasanna Devi' where id = ${author.userId}`;
  reader = await loginAs(server, { role: "patient", phone: newPhone() });
  doctorPage = await loginAs(server, { role: "doctor", email: doctor.email });
  otherDoctor = await loginAs(server, { role: "doctor", email: stranger.email });
  const { userId } = await makeStaff(server.db, "admin");
  const [row] = await server.sql<{ email: string }[]>`select email from users where id = ${userId}`;
  admin = await loginAs(server, { role: "admin", email: row!.email });
  visit = await completed(author);
});
afterAll(() => server?.stop());

describe("writing", () => {
  it("requires stars, limits the text, and preserves the input", async () => {
    const empty = await author.post(at(visit), { words: WORDS });
    expect(empty.status).toBe(400);
    expect(readable(empty.text)).toContain("Choose one to five stars.");
    expect(empty.text).toContain("Listened to everything &lt;b&gt;");
    for (const rating of ["0", "6", "4.5", "five", "-1"]) expect((await author.post(at(visit), { rating })).status, rating).toBe(400);
    const long = await author.post(at(visit), { rating: "4", words: "x".repeat(601) });
    expect(long.status).toBe(400);
    expect(readable(long.text)).toContain("Please write at most 600 characters.");
    expect(valuesOf(long.text).rating).toBe("4");
    expect(await reviewOf(visit)).toBeUndefined();
    // Six hundred characters with line breaks of a browser fit. Spaces alone count as empty.
    const other = await completed(author);
    expect((await author.post(at(other), { rating: "3", words: `${"a\r\n".repeat(299)}bb` })).status).toBe(303);
    expect((await reviewOf(other))?.words).toHaveLength(600);
    expect((await author.post(at(other), { rating: "3", words: " \r\n " })).status).toBe(303);
    expect((await reviewOf(other))?.words).toBeNull();
    await author.post(`${at(other)}/take-back`);
  });
  it("publishes it once under a short name, and escapes markup", async () => {
    await publicPage();
    for (let i = 0; i < 2; i++) {
      const answer = await author.post(at(visit), { rating: "4", words: WORDS });
      expect(answer.status).toBe(303);
      expect(readable((await author.follow(answer)).text)).toContain(i ? "Your review is saved." : "Thank you. Your review is published.");
    }
    expect(await reviewOf(visit)).toMatchObject({ rating: 4, words: WORDS, status: "shown" });
    for (const page of [
      await publicPage(),
      (await author.get(`/details/doctor/${doctor.id}`)).text,
      (await new Browser(server.url).get(`/details/doctor/${doctor.id}.data`)).text,
    ]) {
      expect(page).toContain("Lakshmi P.");
      expect(page).not.toContain("Prasanna");
    }
    expect(await publicPage()).toContain("&lt;b&gt;I said");
    expect(readable(await publicPage())).toContain("4.0 out of 5 stars 1 review");
    const notified = readable((await doctorPage.get("/doctor/notifications")).text);
    expect(notified).toContain("Lakshmi P. rated you 4 out of 5 stars.");
    expect(notified).not.toContain("Listened");
    expect(readable((await doctorPage.get("/doctor/reviews")).text)).toContain("Listened to everything");
    expect(readable((await author.get("/patient/calendar")).text)).toContain("Your review");
  });
  it("is refused before the visit is completed", async () => {
    const open = await completed(author, "accepted");
    const page = await author.get(at(open));
    expect(readable(page.text)).toContain("You can write a review once the doctor has marked the visit as completed.");
    expect(page.text).not.toContain('type="radio"');
    expect((await author.post(at(open), { rating: "5" })).status).toBe(409);
    expect(await reviewOf(open)).toBeUndefined();
  });
  it("can be changed for thirty days, then only deleted", async () => {
    const own = await completed(author);
    await author.post(at(own), { rating: "2" });
    server.clock.set(31 * 86_400_000);
    try {
      const page = await author.get(at(own));
      expect(readable(page.text)).toContain("You can no longer edit this review, but you can still withdraw it.");
      expect((await author.post(at(own), { rating: "5" })).status).toBe(409);
      const gone = await author.post(`${at(own)}/take-back`);
      expect(gone.location).toBe("/patient/calendar");
      expect(readable((await author.follow(gone)).text)).toContain("Your review was withdrawn.");
    } finally {
      server.clock.set(0);
    }
    expect(await reviewOf(own)).toMatchObject({ status: "withdrawn", rating: null, words: null });
    expect((await author.get(`${at(own)}/take-back`)).location).toBe(at(own));
    expect(readable((await author.get(at(own))).text)).toContain("You have withdrawn your review of this visit.");
  });
});

describe("other users", () => {
  it("another patient's visit is not found", async () => {
    const before = await reviewOf(visit);
    for (const path of [at, (id: string) => `${at(id)}/take-back`]) {
      const [theirs, unknown] = [await reader.get(path(visit)), await reader.get(path(UNKNOWN))];
      expect([theirs.status, unknown.status]).toEqual([404, 404]);
      expect(readable(theirs.text).replaceAll(visit, "")).toBe(readable(unknown.text).replaceAll(UNKNOWN, ""));
      expect((await reader.get(`${path(visit)}.data`)).status).toBe(404);
      for (const id of [visit, UNKNOWN, "nonsense", "%27%20or%201=1"]) {
        expect((await reader.get(path(id))).status, id).toBe(404);
        expect((await reader.post(path(id), { rating: "1" })).status, id).toBe(404);
      }
    }
    expect(await reviewOf(visit)).toEqual(before);
  });
  it("a doctor reports reviews of their own only, a patient any but those they wrote", async () => {
    const { id } = (await reviewOf(visit))!;
    const report = { reason: "untrue", note: "" };
    for (const [who, path] of [
      [author, `/patient/reviews/${id}/report`],
      [otherDoctor, `/doctor/reviews/${id}/report`],
      [reader, `/patient/reviews/${UNKNOWN}/report`],
      [reader, "/patient/reviews/nonsense/report"],
    ] as const) {
      const page = await who.get(path);
      expect(page.status, path).toBe(404);
      expect(page.text).not.toContain("Listened");
      expect((await who.post(path, report)).status, path).toBe(404);
    }
    const offer = `href="/patient/reviews/${id}/report"`;
    expect((await author.get(`/details/doctor/${doctor.id}`)).text).not.toContain(offer);
    expect((await reader.get(`/details/doctor/${doctor.id}`)).text).toContain(offer);
    expect((await new Browser(server.url).get(`/patient/reviews/${id}/report`)).location).toContain("/dual-patient?redirectTo=");
    expect((await doctorPage.get(`/patient/reviews/${id}/report`)).location).toBe(`/doctor/reviews/${id}/report`);
    expect(await server.sql`select from review_reports`).toHaveLength(0);
  });
});

describe("reports and moderation", () => {
  it("is reported once by each user, and administrators see the most reported first", async () => {
    const { id } = (await reviewOf(visit))!;
    expect(readable((await reader.post(`/patient/reviews/${id}/report`, {})).text)).toContain("Choose a reason.");
    for (const [who, path, back] of [
      [reader, `/patient/reviews/${id}/report`, `/details/doctor/${doctor.id}`],
      [doctorPage, `/doctor/reviews/${id}/report`, "/doctor/reviews"],
    ] as const)
      for (let i = 0; i < 2; i++) {
        const answer = await who.post(path, { reason: "untrue", note: "Was never here" });
        expect(answer.location).toBe(back);
        expect(readable((await who.get(path)).text)).toContain("You have reported this review.");
      }
    expect(await server.sql`select from review_reports where review_id = ${id}`).toHaveLength(2);
    expect(readable((await admin.get("/admin")).text)).toContain("reported by patients or doctors");
    // The navigation of every page.
    for (const page of ["/admin/users", "/account/security"])
      expect(readable((await admin.get(page)).text), page).toMatch(/Reviews 1 waiting/);
    const list = readable((await admin.get("/admin/reviews")).text);
    expect(list).toContain("Lakshmi P. about Dr. Asha Rao");
    expect(list).toContain("2 open reports");
    const page = readable((await admin.get(`/admin/reviews/${id}`)).text);
    expect(page).toContain("It is untrue, by a patient");
    expect(page).toContain("It is untrue, by a doctor");
    for (const bad of [UNKNOWN, "nonsense"]) expect((await admin.get(`/admin/reviews/${bad}`)).status).toBe(404);
  });
  it("hides it everywhere at once with a reason, and restores it", async () => {
    const { id } = (await reviewOf(visit))!;
    const here = `/admin/reviews/${id}`;
    const missing = await admin.post(here, { intent: "hide", reason: " " });
    expect(missing.status).toBe(400);
    expect(readable(missing.text)).toContain("Write why you are hiding the review. The patient can read it.");
    // The visitors' page is cached, and hiding drops it.
    expect(await publicPage()).toContain("Listened");
    const hidden = await admin.post(here, { intent: "hide", reason: "It names another patient" });
    expect(readable((await admin.follow(hidden)).text)).toContain("The review is hidden.");
    await expect.poll(publicPage, { timeout: 10_000 }).not.toContain("Listened");
    expect(readable(await publicPage())).toContain("New");
    expect((await doctorPage.get("/doctor/reviews")).text).not.toContain("Listened");
    expect((await reader.get(`/patient/reviews/${id}/report`)).status).toBe(404);
    const own = readable((await author.get(at(visit))).text);
    expect(own).toContain("An administrator has hidden this review.");
    expect(own).toContain("It names another patient");
    expect(readable((await author.get("/patient/notifications")).text)).toContain("It names another patient");
    expect((await admin.post(here, { intent: "hide", reason: "again" })).status).toBe(409);
    expect(readable((await admin.get("/admin/reviews?tab=hidden")).text)).toContain("Lakshmi P. about Dr. Asha Rao");
    expect((await admin.post(here, { intent: "show" })).status).toBe(303);
    await expect.poll(publicPage, { timeout: 10_000 }).toContain("Listened");
    expect((await admin.post(here, { intent: "nonsense" })).status).toBe(400);
    const logged = await server.sql`select action from audit_log where subject_id = ${id} and actor_id = ${admin.userId} order by id`;
    expect(logged.map((row) => row.action)).toEqual(["hide-review", "show-review"]);
  });
  it("a doctor replies below it, and only the reviewed one", async () => {
    const { id } = (await reviewOf(visit))!;
    const here = `/doctor/reviews/${id}/reply`;
    for (const [who, status] of [
      [otherDoctor, 404],
      [author, 403],
      [admin, 403],
    ] as const)
      expect((await who.post(here, { intent: "save", reply: "x" })).status).toBe(status);
    expect((await otherDoctor.get(here)).status).toBe(404);
    expect((await new Browser(server.url).get(here)).location).toContain("/dual-doctor?redirectTo=");
    for (const bad of [UNKNOWN, "nonsense"]) expect((await doctorPage.get(`/doctor/reviews/${bad}/reply`)).status).toBe(404);

    expect(readable((await doctorPage.get("/doctor/reviews")).text)).toContain("Reply");
    const empty = await doctorPage.post(here, { intent: "save", reply: " " });
    expect(empty.status).toBe(400);
    expect(readable(empty.text)).toContain("Write your reply.");
    const long = await doctorPage.post(here, { intent: "save", reply: "y".repeat(601) });
    expect(long.status).toBe(400);
    expect(valuesOf(long.text).reply).toHaveLength(601);
    await publicPage();
    const sent = await doctorPage.post(here, { intent: "save", reply: "Thank you <b>very</b> much." });
    expect(readable((await doctorPage.follow(sent)).text)).toContain("Your reply is on your page.");
    // The visitors' page is cached, and a reply drops it.
    expect(await publicPage()).toContain("Thank you &lt;b&gt;very&lt;/b&gt; much.");
    expect(readable((await author.get(at(visit))).text)).toContain("Thank you <b>very</b> much.");
    expect(readable((await author.get("/patient/notifications")).text)).toContain("Dr. Asha Rao has replied to your review.");
    expect((await author.get(`/patient/reviews/${id}/report`)).status).toBe(200);

    const moderated = await admin.post(`/admin/reviews/${id}`, { intent: "hide-reply", reason: "It names another patient" });
    expect(readable((await admin.follow(moderated)).text)).toContain("The reply is hidden.");
    expect(await publicPage()).not.toContain("Thank you");
    const hidden = readable((await doctorPage.get(here)).text);
    expect(hidden).toContain("An administrator has hidden this reply.");
    expect(hidden).toContain("It names another patient");
    expect((await doctorPage.post(here, { intent: "save", reply: "New" })).status).toBe(409);
    expect((await admin.post(`/admin/reviews/${id}`, { intent: "show-reply" })).status).toBe(303);
    expect(await publicPage()).toContain("Thank you");
    const removed = await doctorPage.post(here, { intent: "remove" });
    expect(readable((await doctorPage.follow(removed)).text)).toContain("Your reply is removed.");
    expect(await publicPage()).not.toContain("Thank you");
  });
  it("pages of a doctor's reviews have URLs, and invalid ones show the first", async () => {
    for (let i = 0; i < 5; i++) {
      const patient = await makePatient(server.db, { name: `Reader ${i}` });
      const id = await completed({ userId: patient.id });
      await server.sql`insert into reviews (appointment_id, patient_id, doctor_id, rating, words, created_at)
        values (${id}, ${patient.id}, ${doctor.id}, 5, ${`Page proof ${i}`}, now() + make_interval(secs => ${i + 1}))`;
    }
    await server.sql`select pg_notify('nadi_pages', '')`;
    await expect.poll(publicPage, { timeout: 10_000 }).toContain("Page proof 4");
    const first = await publicPage();
    expect(first).not.toContain("Page proof 0");
    expect(first).toContain("?reviews=2#reviews");
    const second = (await new Browser(server.url).get(`/details/doctor/${doctor.id}?reviews=2`)).text;
    expect(second).toContain("Page proof 0");
    expect(second).not.toContain("Page proof 4");
    for (const odd of ["0", "-3", "x", "1.5"])
      expect((await new Browser(server.url).get(`/details/doctor/${doctor.id}?reviews=${odd}`)).text, odd).toContain("Page proof 4");
  });
});

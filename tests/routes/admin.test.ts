/** The administrator's desk over HTTP, and the letter that makes a reviewer. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readable, valuesOf } from "../factories/booking.ts";
import { decisionFields, makeAdmin, makeCase, makeHospital, makeReviewer, type TestCase, type TestHospital } from "../factories/cases.ts";
import { pressContinue, proveDoctorPhone } from "../factories/logins.ts";
import { dayFromNow, makeDoctor, makePatient, makeVisit, newPhone, typed } from "../factories/people.ts";
import { DEMO_KEY } from "../setup/database.ts";
import { type Answer, Browser } from "../setup/http.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
let house: TestHospital;
let admin: LoggedIn;
let second: LoggedIn;
let reviewer: LoggedIn;
const wrong: Record<string, Browser> = {};

const approved = (over: Partial<Parameters<typeof makeCase>[1]> = {}) =>
  makeCase(server.db, {
    key: DEMO_KEY,
    hospital: house,
    status: "pending admin approval",
    decided: "matches",
    approvedBy: reviewer.userId,
    openedBy: [admin.userId, second.userId],
    ...over,
  });
const at = (of: { id: string }) => `/admin/doctors/${of.id}`;
const hospitalAt = (of: { id: string }) => `/admin/hospitals/${of.id}`;
const statusOf = async (of: TestCase) => (await server.sql`select registration_status s from doctors where id = ${of.id}`)[0]?.s;
const page = async (path: string, browser: Browser = admin) => readable((await browser.get(path)).text);

beforeAll(async () => {
  server = await startServer({ seed: false });
  house = await makeHospital(server.db, { name: "Proof Central Hospital" });
  const staff = await makeReviewer(server.db, house);
  reviewer = await loginAs(server, staff);
  admin = await loginAs(server, await makeAdmin(server.db));
  second = await loginAs(server, await makeAdmin(server.db));
  wrong.reviewer = reviewer;
  wrong.doctor = await loginAs(server, { role: "doctor", email: (await makeDoctor(server.db)).email });
  wrong.patient = await loginAs(server, { role: "patient", phone: (await makePatient(server.db)).phone });
  wrong.nobody = new Browser(server.url);
});
afterAll(() => server?.stop());

describe("the overview", () => {
  it("counts what waits and how long, hospitals to confirm, cases nobody can review, and the newest decisions", async () => {
    const entered = await makeHospital(server.db, { name: "Entered By Hand", status: "pending" });
    await makeCase(server.db, {
      key: DEMO_KEY,
      hospital: entered,
      name: "Dr. Nobody Reviews",
      submittedAt: new Date(Date.now() - 9 * 86_400_000 - 60_000),
    });
    const it = await approved({ name: "Dr. Freshly Decided" });
    await admin.post(at(it), decisionFields(it, "approve", ["matches"]));
    const text = await page("/admin");
    for (const word of [
      "Pending admin approval",
      "Under review by hospital",
      "Oldest 9 days",
      "Entered By Hand",
      "Cases waiting for it: 1",
      "Dr. Nobody Reviews",
      "Waiting 9 days",
      "Dr. Freshly Decided",
      "Admin approval: verified",
    ])
      expect(text, word).toContain(word);
  });
});

describe("doctors", () => {
  it("by status, found by name, email, phone and registration number", async () => {
    const it = await approved({ name: "Dr. Searchable Name" });
    const list = (query: string) => page(`/admin/doctors?status=pending+admin+approval&q=${encodeURIComponent(query)}`);
    const [number] = await server.sql`select council_number n from doctors where id = ${it.id}`;
    const half = typed(it.phone).slice(0, 6);
    for (const query of ["searchable", it.email, typed(it.phone), `0${half}`, `+91 ${half}`, String(number?.n)])
      expect(await list(query), query).toContain("Dr. Searchable Name");
    const elsewhere = await page("/admin/doctors?status=verified&q=searchable");
    expect(elsewhere).toContain("There are matches under another heading");
    expect(elsewhere).toContain("Pending admin approval (1)");
    expect(await list("nobody of that name")).toContain("No doctor matches");
    expect(await page("/admin/doctors?status=verified")).not.toContain("Dr. Searchable Name");
    for (const odd of ["?status=nonsense", "?page=-1&q=%25", "?status=draft&page=9999"])
      expect((await admin.follow(await admin.get(`/admin/doctors${odd}`))).status, odd).toBe(200);
  });
  it("are approved after the hospital: verified, in the directory, told by letter", async () => {
    const it = await approved({ name: "Dr. Qwerty Approved" });
    const text = await page(at(it));
    expect(text).toMatch(/Hospital review: approved Reviewer \d+/);
    const answer = await admin.post(at(it), decisionFields(it, "approve", ["matches"]));
    expect(answer.status).toBe(303);
    // To the next one that waits, or to the list.
    const rest = await server.sql`select id from doctors where registration_status = 'pending admin approval'`;
    expect(["/admin/doctors", ...rest.map(({ id }) => `/admin/doctors/${id}`)]).toContain(answer.location);
    expect(await statusOf(it)).toBe("verified");
    expect(readable((await new Browser(server.url).get("/doctorspages/Cards-data?q=Qwerty")).text)).toContain("Dr. Qwerty Approved");
    await expect
      .poll(async () => (await server.outbox(it.email)).map((l) => l.subject).join(), { timeout: 10_000 })
      .toContain("You are verified");
  });
  it("are sent back with reasons", async () => {
    const it = await approved();
    expect(
      (await admin.post(at(it), decisionFields(it, "send-back", [["Another name on it."], "matches", "matches", "matches"]))).status,
    ).toBe(303);
    expect(await statusOf(it)).toBe("rejected");
    expect(await page(at(it))).toContain("Another name on it.");
  });
  it("are not approved before their hospital has looked, nor by the person who approved there", async () => {
    const early = await makeCase(server.db, { key: DEMO_KEY, hospital: house });
    const refused = await admin.post(at(early), decisionFields(early, "approve", ["matches"]));
    expect([refused.status, readable(refused.text)]).toEqual([
      409,
      expect.stringContaining("This case has moved on: Under review by hospital."),
    ]);
    const it = await approved({ approvedBy: admin.userId });
    const same = await admin.post(at(it), decisionFields(it, "approve", ["matches"]));
    expect([same.status, readable(same.text)]).toEqual([403, expect.stringContaining("Another person must approve it here.")]);
    expect((await second.post(at(it), decisionFields(it, "approve", ["matches"]))).status).toBe(303);
  });
  it("are not approved while their hospital is not confirmed; the page says so", async () => {
    const entered = await makeHospital(server.db, { status: "pending", name: "Unconfirmed House" });
    const it = await approved({ hospital: entered });
    expect(await page(at(it))).toContain("Confirm the hospital before you approve: Unconfirmed House");
    expect((await admin.post(at(it), decisionFields(it, "approve", ["matches"]))).status).toBe(409);
    await admin.post(hospitalAt(entered), { intent: "confirm" });
    expect((await admin.post(at(it), decisionFields(it, "approve", ["matches"]))).status).toBe(303);
  });
  it("decided by two administrators at once: one effect, the other is told", async () => {
    const it = await approved();
    const answers = await Promise.all([
      admin.post(at(it), decisionFields(it, "approve", ["matches"])),
      second.post(at(it), decisionFields(it, "send-back", [["No."]])),
    ]);
    expect(answers.map((a) => a.status).sort()).toEqual([303, 409]);
    expect(readable(answers.find((a) => a.status === 409)!.text)).toMatch(/This case has moved on: (Verified|Rejected)\./);
  });
  it("show their numbers only by a reveal that says why and is logged", async () => {
    const it = await approved();
    const hidden = (answer: Answer) => {
      for (const number of Object.values(it.numbers)) expect(answer.text).not.toContain(number);
    };
    for (const path of [at(it), `${at(it)}.data`, "/admin/doctors", "/admin/audit", `/admin/users/${it.id}`]) hidden(await admin.get(path));
    hidden(await admin.post(`${at(it)}/reveal/account`, { reason: "" }));
    const shown = await admin.post(`${at(it)}/reveal/account`, { reason: "A payment came back." });
    expect([shown.status, shown.text.includes(it.numbers.account)]).toEqual([200, true]);
    const log = await page(`/admin/audit?person=${it.id}&action=reveal-number`);
    expect(log).toContain("A payment came back.");
    expect(log).not.toContain(it.numbers.account);
  });
});

describe("suspension", () => {
  it("asks why, ends the sessions, takes the doctor out, lists the coming visits; and back", async () => {
    const it = await approved({ name: "Dr. Zyx Suspended", status: "verified" });
    const patient = await makePatient(server.db);
    const visit = await makeVisit(server.db, { patient, doctor: it }, { status: "accepted", date: dayFromNow(2), name: "Waiting Patient" });
    const theirs = await loginAs(server, { role: "patient", phone: patient.phone });
    const own = (place: string) => theirs.get(`/patient/appointments/${place}`);
    expect(readable((await own(`payment/${visit}`)).text)).toContain("How would you like to pay?");
    const doctor = await loginAs(server, { role: "doctor", email: it.email });
    expect((await doctor.get("/doctor-dashboard")).status).toBe(200);

    const path = `${at(it)}/suspend`;
    expect(await page(path)).toContain("Suspend Dr. Zyx Suspended?");
    const silent = await admin.post(path, { reason: "  " });
    expect([silent.status, readable(silent.text)]).toEqual([400, expect.stringContaining("Write why the doctor is suspended.")]);
    expect((await admin.post(path, { reason: "A complaint is looked into." })).status).toBe(303);
    expect(await statusOf(it)).toBe("suspended");
    expect((await doctor.get("/doctor-dashboard")).location).toMatch(/^\/dual-doctor/);
    expect((await new Browser(server.url).get(`/details/doctor/${it.id}`)).status).toBe(404);
    const again = await loginAs(server, { role: "doctor", email: it.email });
    expect((await again.get("/doctor/appointments")).status).toBe(303);
    const text = await page(at(it));
    for (const word of ["Waiting Patient", "Booked visits: 1", "A complaint is looked into."]) expect(text).toContain(word);
    expect((await server.sql`select status from appointments where doctor_id = ${it.id}`)[0]?.status).toBe("accepted");
    expect((await admin.post(path, { reason: "Twice." })).status).toBe(409);
    // The patient is asked for no money and offered no other time; they may cancel.
    const unpaid = readable((await own(`payment/${visit}`)).text);
    expect(unpaid).toContain("This doctor is not on Nadi just now. Call the clinic before you pay or set out.");
    expect(unpaid).not.toMatch(/How would you like to pay|UPI/);
    const calendar = (await theirs.get("/patient/calendar")).text;
    expect(readable(calendar)).toContain("This doctor is not on Nadi just now.");
    expect(calendar).toContain(`/patient/appointments/${visit}/cancel`);
    expect(calendar).not.toContain(`/patient/appointments/${visit}/reschedule`);
    const moved = await theirs.post(`/patient/appointments/${visit}/reschedule`, { date: dayFromNow(3), time: "10:00" });
    expect([moved.status, readable(moved.text)]).toEqual([409, expect.stringContaining("This doctor is not on Nadi just now.")]);

    expect((await admin.post(`${at(it)}/reinstate`, { note: "" })).status).toBe(303);
    expect(await statusOf(it)).toBe("verified");
    expect((await new Browser(server.url).get(`/details/doctor/${it.id}`)).status).toBe(200);
    expect((await admin.post(`${at(it)}/reinstate`, {})).status).toBe(409);
  });
});

describe("coming visits of a suspended doctor", () => {
  it("are cancelled by a plain form post that names them, and the patients are notified", async () => {
    const it = await makeDoctor(server.db, { status: "suspended", name: "Dr. Plain Suspended" });
    const patient = await makePatient(server.db);
    const [gone, stays] = [
      await makeVisit(server.db, { patient, doctor: it }, { name: "Cancelled Person", time: "10:00" }),
      await makeVisit(server.db, { patient, doctor: it }, { name: "Booked Person", time: "11:00" }),
    ];
    const path = `${at(it)}/visits`;
    const shown = await page(path);
    for (const word of ["Cancelled Person", "Booked Person", "All visits: 2"]) expect(shown).toContain(word);
    const empty = await admin.post(path, { intent: "cancel", reason: "" });
    expect(empty.status).toBe(400);
    for (const word of ["Choose at least one visit.", "Choose a reason for the patients."]) expect(readable(empty.text)).toContain(word);
    const answer = await admin.post(path, { intent: "cancel", visits: gone, reason: "doctor-left", note: "" });
    expect([answer.status, answer.location]).toEqual([303, at(it)]);
    expect(await page(at(it))).toContain("Visits cancelled: 1.");
    const rows = await server.sql`select id, status from appointments where doctor_id = ${it.id}`;
    expect(Object.fromEntries(rows.map(({ id, status }) => [id, status]))).toEqual({ [gone]: "cancelled", [stays]: "pending" });
    const theirs = await loginAs(server, { role: "patient", phone: patient.phone });
    expect(await page("/patient/notifications", theirs)).toContain("The doctor no longer works at this hospital.");
    expect((await admin.post(path, { intent: "cancel", visits: gone, reason: "doctor-left" })).status).toBe(303);
    expect(await page(at(it))).toContain("Visits cancelled: 0. Already changed or asked: 1.");
  });
  it("cannot be changed for a doctor who is not suspended", async () => {
    const it = await makeDoctor(server.db, { name: "Dr. Not Suspended" });
    const visit = await makeVisit(server.db, { patient: await makePatient(server.db), doctor: it }, { name: "Unread Person" });
    const path = `${at(it)}/visits`;
    const shown = await page(path);
    expect(shown).toContain("Dr. Not Suspended is not suspended.");
    expect(shown).not.toContain("Unread Person");
    expect((await admin.post(path, { intent: "cancel", all: "on", reason: "doctor-away" })).status).toBe(409);
    expect((await server.sql`select status from appointments where id = ${visit}`)[0]?.status).toBe("pending");
  });
});

describe("hospitals", () => {
  const fields = {
    seen: "",
    name: "",
    category: "Clinic",
    address: "12 Temple Street",
    area: "One Town",
    city: "Vijayawada",
    state: "Andhra Pradesh",
    pinCode: "520001",
    phone: "0866 2571234",
    email: "",
    workingHours: "",
    about: "",
  };

  it("are added and changed; what is wrong is said beside its field", async () => {
    const bad = await admin.post("/admin/hospitals/new", {
      ...fields,
      name: " ",
      city: "Atlantis",
      pinCode: "12",
      phone: "call me",
      email: "not an address",
    });
    expect(bad.status).toBe(400);
    for (const sentence of [
      "Enter the name of the hospital.",
      "A PIN code has 6 digits.",
      "Enter a landline or a mobile number.",
      "Please enter a valid email address",
    ])
      expect(readable(bad.text)).toContain(sentence);
    expect(readable(bad.text)).not.toContain("Invalid input");
    const blanks = await admin.post("/admin/hospitals/new", Object.fromEntries(Object.keys(fields).map((name) => [name, "  "])));
    expect([blanks.status, readable(blanks.text)]).toEqual([400, expect.not.stringContaining("Invalid input")]);
    expect(valuesOf(bad.text)).toMatchObject({ city: "Atlantis", address: "12 Temple Street" });
    expect(readable((await admin.post("/admin/hospitals/new", { ...fields, name: "Atlantis Clinic", city: "Atlantis" })).text)).toContain(
      "We do not know this city in this state.",
    );

    const made = await admin.post("/admin/hospitals/new", { ...fields, name: "Temple Street Clinic" });
    expect(made.status).toBe(303);
    const here = made.location!;
    expect(await page(here)).toContain("Temple Street Clinic");
    expect((await admin.post("/admin/hospitals/new", { ...fields, name: "Temple Street Clinic" })).status).toBe(409);
    const form = valuesOf((await admin.get(`${here}/edit`)).text);
    expect(form).toMatchObject({ name: "Temple Street Clinic", category: "Clinic", state: "Andhra Pradesh" });
    expect((await admin.post(`${here}/edit`, { ...form, name: "Temple Road Clinic" })).status).toBe(303);
    const stale = await second.post(`${here}/edit`, { ...form, name: "Stale Clinic" });
    expect([stale.status, readable(stale.text)]).toEqual([
      409,
      expect.stringContaining("Somebody has changed this hospital since you opened it."),
    ]);
    expect(await page(`/admin/hospitals?q=temple+road`)).toContain("Temple Road Clinic");
  });
  it("that a doctor entered are confirmed, once", async () => {
    const entered = await makeHospital(server.db, { status: "pending", name: "To Be Confirmed" });
    expect(await page("/admin/hospitals?status=pending")).toContain("To Be Confirmed");
    const answers = await Promise.all([admin, second].map((who) => who.post(hospitalAt(entered), { intent: "confirm" })));
    expect(answers.map((a) => a.status).sort()).toEqual([303, 409]);
    expect(await page(hospitalAt(entered))).toContain("Confirmed");
  });
  it("are merged: the doctors move, both reviewers stay", async () => {
    const [entered, stays] = [
      await makeHospital(server.db, { status: "pending", name: "Krishnaa Nursing Home" }),
      await makeHospital(server.db, { name: "Krishnaa Nursing House" }),
    ];
    const one = await loginAs(server, await makeReviewer(server.db, stays));
    const it = await makeCase(server.db, { key: DEMO_KEY, hospital: entered, name: "Dr. Moves House" });
    expect((await one.get(`/reviewer/cases/${it.id}`)).status).toBe(404);
    expect(await page(hospitalAt(entered))).toContain("Krishnaa Nursing House");
    const path = `${hospitalAt(entered)}/merge`;
    const none = await admin.post(path, {});
    expect([none.status, readable(none.text)]).toEqual([400, expect.stringContaining("Choose the hospital that stays.")]);
    expect((await admin.post(path, { into: entered.id })).status).toBe(400);
    expect((await admin.post(path, { into: stays.id })).location).toBe(hospitalAt(stays));
    expect((await one.get(`/reviewer/cases/${it.id}`)).status).toBe(200);
    expect(await page(hospitalAt(entered))).toContain("It stands for Krishnaa Nursing House.");
    expect((await admin.post(path, { into: stays.id })).status).toBe(409);
  });
  it("are refused: the cases go back with the reason", async () => {
    const entered = await makeHospital(server.db, { status: "pending", name: "A Shoe Shop" });
    const it = await makeCase(server.db, { key: DEMO_KEY, hospital: entered });
    const path = `${hospitalAt(entered)}/refuse`;
    expect((await admin.post(path, { reason: "" })).status).toBe(400);
    expect((await admin.post(path, { reason: "It is a shop." })).status).toBe(303);
    expect(await statusOf(it)).toBe("rejected");
    expect(await page(at(it))).toContain("The hospital you entered, A Shoe Shop, was not accepted: It is a shop.");
    expect((await admin.post(path, { reason: "Twice." })).status).toBe(409);
    expect((await admin.post(hospitalAt(entered), { intent: "confirm" })).status).toBe(409);
  });
});

describe("a reviewer", () => {
  const invite = async (to: string, hospital: TestHospital) => {
    const answer = await admin.post(hospitalAt(hospital), { intent: "invite", email: to, name: "Sister Grace" });
    expect(answer.status).toBe(303);
    await expect.poll(async () => (await server.outbox(to))[0]?.body ?? "", { timeout: 10_000 }).toContain("/invitation/");
    return /\/invitation\/[\w-]+/.exec((await server.outbox(to))[0]!.body)![0];
  };

  it("is invited by letter, makes an account, logs in with password and code, and has the hospital's cases", async () => {
    const hospital = await makeHospital(server.db, { name: "Inviting Hospital" });
    const it = await makeCase(server.db, { key: DEMO_KEY, hospital, name: "Dr. Waits For Grace" });
    const [email, phone] = ["grace@invited.test", newPhone()];
    const link = await invite(email, hospital);
    expect(await page(hospitalAt(hospital))).toContain(email);

    const grace = new Browser(server.url);
    const opened = await grace.get(link);
    expect([opened.status, opened.headers.get("cache-control"), opened.headers.get("referrer-policy")]).toEqual([
      200,
      "no-store",
      "same-origin",
    ]);
    expect(readable(opened.text)).toContain("Review doctors for Inviting Hospital");
    expect(valuesOf(opened.text).name).toBe("Sister Grace");
    const wrongForm = await grace.post(link, { intent: "make", name: "", phone: "12", password: "short" });
    expect(wrongForm.status).toBe(400);
    for (const sentence of ["Enter your name.", "Please enter a valid 10-digit mobile number", "Password must be at least 6 characters"])
      expect(readable(wrongForm.text)).toContain(sentence);
    const account = { intent: "make", name: "Sister Grace", phone: typed(phone), password: "a long secret" };
    const answers = await Promise.all([1, 2, 3].map(() => new Browser(server.url).post(link, account)));
    expect(answers.map((a) => a.status).sort()).toEqual([303, 404, 404]);
    expect(answers.find((a) => a.status === 303)?.location).toBe("/dual-doctor");
    expect(answers.every((a) => !a.setCookies.some((c) => c.startsWith("nadi_session")))).toBe(true);

    await proveDoctorPhone(server, grace, { email, password: "a long secret", mobile: phone });
    expect((await pressContinue(grace)).location).toBe("/reviewer");
    expect(readable((await grace.get("/reviewer")).text)).toContain("Dr. Waits For Grace");
    expect((await grace.get(`/reviewer/cases/${it.id}`)).status).toBe(200);

    const over = await grace.get(link);
    expect([over.status, readable(over.text)]).toEqual([404, expect.stringContaining("Ask the administrator for a new one.")]);
    expect(server.output()).not.toContain(link.split("/").at(-1));
  });
  it("is written to in the language chosen for them, English below; the page, and later the desk, speak it", async () => {
    const hospital = await makeHospital(server.db, { name: "Telugu Hospital" });
    const [email, phone] = ["telugu@invited.test", newPhone()];
    await admin.post(hospitalAt(hospital), { intent: "invite", email, language: "te" });
    await expect.poll(async () => (await server.outbox(email))[0]?.body ?? "", { timeout: 10_000 }).toContain("/invitation/");
    const [letter] = await server.outbox(email);
    expect([letter!.subject, letter!.body]).toEqual([
      expect.stringContaining("డాక్టర్ల పరిశీలన"),
      expect.stringMatching(/ఆహ్వానిస్తున్నాం[\s\S]*You are invited/),
    ]);
    const link = /\/invitation\/[\w-]+\?lang=te/.exec(letter!.body)![0];
    const someone = new Browser(server.url);
    expect((await someone.get(link)).text).toContain('lang="te"');
    await someone.post(link, { intent: "make", name: "Lakshmi", phone: typed(phone), password: "a long secret" });
    expect((await server.sql`select language from users where email = ${email}`)[0]?.language).toBe("te");
    expect((await admin.post(hospitalAt(hospital), { intent: "invite", email: "x@invited.test", language: "xx" })).status).toBe(400);
  });
  it("of another hospital only accepts; a letter runs out, and is taken back", async () => {
    const hospital = await makeHospital(server.db, { name: "Second Hospital" });
    const known = await makeReviewer(server.db, house);
    const link = await invite(known.email, hospital);
    const someone = new Browser(server.url);
    const opened = await someone.get(link);
    expect(opened.text).not.toContain('name="password"');
    expect((await someone.post(link, { intent: "accept" })).status).toBe(303);
    expect(await page(hospitalAt(hospital))).toContain(known.email);

    const late = await invite("late@invited.test", hospital);
    await admin.post(hospitalAt(hospital), { intent: "take-back", email: "late@invited.test" });
    expect((await someone.get(late)).status).toBe(404);
    const forgotten = await invite("forgotten@invited.test", hospital);
    server.clock.advance(7 * 86_400_000 + 60_000);
    try {
      expect((await someone.get(forgotten)).status).toBe(404);
      expect(
        (await someone.post(forgotten, { intent: "make", name: "X", phone: typed(newPhone()), password: "a long secret" })).status,
      ).toBe(404);
    } finally {
      server.clock.set(0);
    }
    for (const token of ["x", "%00", "..%2f..", "a".repeat(5000)])
      expect((await someone.get(`/invitation/${token}`)).status, token.slice(0, 10)).toBeGreaterThanOrEqual(400);
  });
  it("is removed after a question", async () => {
    const hospital = await makeHospital(server.db);
    const gone = await makeReviewer(server.db, hospital);
    const path = `${hospitalAt(hospital)}/reviewers/${gone.userId}/remove`;
    expect(await page(path)).toContain("as a reviewer?");
    expect((await admin.post(path)).location).toBe(hospitalAt(hospital));
    expect((await admin.post(path)).status).toBe(404);
    expect(await page(hospitalAt(hospital))).toContain("This hospital has no reviewer yet.");
  });
});

describe("people", () => {
  it("are found, closed with a reason, and opened again", async () => {
    const patient = await makePatient(server.db, { name: "Findable Patient" });
    const browser = await loginAs(server, { role: "patient", phone: patient.phone });
    expect(await page("/admin/users?q=findable")).toContain("Findable Patient");
    expect((await admin.get("/admin/users?q=findable")).text).not.toContain(typed(patient.phone));
    const path = `/admin/users/${patient.id}`;
    expect(await page(path)).toContain("Open sessions");
    expect((await admin.post(path, { intent: "disable", reason: "" })).status).toBe(400);
    expect((await admin.post(path, { intent: "disable", reason: "Asked for it." })).status).toBe(303);
    expect((await browser.get("/patient/calendar")).location).toMatch(/^\/dual-patient/);
    expect((await admin.post(path, { intent: "disable", reason: "Twice." })).status).toBe(409);
    expect((await admin.post(path, { intent: "enable" })).status).toBe(303);
  });
  it("are logged out everywhere", async () => {
    const patient = await makePatient(server.db);
    const [one, two] = [
      await loginAs(server, { role: "patient", phone: patient.phone }),
      await loginAs(server, { role: "patient", phone: patient.phone }),
    ];
    const answer = await admin.post(`/admin/users/${patient.id}`, { intent: "end-sessions" });
    expect(readable((await admin.follow(answer)).text)).toContain("Sessions ended: 2.");
    for (const browser of [one, two]) expect((await browser.get("/patient/calendar")).location).toMatch(/^\/dual-patient/);
  });
  it("nobody closes their own account, and one administrator is always left", async () => {
    const self = await admin.post(`/admin/users/${admin.userId}`, { intent: "disable", reason: "Enough." });
    expect([self.status, (await admin.get("/admin")).status]).toEqual([403, 200]);
    const [one, two] = [await makeAdmin(server.db), await makeAdmin(server.db)];
    const [a, b] = [await loginAs(server, one), await loginAs(server, two)];
    const answers = await Promise.all([
      a.post(`/admin/users/${two.userId}`, { intent: "disable", reason: "x" }),
      b.post(`/admin/users/${one.userId}`, { intent: "disable", reason: "x" }),
    ]);
    expect(answers.filter((answer) => answer.status === 303 && answer.location?.startsWith("/admin/users"))).toHaveLength(1);
    expect(
      (await server.sql`select count(*)::int n from users where id in (${one.userId}, ${two.userId}) and status = 'active'`)[0]?.n,
    ).toBe(1);
  });
});

describe("the log", () => {
  it("is narrowed and paged, and says who, what and whose in words", async () => {
    const it = await approved({ name: "Dr. In The Log" });
    for (let i = 0; i < 3; i++) await admin.get(at(it));
    const text = await page(`/admin/audit?person=${encodeURIComponent("In The Log")}&action=read-case`);
    expect(text.match(/Read case Doctor Whose record:|Read case/g)!.length).toBeGreaterThanOrEqual(3);
    expect(text).toContain("Dr. In The Log");
    const empty = await page("/admin/audit?person=nobody-of-that-name");
    expect(empty).toContain("Nothing matches");
    for (let i = 0; i < 51; i++)
      await server.sql`insert into audit_log (action, actor_role, subject_type, subject_id) values ('proof-page', 'system', 'proof', ${String(i)})`;
    const first = await admin.get("/admin/audit?action=proof-page");
    const older = /href="(\/admin\/audit\?[^"]*before=\d+[^"]*)"/.exec(first.text)?.[1]?.replaceAll("&amp;", "&");
    expect(first.text.match(/<time /g)).toHaveLength(50);
    expect((await admin.get(older!)).text.match(/<time /g)).toHaveLength(1);
    for (const odd of ["?before=x&from=never&to=2026-02-31", "?person=%25_", `?actor=${"x".repeat(2000)}`, "?before=99999999999999999999"])
      expect((await admin.get(`/admin/audit${odd}`)).status, odd).toBe(200);
  });
});

describe("the log after an incident", () => {
  it("shows every reading of one person, names them instead of their id, and goes along as a table that is logged", async () => {
    const it = await approved({ name: "Dr. Read By Many" });
    await admin.get(at(it));
    await server.sql`insert into audit_log (action, actor_role, subject_type, subject_id, person_id, details)
      values ('edit-profile', 'doctor', 'user', ${it.id}, ${it.id}, '{"fields": ["a", "b"]}')`;
    const narrow = `?person=${it.id}&action=readings`;
    const text = await page(`/admin/audit${narrow}`);
    expect(text).toContain("Whose record Dr. Read By Many What was done Every reading");
    expect(text).toContain("Read case");
    expect(text).not.toContain("Edit profile Doctor");
    expect(await page(`/admin/users/${it.id}`)).toContain("Who looked at this person");
    const csv = await admin.get(`/admin/audit.csv${narrow}`);
    expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const lines = csv.text.trim().split("\r\n");
    expect(lines[1]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+05:30,.*,Administrator,Read case,/);
    expect(lines.every((line, i) => i === 0 || /Read|Reveal/.test(line))).toBe(true);
    const [logged] = await server.sql`select details from audit_log where action = 'export-log' and actor_id = ${admin.userId}`;
    expect(logged?.details).toEqual({ rows: lines.length - 1 });
  });
});

describe("the wrong person", () => {
  it("gets nothing and changes nothing on any page of the desk", async () => {
    const it = await approved({ name: "Dr. Not For Them" });
    const entered = await makeHospital(server.db, { status: "pending", name: "Not For Them House" });
    const paths: [string, Record<string, string>][] = [
      ["/admin", {}],
      ["/admin/doctors", {}],
      [at(it), decisionFields(it, "approve", ["matches"])],
      [`${at(it)}/reveal/pan`, { reason: "I am curious." }],
      [`${at(it)}/suspend`, { reason: "x" }],
      [`${at(it)}/reinstate`, {}],
      [`${at(it)}/visits`, { intent: "cancel", all: "on", reason: "doctor-away" }],
      ["/admin/hospitals", {}],
      ["/admin/hospitals/new", { name: "Theirs", category: "Clinic", address: "x", city: "Vijayawada", state: "Andhra Pradesh" }],
      [hospitalAt(entered), { intent: "confirm" }],
      [`${hospitalAt(entered)}/edit`, {}],
      [`${hospitalAt(entered)}/merge`, { into: house.id }],
      [`${hospitalAt(entered)}/refuse`, { reason: "x" }],
      [`${hospitalAt(house)}/reviewers/${reviewer.userId}/remove`, {}],
      ["/admin/users", {}],
      [`/admin/users/${admin.userId}`, { intent: "disable", reason: "x" }],
      ["/admin/audit", {}],
      ["/admin/audit.csv", {}],
    ];
    const state = async () =>
      (
        await server.sql`select md5(string_agg(t, '|' order by t)) as sum from (
          select to_json(d)::text t from doctors d union all select to_json(h)::text from hospitals h union all select to_json(u)::text from users u
          union all select to_json(r)::text from hospital_reviewers r union all select to_json(e)::text from verification_events e) rows`
      )[0]?.sum;
    const before = await state();
    for (const [name, browser] of Object.entries(wrong))
      for (const [path, fields] of paths)
        for (const address of [path, `${path}.data`]) {
          const [read, posted] = [await browser.get(address), await browser.post(address, fields)];
          for (const answer of [read, posted]) {
            expect(answer.text, `${name} ${address}`).not.toMatch(/Not For Them|CANRY/);
            // 202 is how a data request is told to go elsewhere; 405: the page only shows.
            expect([202, 303, 403, 404, 405], `${name} ${address}`).toContain(answer.status);
          }
        }
    expect(await state()).toBe(before);
  });
  it("an id that is none is a page that is not there", async () => {
    const unknown = crypto.randomUUID();
    for (const id of [unknown, "1", "nonsense", "%27%20or%201=1"])
      for (const path of [
        `/admin/doctors/${id}`,
        `/admin/doctors/${id}/suspend`,
        `/admin/doctors/${id}/visits`,
        `/admin/doctors/${id}/reveal/pan`,
        `/admin/hospitals/${id}`,
        `/admin/hospitals/${id}/edit`,
        `/admin/hospitals/${id}/merge`,
        `/admin/users/${id}`,
      ]) {
        expect((await admin.get(path)).status, path).toBe(404);
        const posted = await admin.post(path, { intent: "enable", reason: "Because of it.", into: house.id });
        expect([400, 404], `POST ${path} ${posted.status}`).toContain(posted.status);
      }
  });
});

/** Behaviour of all calls: idempotency keys, ETags, pages of a list, tokens, limits, CORS, a database that is down. */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { dropDatabase } from "../../scripts/databases.ts";
import { readable } from "../factories/booking.ts";
import {
  addSlots,
  dayFromNow,
  makeDoctor,
  makePatient,
  newEmail,
  newPhone,
  type Person,
  type TestDoctor,
  typed,
} from "../factories/people.ts";
import { type DatabaseProxy, proxyDatabase } from "../mocks/database-proxy.ts";
import { picture } from "../setup/applications.ts";
import { cloneTemplate } from "../setup/database.ts";
import { loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";
import { ApiClient, type Args, type CallName } from "./client.ts";
import { PASSWORD, patientLogin, tokenFor } from "./people.ts";

const APP = "https://app.partner.test";
const database = await cloneTemplate("reference");
let proxy: DatabaseProxy;
let server: TestServer;
let visitor: ApiClient;
let patient: Person;
let doctor: TestDoctor;
let own: ApiClient;
let doctorClient: ApiClient;
const DAY = dayFromNow(5);
beforeAll(async () => {
  proxy = await proxyDatabase(database);
  server = await startServer({ database: proxy.address, env: { API_ORIGINS: APP } });
  visitor = await ApiClient.of(server.url);
  patient = await makePatient(server.db);
  doctor = await makeDoctor(server.db, {
    name: "Dr. Able",
    slots: ["09:00", "09:30", "10:00", "10:30", "11:00", "11:30"].map((time) => ({ date: DAY, time })),
  });
  for (const name of ["Dr. Baker", "Dr. Charlie"]) await makeDoctor(server.db, { name });
  own = visitor.as(await tokenFor(server, patient.id));
  doctorClient = visitor.as(await tokenFor(server, doctor.id));
});
afterAll(async () => {
  await proxy.giveBack();
  await server?.stop();
  await proxy.stop();
  await dropDatabase(database);
});

const booking = (time: string, key?: string): Args<"bookAppointmentCall"> => ({
  ...(key ? { headers: { "idempotency-key": key } } : {}),
  body: { doctor: doctor.id, date: DAY, time, patientInfo: { name: "A", phone: "9876543210", age: 30, gender: "other" } },
});
const visits = async (time: string) =>
  (await server.sql`select from appointments where doctor_id = ${doctor.id} and date = ${DAY} and time = ${time}`).count;

describe("Idempotency-Key", () => {
  it("returns the same response for the same call with its files, and refuses another body under the key", async () => {
    const file = await picture();
    const args = (): Args<"bookAppointmentCall"> => ({
      ...booking("9:00 AM", "key-0000001"),
      files: { medicalRecords: [[file, "a.jpg"]] },
    });
    const first = await own.call("bookAppointmentCall", args());
    const again = await own.call("bookAppointmentCall", args());
    expect(again.body).toEqual(first.body);
    expect([first.headers.get("idempotency-replayed"), again.headers.get("idempotency-replayed")]).toEqual([null, "true"]);
    expect((await server.sql`select from files where owner_id = ${patient.id}`).count).toBe(1);
    const reused = "This Idempotency-Key was already used for another request. Use a new one.";
    await own.refused("bookAppointmentCall", booking("9:30 AM", "key-0000001"), 409, reused);
    await own.refused("bookAppointmentCall", { ...args(), files: { medicalRecords: [[await picture(), "a.jpg"]] } }, 409, reused);
    expect(await visits("09:30")).toBe(0);
    // The same key of another user is a different key.
    const other = visitor.as(await tokenFor(server, (await makePatient(server.db)).id));
    expect((await other.call("bookAppointmentCall", booking("9:30 AM", "key-0000001"))).body.appointment.time).toBe("9:30 AM");
    const [row] = await server.sql<{ body: string }[]>`select body from api_replays where status = 201 limit 1`;
    expect(row!.body).not.toContain("9876543210");
    await own.refused(
      "bookAppointmentCall",
      booking("11:00 AM", "short"),
      400,
      "The Idempotency-Key must have 8 to 100 letters, digits or hyphens.",
    );
  });
  it("200 calls at once have one effect and one response", async () => {
    const person = await makePatient(server.db);
    const many = visitor.as(await tokenFor(server, person.id));
    const crowd = await Promise.all(
      Array.from({ length: 200 }, () => many.send("bookAppointmentCall", booking("10:00 AM", "key-crowd-1"))),
    );
    expect(new Set(crowd.map((c) => c.status))).toEqual(new Set([201]));
    expect(new Set(crowd.map((c) => c.text)).size).toBe(1);
    expect(crowd.filter((c) => c.headers.get("idempotency-replayed") === null)).toHaveLength(1);
    expect(await visits("10:00")).toBe(1);
    expect((await server.sql`select from audit_log where action = 'book-appointment' and person_id = ${person.id}`).count).toBe(1);
  });
  it("repeats a refusal too, and accepts the key again after a day", async () => {
    const gone = () => own.send("bookAppointmentCall", booking("4:00 PM", "key-refused"));
    const [first, again] = [await gone(), await gone()];
    expect([first.status, again.status]).toEqual([409, 409]);
    expect(again.body).toEqual(first.body);
    expect(first.body).toMatchObject({ success: false, message: "The doctor does not offer this time. Please choose another." });
    const [why, nearest] = (first.body as { errors: { time: string[] } }).errors.time;
    expect(why).toBe("The doctor does not offer this time. Please choose another.");
    expect(nearest).toMatch(/^Nearest free times: \d{1,2} \w{3} \d{4}, \d{1,2}:\d{2} [AP]M.*\.$/);
    expect([first, again].map((a) => a.headers.get("idempotency-replayed"))).toEqual([null, "true"]);
    server.clock.advance(25 * 3_600_000);
    expect((await gone()).headers.get("idempotency-replayed")).toBeNull();
    server.clock.set(0);
  });
});

it("public lists have an ETag and return 304 until they change", async () => {
  for (const name of ["listDoctors", "listHospitalNames", "getDoctor"] as const) {
    const args = name === "getDoctor" ? { params: { id: doctor.id } } : {};
    const first = await visitor.call(name, args as Args<typeof name>);
    const etag = first.headers.get("etag")!;
    expect(first.headers.get("cache-control"), name).toBe("public, no-cache");
    const same = await visitor.send(name, { ...args, headers: { "if-none-match": etag } } as Args<typeof name>);
    expect([same.status, same.text], name).toEqual([304, ""]);
  }
  const etag = (await visitor.call("listDoctors")).headers.get("etag")!;
  await server.sql`update doctors set about = 'New words' where id = ${doctor.id}`;
  expect((await visitor.send("listDoctors", { headers: { "if-none-match": etag } })).status).toBe(200);
});

it("returns a list whole, or page by page along its Link", async () => {
  const whole = (await visitor.call("listDoctors")).body.map((d) => d.fullName);
  expect(whole).toEqual(["Dr. Able", "Dr. Baker", "Dr. Charlie"]);
  const seen: string[] = [];
  let next: string | null = "/api/doctor?limit=2";
  while (next) {
    const answer: Response = await fetch(server.url + next);
    seen.push(...((await answer.json()) as { fullName: string }[]).map((d) => d.fullName));
    next = /<([^>]+)>; rel="next"/.exec(answer.headers.get("link") ?? "")?.[1] ?? null;
  }
  expect(seen).toEqual(whole);
});

describe("tokens", () => {
  it("open no page, and a cookie opens no call", async () => {
    const { token } = own;
    const page = await fetch(`${server.url}/patient-dashboard`, { headers: { cookie: `nadi_session=${token}` }, redirect: "manual" });
    expect(page.status === 303 || !readable(await page.text()).includes("Hello")).toBe(true);
    const profile = await fetch(`${server.url}/patient/profile`, { headers: { authorization: `Bearer ${token}` }, redirect: "manual" });
    expect([profile.status, profile.headers.get("location")]).toEqual([303, expect.stringContaining("/dual-patient")]);
    const sealed = await fetch(`${server.url}/patient/profile`, { headers: { cookie: `nadi_session=${token}` }, redirect: "manual" });
    expect(sealed.status).toBe(303);
    const browser = await loginAs(server, { role: "patient", phone: patient.phone });
    for (const [method, path] of [
      ["GET", "/api/appointments/my"],
      ["PUT", "/api/notifications/read-all"],
    ] as const)
      expect((await browser.send(method, path)).status).toBe(401);
    expect((await browser.get("/api/appointments/my", { authorization: `Bearer ${browser.token}` })).status).toBe(401);
  });
  it("are stored hashed, listed for their owner and deleted there, and not for other users", async () => {
    const login = await patientLogin(server, visitor);
    expect((await server.sql`select from sessions where token_hash = ${login.token}`).count).toBe(0);
    const browser = await loginAs(server, { role: "patient", phone: login.phone });
    const page = await browser.get("/patient/settings");
    expect(readable(page.text)).toContain("Apps that can use your account");
    expect(page.text).not.toContain(login.token);
    const [row] = await server.sql<{ id: string }[]>`select id from sessions where kind = 'api' and user_id = ${login.patient.id}`;
    const stranger = await loginAs(server, { role: "patient", phone: newPhone() });
    await stranger.post("/patient/settings", { intent: "revoke-app", app: row!.id });
    await login.client.call("listOwnAppointments");
    const gone = await browser.follow(await browser.post("/patient/settings", { intent: "revoke-app", app: row!.id }));
    expect(readable(gone.text)).toContain("Access revoked.");
    expect(readable(gone.text)).toContain("No app can use your account.");
    await login.client.refused("listOwnAppointments", {}, 401, "Authentication failed. Please log in again.");
    const room = await loginAs(server, { role: "doctor", email: doctor.email });
    expect(readable((await room.get("/doctor/settings")).text)).toContain("Revoke access");
  });
  it("expire", async () => {
    const login = await patientLogin(server, visitor);
    server.clock.advance(31 * 86_400_000);
    await login.client.refused("listOwnAppointments", {}, 401, "Authentication failed. Please log in again.");
    server.clock.set(0);
  });
});

describe("a doctor's login", () => {
  const start = (phone: string, email: string, isRegistration = false) =>
    visitor.call("sendDoctorOtp", { body: { phone: typed(phone), email, isRegistration } });
  const prove = async (phone: string, email: string) =>
    visitor.call("verifyDoctorOtp", { body: { phone: typed(phone), email, otp: await server.lastCode(phone) } });
  const finish = (phone: string, email: string, password = PASSWORD) => ({ body: { email, password, mobileNumber: typed(phone) } });

  it("reveals an account only after the phone is proven, with the texts of the specification", async () => {
    const known = await makeDoctor(server.db, { password: PASSWORD, status: "under review by hospital" });
    const unknown = { phone: newPhone(), email: newEmail() };
    const [a, b] = [await start(known.phone, known.email), await start(unknown.phone, unknown.email)];
    expect({ ...a.body, challengeId: "" }).toEqual({ ...b.body, challengeId: "" });
    await visitor.refused("doctorAuth", finish(known.phone, known.email), 400, "Please verify OTP first");
    const wrong = {
      phone: typed(known.phone),
      email: known.email,
      otp: (await server.lastCode(known.phone)) === "111111" ? "222222" : "111111",
    };
    await visitor.refused("verifyDoctorOtp", { body: wrong }, 400, "OTP verification failed");
    await visitor.refused("verifyDoctorOtp", { body: { ...wrong, email: "else@where.test" } }, 400, "OTP expired. Please resend.");
    expect((await prove(known.phone, known.email)).body).toMatchObject({
      isExistingDoctor: true,
      registrationStatus: "under review by hospital",
    });
    expect((await prove(unknown.phone, unknown.email)).body).toMatchObject({ isExistingDoctor: false, registrationStatus: null });
    await visitor.refused("doctorAuth", finish(unknown.phone, unknown.email), 400, "No account found. Please register first.");
    const done = await visitor.call("doctorAuth", finish(known.phone, known.email));
    expect(done.body).toMatchObject({ message: "Your registration is still under review.", isNewlyRegistered: false });
    // A proof is valid once.
    await visitor.refused("doctorAuth", finish(known.phone, known.email), 400, "Please verify OTP first");
    server.clock.advance(31_000);
    await start(known.phone, known.email);
    await prove(known.phone, known.email);
    await visitor.refused("doctorAuth", finish(known.phone, known.email, "another-one"), 400, "Login failed");
    server.clock.advance(31_000);
    await start(known.phone, known.email, true);
    await prove(known.phone, known.email);
    await visitor.refused("doctorAuth", finish(known.phone, known.email), 409, "Account already exists. Please login instead.");
    server.clock.advance(31_000);
    const second = newEmail();
    await start(known.phone, second, true);
    await prove(known.phone, second);
    const taken = "This mobile number is already registered. Please use a different number or login with your existing account.";
    await visitor.refused("doctorAuth", finish(known.phone, second), 409, taken);
    server.clock.set(0);
  });
});

it("sends CORS headers to allow-listed origins only", async () => {
  const preflight = (origin: string, path = "/api/doctor") =>
    fetch(server.url + path, { method: "OPTIONS", headers: { origin, "access-control-request-method": "PUT" } });
  const allowed = await preflight(APP);
  expect([allowed.status, allowed.headers.get("access-control-allow-origin")]).toEqual([204, APP]);
  expect(allowed.headers.get("access-control-allow-credentials")).toBeNull();
  expect((await preflight("https://evil.test")).status).toBe(403);
  const read = (origin: string) => fetch(`${server.url}/api/doctor`, { headers: { origin } });
  expect((await read(APP)).headers.get("access-control-allow-origin")).toBe(APP);
  expect((await read(APP)).headers.get("vary")).toContain("Origin");
  expect((await read("https://evil.test")).headers.get("access-control-allow-origin")).toBeNull();
  const change = (origin: string, path: string) =>
    fetch(server.url + path, { method: "PUT", headers: { origin, "sec-fetch-site": "cross-site", authorization: `Bearer ${own.token}` } });
  expect((await change(APP, "/api/notifications/read-all")).status).toBe(200);
  const refused = await change("https://evil.test", "/api/notifications/read-all");
  expect([refused.status, ((await refused.json()) as { success: boolean }).success]).toEqual([403, false]);
  expect((await change(APP, "/patient/notifications")).status).toBe(403);
});

it("delays more than 300 calls of one user in a minute, and not those of others", async () => {
  const busy = visitor.as(await tokenFor(server, (await makePatient(server.db)).id));
  const answers = await Promise.all(Array.from({ length: 310 }, () => busy.send("countNotifications")));
  const late = answers.filter((a) => a.status === 429);
  expect([answers.filter((a) => a.status === 200).length, late.length]).toEqual([300, 10]);
  expect(Number(late[0]!.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(late[0]!.body).toMatchObject({ success: false, message: expect.stringMatching(/^Too many attempts\. Please wait \d+ seconds/) });
  await own.call("countNotifications");
});

it("a booked slot is not removed, and calls at a wrong moment return the refusals of the specification", async () => {
  const { id } = (await own.call("bookAppointmentCall", booking("11:00 AM"))).body.appointment;
  await doctorClient.refused("deleteAvailability", { params: { doctorIdOrDate: DAY } }, 409);
  const stillThere = await doctorClient.call("getAvailability", { params: { doctorIdOrDate: doctor.id } });
  expect(stillThere.body.days[0]!.slots).toContain("11:00 AM");
  const other = visitor.as(await tokenFor(server, (await makePatient(server.db)).id));
  await other.refused("bookAppointmentCall", booking("11:00 AM"), 409);
  await doctorClient.refused("completeAppointment", { params: { id } }, 409);
  await own.refused("acceptAppointment", { params: { id } }, 403, "Access denied. You may not have permission to view appointments.");
  expect((await own.call("cancelAppointment", { params: { id } })).body.message).toBe("Appointment cancelled successfully!");
  for (const [body, sentence] of [
    [{}, "Doctor not specified. Please select a doctor."],
    [{ doctor: doctor.id }, "Appointment details missing. Please try again."],
    [{ ...booking("x").body!, date: "nonsense" }, "Missing appointment details. Please select again."],
    [{ ...booking("10:30 AM").body!, patientInfo: { name: "A" } }, "Please fill all required fields"],
    [
      { ...booking("10:30 AM").body!, patientInfo: { name: "A", phone: "12", age: "3", gender: "male" } },
      "Please enter a valid 10-digit mobile number.",
    ],
  ] as [Record<string, unknown>, string][])
    await own.refused("bookAppointmentCall", { body: body as never }, 400, sentence);
  await addSlots(server.db, doctor.id, []);
  for (const [date, sentence] of [
    ["", "Date is required"],
    ["2026-13-01", "Invalid date format"],
    [dayFromNow(-1), "Date cannot be in the past"],
    [dayFromNow(200), "Date cannot be more than 6 months in advance"],
  ] as const)
    await doctorClient.refused("addAvailability", { body: { days: [{ date, slots: ["9:00 AM"] }] } }, 400, sentence);
});

it("returns the sentence of each call when the database is down", async () => {
  const expected: [ApiClient, CallName, Args<CallName>, string][] = [
    [visitor, "listDoctors", {}, "Failed to fetch doctor details"],
    [visitor, "listHospitalNames", {}, "Failed to fetch hospitals"],
    [doctorClient, "listDoctorAppointments", {}, "Failed to load appointments"],
    [doctorClient, "acceptAppointment", { params: { id: doctor.id } }, "Failed to accept appointment"],
    [doctorClient, "completeAppointment", { params: { id: doctor.id } }, "Failed to complete appointment"],
    [doctorClient, "cancelAppointment", { params: { id: doctor.id } }, "Failed to cancel appointment"],
    [doctorClient, "getStats", {}, "Failed to load statistics"],
    [doctorClient, "getAvailability", { params: { doctorIdOrDate: doctor.id } }, "Failed to fetch availability"],
    [doctorClient, "addAvailability", { body: { days: [{ date: DAY, slots: ["9:00 AM"] }] } }, "Failed to add availability"],
    [
      doctorClient,
      "changeAvailability",
      { params: { doctorIdOrDate: DAY }, body: { slots: ["9:00 AM"] } },
      "Failed to update availability",
    ],
    [doctorClient, "deleteAvailability", { params: { doctorIdOrDate: DAY } }, "Failed to delete availability"],
    [doctorClient, "getProfile", {}, "Failed to fetch profile"],
    [doctorClient, "saveOwnProfile", { body: {} }, "Failed to update profile"],
    [own, "getOwnPatient", {}, "Failed to fetch profile"],
    [own, "saveOwnPatient", { body: {} }, "Failed to update profile"],
    [own, "listOwnAppointments", {}, "Failed to load bookings"],
    [own, "bookAppointmentCall", booking("10:30 AM"), "Something went wrong!"],
    [own, "listOwnNotifications", {}, "Failed to load notifications"],
    [own, "readEveryNotification", {}, "Failed to mark all as read"],
    [visitor, "sendPatientOtp", { body: { phoneNumber: "9876543210" } }, "Failed to send OTP"],
    [visitor, "verifyPatientOtp", { body: { phoneNumber: "9876543210", otp: "123456" } }, "Failed to verify OTP. Please try again."],
    [
      own,
      "askAssistant",
      { body: { patientId: patient.id, message: "Hi" } },
      "Sorry, I couldn't reach the assistant. Please try again later.",
    ],
    [doctorClient, "getDoctorMessages", { params: { doctorId: doctor.id } }, "Failed to load chat history"],
    [doctorClient, "askAsDoctor", { body: { doctorId: doctor.id, message: "Hi" } }, "Failed to send message"],
    [doctorClient, "clearDoctorMessages", { params: { doctorId: doctor.id } }, "Failed to clear chat history"],
    [doctorClient, "verifyDoctor", { query: { doctorId: doctor.id }, body: {} }, "Failed to submit verification data"],
  ] as never;
  await proxy.disconnect();
  await vi.waitFor(async () => expect((await visitor.send("listDoctors")).status).toBe(503), { timeout: 15_000 });
  for (const [client, name, args, sentence] of expected) {
    const refused = await client.refused(name, args, 503, sentence);
    expect(Number(refused.headers.get("retry-after")), name).toBeGreaterThan(0);
  }
  await proxy.giveBack();
  await vi.waitFor(async () => expect((await visitor.send("listDoctors")).status).toBe(200), { timeout: 15_000, interval: 100 });
});

/** /desk/book over HTTP, without scripts: a member books for a patient on the phone, who then logs in and reads what was stored. */
import { strFromU8, unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Actor } from "#app/domains/context.server.ts";
import { randomToken } from "#app/lib/ids.server.ts";
import { valuesOf } from "../factories/booking.ts";
import { makeAdmin } from "../factories/cases.ts";
import { askCode, logInPatient, tryCode } from "../factories/logins.ts";
import { makeMember } from "../factories/members.ts";
import { addSlots, dayFromNow, makePatient, makeVisit, newPhone, typed } from "../factories/people.ts";
import { makePractice } from "../factories/practices.ts";
import { makeClinic } from "../factories/queues.ts";
import { errorsOf, plain } from "../setup/applications.ts";
import { Browser, raw } from "../setup/http.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

type Clinic = Awaited<ReturnType<typeof makeClinic>>;
let server: TestServer;
let [own, other]: [Clinic, Clinic] = [] as never;
const as: Record<string, LoggedIn> = {};
const STRANGERS = ["billing", "ended", "suspended", "of another doctor", "another place", "another doctor", "patient", "admin"];
const DAY = dayFromNow(3);

beforeAll(async () => {
  server = await startServer({ seed: false });
  const { db } = server;
  [own, other] = [await makeClinic(db, { doctor: "Dr. Anita Vemuri" }), await makeClinic(db)];
  const emailOf = async (id: string) => (await server.sql<{ email: string }[]>`select email from users where id = ${id}`)[0]!.email;
  const login = async (who: Actor) => loginAs(server, { role: who.role, email: await emailOf(who.userId) });
  Object.assign(as, {
    reception: await login(own.reception),
    owner: await login(own.place.owner),
    billing: await login(await makeMember(db, own.place.id, "billing")),
    ended: await login(await makeMember(db, own.place.id, "reception", { state: "ended" })),
    suspended: await login(await makeMember(db, own.place.id, "owner", { state: "suspended" })),
    "of another doctor": await login(await makeMember(db, own.place.id, "reception", { doctorIds: [other.doctor.id] })),
    "another place": await login(other.reception),
    doctor: await loginAs(server, { role: "doctor", email: own.doctor.email }),
    "another doctor": await loginAs(server, { role: "doctor", email: other.doctor.email }),
    patient: await loginAs(server, { role: "patient", phone: (await makePatient(db)).phone }),
    admin: await loginAs(server, await makeAdmin(db)),
  });
});
afterAll(() => server?.stop());

let minute = 0;
/** Opens a new time of the doctor and returns it as the form sends it. */
async function openTime(doctorId = own.doctor.id, date = DAY): Promise<string> {
  const time = `${String(8 + Math.floor(minute / 2)).padStart(2, "0")}:${minute++ % 2 ? "30" : "00"}`;
  await addSlots(server.db, doctorId, [{ date, time }]);
  return `${date} ${time}`;
}
const fields = (at: string, over: Record<string, string> = {}) => ({
  intent: "book",
  doctorId: own.doctor.id,
  at,
  phone: typed(newPhone()),
  name: "Lakshmi Devi",
  age: "54",
  gender: "female",
  idempotencyKey: randomToken().slice(0, 20),
  ...over,
});
const book = (given: Record<string, string>, who: Browser = as.reception!, path = "/desk/book") => who.post(path, given);
const rowsOf = (phone: string) =>
  server.sql<{ id: string; patient_id: string; status: string; patient_name: string; for_caller: boolean }[]>`
    select id, patient_id, status, patient_name, for_caller from appointments where patient_phone = ${`+91${phone}`} order by created_at`;
const accountOf = async (phone: string) =>
  (
    await server.sql<{ id: string; unclaimed: boolean; name: string | null }[]>`
    select u.id, p.unclaimed_since is not null as unclaimed, p.name from users u join patients p on p.id = u.id
    where u.role = 'patient' and u.phone = ${`+91${phone}`}`
  )[0];
const sms = (phone: string) => server.outbox(`+91${phone}`);

describe("the form", () => {
  it("is one press from the agenda and asks for a time and four fields", async () => {
    const at = await openTime();
    const desk = await as.reception!.get("/desk");
    expect(plain(desk.text)).toContain("Book for a caller");
    expect(desk.text).toContain('href="/desk/book"');
    const page = await as.reception!.get(`/desk/book?day=${DAY}`);
    expect(page.status).toBe(200);
    expect(page.text).toContain(`value="${at}"`);
    const asked = Object.keys(valuesOf(page.text)).filter((name) => ["phone", "name", "age", "gender"].includes(name));
    expect(asked.sort()).toEqual(["age", "name", "phone"]);
    expect(page.text).toContain('name="gender"');
  });

  it("books an accepted appointment, named by the member and the doctor", async () => {
    const at = await openTime();
    const given = fields(at);
    const answer = await book(given);
    expect(answer.location).toBe(`/desk?day=${DAY}`);
    const day = plain((await as.reception!.follow(answer)).text);
    expect(day).toContain("Lakshmi Devi");
    expect(day).toContain("The patient is notified by SMS.");
    const [row] = await rowsOf(given.phone);
    expect(row).toMatchObject({ status: "accepted", for_caller: true });
    const audit =
      await server.sql`select action, actor_id, hospital_id, on_behalf_of from audit_log where subject_id = ${row!.id} order by id`;
    const by = { actor_id: own.reception.userId, hospital_id: own.place.id, on_behalf_of: own.doctor.id };
    expect(audit).toEqual([
      { action: "book-appointment", ...by },
      { action: "accept-appointment", ...by },
    ]);
    const events = await server.sql`select kind, on_behalf_of from domain_events where subject_id = ${row!.id} order by at, id`;
    expect(events.map(({ kind }) => kind).sort()).toEqual(["appointment.accept", "appointment.book"]);
    const claims = await server.sql`select kind from slot_claims where appointment_id = ${row!.id}`;
    expect(claims).toEqual([{ kind: "visit" }]);
    const doctor =
      await server.sql`select kind from notifications where user_id = ${own.doctor.id} and target_path = ${`/doctor/patient/${row!.id}`}`;
    expect(doctor).toEqual([{ kind: "appointment-booked-by-clinic" }]);
    const visit = plain((await as.doctor!.get(`/doctor/patient/${row!.id}`)).text);
    expect(visit).toContain("Not specified");
    expect(visit).not.toContain("Routine Checkup");
    await expect
      .poll(async () => (await sms(given.phone)).map(({ body }) => body).join())
      .toMatch(/appointment with Dr\. Anita Vemuri is booked for you on .* log in/);
    expect((await sms(given.phone))[0]!.body).not.toContain("Lakshmi");
  });

  it("returns the first appointment for a second press, and at once", async () => {
    const given = fields(await openTime());
    const answers = await Promise.all([book(given), book(given), book(given)]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect((await book(given)).status).toBe(303);
    expect(await rowsOf(given.phone)).toHaveLength(1);
  });

  it("lets one of two receptionists have a time, and offers the other one free times with the input preserved", async () => {
    const at = await openTime();
    const next = await openTime();
    const both = [fields(at, { name: "First Caller" }), fields(at, { name: "Second Caller", age: "31" })];
    const answers = await Promise.all([book(both[0]!), book(both[1]!, as.owner!)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
    const lost = answers.findIndex(({ status }) => status === 409);
    const page = answers[lost]!;
    expect(plain(page.text)).toContain("This slot was just taken. Please choose another.");
    expect(valuesOf(page.text)).toMatchObject({ name: both[lost]!.name, phone: both[lost]!.phone, age: both[lost]!.age, gender: "female" });
    expect(page.text).toContain(`value="${next}"`);
    expect(page.text).not.toContain(`value="${at}"`);
    // The same form with another time.
    expect((await book({ ...both[lost]!, at: next }, lost ? as.owner! : as.reception!)).status).toBe(303);
  });

  it("refuses bad input next to its field", async () => {
    const at = await openTime();
    for (const [field, value] of [
      ["phone", "12345"],
      ["phone", "98765432101234"],
      ["phone", "98765 43210 5"],
      ["phone", "+971 50 123 4567"],
      ["age", "0"],
      ["age", "200"],
      ["age", "-4"],
      ["age", "forty"],
      ["name", "  "],
      ["name", "x".repeat(121)],
      ["gender", "nonsense"],
      ["at", "nonsense"],
      ["at", ""],
    ] as const) {
      const answer = await book(fields(at, { [field]: value }));
      expect(answer.status, `${field} ${value}`).toBe(400);
      expect(errorsOf(answer)[field], `${field} ${value}`).toBeTruthy();
    }
    for (const wrong of [`${dayFromNow(-1)} 10:00`, `${DAY} 03:00`]) expect((await book(fields(wrong))).status).toBe(409);
    expect((await book(fields(at, { doctorId: other.doctor.id }))).status).toBe(404);
    expect((await book(fields(at, { doctorId: "nonsense" }))).status).toBe(400);
    expect(await server.sql`select from appointments where patient_name = ${"x".repeat(121)}`).toHaveLength(0);
  });

  it("refuses a time of the doctor at another place", async () => {
    const practice = await makePractice(server.db, own.doctor.id, { hospitalId: other.place.id });
    await server.sql`insert into availability_slots (doctor_id, date, time, practice_id) values (${own.doctor.id}, ${dayFromNow(9)}, '19:00', ${practice.id})`;
    expect((await as.reception!.get(`/desk/book?day=${dayFromNow(9)}`)).text).not.toContain(`value="${dayFromNow(9)} 19:00"`);
    expect((await book(fields(`${dayFromNow(9)} 19:00`))).status).toBe(409);
    // The doctor books there.
    const given = fields(`${dayFromNow(9)} 19:00`);
    const answer = await book(given, as.doctor!, "/doctor/appointments/book");
    expect(answer.location).toBe(`/doctor/appointments?view=agenda&day=${dayFromNow(9)}`);
    expect(await rowsOf(given.phone)).toMatchObject([{ status: "accepted" }]);
    expect((await book(fields(await openTime()), as["another doctor"]!, "/doctor/appointments/book")).status).toBe(404);
  });

  it.each(STRANGERS)("refuses a user who may not: %s", async (name) => {
    const given = fields(await openTime());
    const who = as[name]!;
    for (const path of ["/desk/book", `/desk/book?place=${own.place.id}`, `/desk/book?doctor=${own.doctor.id}`]) {
      expect((await who.get(path)).text, path).not.toMatch(/Anita|name="at"/);
      expect((await book(given, who, path)).status, path).not.toBe(200);
    }
    expect(await rowsOf(given.phone)).toHaveLength(0);
    expect(await accountOf(given.phone)).toBeUndefined();
  });

  it("fills in a known patient of the phone, and shows no patient of another place", async () => {
    const phone = typed(newPhone());
    const patient = await makePatient(server.db, { phone: `+91${phone}`, name: "Secretia Accountova" });
    await makeVisit(server.db, { patient, doctor: own.doctor }, { name: "Meena Kumari", date: dayFromNow(-20) });
    await makeVisit(server.db, { patient, doctor: other.doctor }, { name: "Secretia Elsewhere", date: dayFromNow(-10) });
    const at = await openTime();
    const found = await book(fields(at, { intent: "find", phone, name: "", age: "" }));
    expect(found.status).toBe(200);
    expect(found.text).toContain('value="Meena Kumari|40|female"');
    expect(found.text).not.toContain("Secretia");
    const given = fields(at, { phone, name: "", age: "", gender: "", who: "Meena Kumari|40|female" });
    expect((await book(given)).status).toBe(303);
    expect((await rowsOf(phone)).at(-1)).toMatchObject({ patient_name: "Meena Kumari", patient_id: patient.id });
    const none = await book(fields(await openTime(), { intent: "find" }));
    expect(plain(none.text)).toContain("No such patient yet.");
    // A corrected number is searched on the same page.
    for (const { text } of [found, none]) expect(text).toContain('value="find"');
  });
});

it("books for nobody who is not chosen, and replaces no typed phone", async () => {
  const at = await openTime();
  const who = "Meena Kumari|40|female||+919000000121";
  const typedPhone = typed(newPhone());
  const refused = await book(fields(at, { phone: typedPhone, who, shown: who }));
  expect([refused.status, errorsOf(refused).phone]).toEqual([400, expect.stringContaining("has another number")]);
  expect(valuesOf(refused.text)).toMatchObject({ phone: typedPhone, who });
  const unclear = await book(fields(at, { phone: "", shown: who }));
  expect([unclear.status, errorsOf(unclear).who]).toEqual([400, "Choose who the visit is for."]);
  expect(unclear.text).toContain(`value="${who}"`);
  expect(valuesOf(unclear.text)).not.toHaveProperty("who");
  expect((await book(fields(at, { phone: typedPhone, who: "another", shown: who }))).status).toBe(303);
  expect(await rowsOf(typedPhone)).toMatchObject([{ patient_name: "Lakshmi Devi" }]);
});

describe("the account of a known phone", () => {
  it("gets the appointment of a family member and a notification, and the answer is that of an unknown phone", async () => {
    const phone = typed(newPhone());
    const patient = await makePatient(server.db, { phone: `+91${phone}`, name: "Secretia Accountova" });
    const [known, unknown] = [fields(await openTime(), { phone, name: "Grandmother" }), fields(await openTime())];
    const answers = [await book(known), await book(unknown)];
    expect(answers.map(({ status, location }) => [status, location])).toEqual([
      [303, `/desk?day=${DAY}`],
      [303, `/desk?day=${DAY}`],
    ]);
    for (const path of [`/desk?day=${DAY}`, `/desk?day=${DAY}&open=${(await rowsOf(phone))[0]!.id}`])
      for (const url of [path, path.replace("?", ".data?")]) expect((await as.reception!.get(url)).text).not.toContain("Secretia");
    expect(await rowsOf(phone)).toMatchObject([{ patient_id: patient.id, patient_name: "Grandmother" }]);
    const notices = await server.sql`select kind from notifications where user_id = ${patient.id}`;
    expect(notices).toEqual([{ kind: "appointment-booked-for-you" }]);
    const me = await loginAs(server, { role: "patient", phone: `+91${phone}` });
    const opened = plain((await me.get("/patient/data/opened")).text);
    expect(opened).toMatch(/for Dr\. Anita Vemuri/);
  });

  it("keeps its photo closed to the doctor", async () => {
    const phone = typed(newPhone());
    const patient = await makePatient(server.db, { phone: `+91${phone}`, name: "Lakshmi Devi" });
    const [file] = await server.sql<
      { id: string }[]
    >`insert into files (owner_id, purpose, status, storage_key, media_type, byte_size, original_name)
      values (${patient.id}, 'patient-photo', 'attached', ${randomToken()}, 'image/jpeg', 3, '') returning id`;
    await server.sql`update patients set photo_file_id = ${file!.id} where id = ${patient.id}`;
    await book(fields(await openTime(), { phone }));
    const [row] = await rowsOf(phone);
    expect((await as.doctor!.get(`/doctor/patient/${row!.id}`)).text).not.toContain(file!.id);
    expect((await as.doctor!.get(`/files/${file!.id}`)).status).toBe(404);
  });
});

describe("the account of an unknown phone", () => {
  it("has only the appointment until its owner logs in, who then reads what is stored", async () => {
    const given = fields(await openTime());
    await book(given);
    const account = await accountOf(given.phone);
    expect(account).toMatchObject({ unclaimed: true, name: null });
    server.clock.advance(60_000);
    const browser = new Browser(server.url);
    const login = await tryCode(browser, await askCode(server, browser, `+91${given.phone}`));
    expect(login.location).toBe("/patient/data/notice");
    const notice = plain((await browser.follow(login)).text);
    expect(notice).toContain("A clinic booked by phone with your number before you logged in.");
    expect(notice).toContain("Lakshmi Devi with Dr. Anita Vemuri");
    expect(await accountOf(given.phone)).toEqual({ ...account, unclaimed: false });
    expect(await server.sql`select from audit_log where action = 'claim-account' and person_id = ${account!.id}`).toHaveLength(1);
    const [row] = await rowsOf(given.phone);
    expect((await browser.get(`/patient/appointments/${row!.id}`)).status).toBe(200);
    expect((await browser.post(`/patient/appointments/${row!.id}/cancel`, {})).status).toBe(303);
    // Once.
    server.clock.advance(60_000);
    const later = new Browser(server.url);
    expect((await tryCode(later, await askCode(server, later, `+91${given.phone}`))).location).toBe("/patient-dashboard");
  });

  it("is claimed by one of two concurrent logins, and returns to the page that asked for the login", async () => {
    const given = fields(await openTime());
    await book(given);
    server.clock.advance(60_000);
    const browser = new Browser(server.url);
    const code = await askCode(server, browser, `+91${given.phone}`);
    const next = "/patient/calendar";
    const login = await browser.post("/dual-patient", { intent: "verify", otp: code, redirectTo: next });
    expect(login.location).toBe(`/patient/data/notice?next=${encodeURIComponent(next)}`);
    expect((await browser.get(login.location!)).text).toContain(`href="${next}"`);
    expect((await browser.get("/patient/data/notice?next=https://evil.example")).text).not.toContain('href="https://evil');
  });

  it("that an import made is claimed with a notice of the clinic's name", async () => {
    const phone = newPhone();
    const { sql } = server;
    await sql`with u as (insert into users (role, phone) values ('patient', ${phone}) returning id),
      p as (insert into patients (id, unclaimed_since) select id, now() from u returning id)
      insert into clinic_patients (hospital_id, patient_id, name, name_key, phone) select ${own.place.id}, id, 'Sita', 'sita', ${phone} from p`;
    const browser = new Browser(server.url);
    const login = await tryCode(browser, await askCode(server, browser, phone));
    expect(login.location).toBe("/patient/data/notice");
    expect(plain((await browser.follow(login)).text)).toContain(own.place.name);
    expect(await accountOf(typed(phone))).toMatchObject({ unclaimed: false });
  });

  it("is one for two bookings at the same moment", async () => {
    const phone = typed(newPhone());
    const answers = await Promise.all([
      book(fields(await openTime(), { phone, name: "First Child" })),
      book(fields(await openTime(), { phone, name: "Second Child" }), as.owner!),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    const rows = await rowsOf(phone);
    expect(new Set(rows.map((row) => row.patient_id)).size).toBe(1);
    expect(rows).toHaveLength(2);
  });

  it("is downloaded and deleted by its owner", async () => {
    const given = fields(await openTime(), { name: "Secretia Callerova" });
    await book(given);
    server.clock.advance(60_000);
    const me = await logInPatient(server, `+91${given.phone}`);
    const zip = await raw(server.url, {
      path: "/patient/data/download",
      headers: { host: new URL(server.url).host, cookie: `nadi_session=${me.cookies.get("nadi_session")}` },
    });
    const data = JSON.parse(strFromU8(unzipSync(zip.body)["data.json"]!));
    expect(data.appointments).toMatchObject([{ patientName: "Secretia Callerova", bookedByClinic: true }]);
    expect((await me.post("/patient/data/delete", { word: "delete" })).location).toBe("/choose-role");
    expect(await rowsOf(given.phone)).toHaveLength(0);
    expect((await as.reception!.get(`/desk?day=${DAY}`)).text).not.toContain("Secretia Callerova");
    // The phone is free for another booking.
    expect((await book(fields(await openTime(), { phone: given.phone }))).status).toBe(303);
    expect(await accountOf(given.phone)).toMatchObject({ unclaimed: true });
  });
});

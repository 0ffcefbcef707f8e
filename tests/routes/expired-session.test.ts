/** A form posted after its session has expired: encrypted in the login page, filled in again for the same account, never submitted. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashPassword } from "#app/domains/platform/accounts/passwords.server.ts";
import { minutes } from "#app/lib/durations.ts";
import { bookedId, bookingFields, bookingPage, readable, valuesOf } from "../factories/booking.ts";
import { decisionFields, makeAdmin, makeCase, makeHospital, makeReviewer, type TestHospital } from "../factories/cases.ts";
import { dayFromNow, makeDoctor, makeVisit, newPhone, type Slot, type TestDoctor, typed } from "../factories/people.ts";
import { asFile, png } from "../factories/pictures.ts";
import { newDoctor, professional } from "../setup/applications.ts";
import { DEMO_KEY } from "../setup/database.ts";
import type { Answer, Browser, Fields } from "../setup/http.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

const SLOT: Slot = { date: dayFromNow(4), time: "10:00" };
const PASSWORD = "a-long-password-of-staff";

let server: TestServer;
let doctor: TestDoctor;
let hospital: TestHospital;
let passwordHash: string;
beforeAll(async () => {
  server = await startServer({ seed: false });
  doctor = await makeDoctor(server.db, { slots: [SLOT, { ...SLOT, time: "11:00" }] });
  hospital = await makeHospital(server.db);
  passwordHash = await hashPassword(PASSWORD);
});
afterAll(() => server?.stop());

const expire = (who: LoggedIn) => server.sql`update sessions set expires_at = now() - interval '1 hour' where user_id = ${who.userId}`;
const ENDED = "Your session ended before the form was sent.";
const RESTORED = "You are logged in again. We filled in your form but did not send it";

async function newPatient(): Promise<LoggedIn & { phone: string }> {
  const phone = newPhone();
  return Object.assign(await loginAs(server, { role: "patient", phone }), { phone });
}
/** Returns the encrypted form in a login page. */
function sealedIn(answer: Answer): string {
  expect(answer.status).toBe(200);
  expect(readable(answer.text)).toContain(ENDED);
  const sealed = valuesOf(answer.text).saved_form;
  expect(sealed).toBeTruthy();
  return sealed!;
}
/** Logs in with a code, without JavaScript, from the login page that contains the form. */
async function throughPatientLogin(browser: Browser, page: Answer, phone: string): Promise<Answer> {
  const sent = await browser.post("/dual-patient", { intent: "send", phoneNumber: typed(phone), saved_form: sealedIn(page) });
  const wrong = await browser.post("/dual-patient", { intent: "verify", otp: "12", saved_form: sealedIn(sent) });
  expect(wrong.status).toBe(400);
  const form = valuesOf(wrong.text).saved_form!;
  return browser.post("/dual-patient", { intent: "verify", otp: await server.lastCode(phone), saved_form: form });
}
async function throughStaffLogin(browser: LoggedIn, page: Answer): Promise<Answer> {
  const [user] = await server.sql<{ email: string; phone: string }[]>`
    update users set password_hash = ${passwordHash} where id = ${browser.userId} returning email, phone`;
  const mobile = typed(user!.phone);
  const fields = { intent: "send-otp", mode: "login", email: user!.email, password: PASSWORD, mobile, saved_form: sealedIn(page) };
  const sent = await browser.post("/dual-doctor", fields);
  const verified = await browser.post("/dual-doctor", {
    intent: "verify-otp",
    otp: await server.lastCode(user!.phone),
    saved_form: sealedIn(sent),
  });
  // The page may ask for Continue, or have logged in with the code.
  return readable(verified.text).includes(RESTORED)
    ? verified
    : browser.post("/dual-doctor", { intent: "continue", saved_form: sealedIn(verified) });
}
function multipart(fields: Fields, files: Record<string, File> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) form.append(name, one);
  for (const [name, file] of Object.entries(files)) form.append(name, file);
  return form;
}

describe("a patient", () => {
  it("finds a booking filled in, with its files listed, and books it once", async () => {
    const patient = await newPatient();
    const fields = bookingFields({ name: "Padma <Rao>", reason: "Fever since Tuesday" });
    await expire(patient);
    const login = await patient.postFiles(
      bookingPage(doctor.id, SLOT),
      multipart(fields, { newRecords: asFile(await png(), "blood-test.png", "image/png") }),
    );
    expect(login.text).not.toContain("Padma");
    const back = await throughPatientLogin(patient, login, patient.phone);
    expect(back.status).toBe(200);
    expect(readable(back.text)).toContain(RESTORED);
    expect(readable(back.text)).toContain("Choose these files again: blood-test.png");
    const values = valuesOf(back.text);
    expect(values).toMatchObject({ name: "Padma <Rao>", reason: "Fever since Tuesday", idempotencyKey: fields.idempotencyKey });
    expect(values).not.toHaveProperty("saved_form");
    const count = async () => (await server.sql`select 1 from appointments where patient_id = ${patient.userId}`).length;
    expect(await count()).toBe(0);
    expect(back.text).toContain(`action="${bookingPage(doctor.id, SLOT).replaceAll("&", "&amp;")}"`);

    const first = await patient.postFiles(bookingPage(doctor.id, SLOT), multipart({ ...values, intent: "book" }));
    expect(bookedId(first)).toBeTruthy();
    expect(bookedId(await patient.postFiles(bookingPage(doctor.id, SLOT), multipart({ ...values, intent: "book" })))).toBe(bookedId(first));
    expect(await count()).toBe(1);
  });

  it("finds a profile and a review filled in, and neither is saved", async () => {
    const patient = await newPatient();
    const visit = await makeVisit(
      server.db,
      { patient: { id: patient.userId, phone: patient.phone, actor: { userId: patient.userId, role: "patient" } }, doctor },
      { status: "completed", date: dayFromNow(-3) },
    );
    await expire(patient);
    const profile = await patient.postFiles("/patient/profile/edit", multipart({ name: "Typed Name", city: "Guntur" }));
    const edited = await throughPatientLogin(patient, profile, patient.phone);
    expect(readable(edited.text)).toContain(RESTORED);
    expect(valuesOf(edited.text)).toMatchObject({ name: "Typed Name" });
    expect((await server.sql`select name from patients where id = ${patient.userId}`)[0]?.name).toBeNull();

    await expire(patient);
    server.clock.advance(minutes(2));
    const path = `/patient/appointments/${visit}/review`;
    const review = await patient.post(path, { rating: "4", words: "Typed words" });
    const written = await throughPatientLogin(patient, review, patient.phone);
    expect(valuesOf(written.text)).toMatchObject({ rating: "4", words: "Typed words" });
    expect(await server.sql`select 1 from reviews where appointment_id = ${visit}`).toHaveLength(0);
  });

  it("opens the form for the same account only", async () => {
    const [patient, other] = [await newPatient(), await newPatient()];
    await expire(patient);
    const login = await patient.postFiles(bookingPage(doctor.id, SLOT), multipart(bookingFields({ name: "Secret Name" })));
    const answer = await throughPatientLogin(patient, login, other.phone);
    expect(answer.location).toBe("/patient-dashboard");
    const home = await patient.follow(answer);
    expect(home.text).not.toContain("Secret Name");
    expect(readable(home.text)).not.toContain("30 minutes");
  });

  it("refuses a changed value, and one older than 30 minutes with a message", async () => {
    const patient = await newPatient();
    await expire(patient);
    const login = await patient.postFiles(bookingPage(doctor.id, SLOT), multipart(bookingFields()));
    const sealed = sealedIn(login);
    const changed = sealed.slice(0, -6) + (sealed.endsWith("AAAAAA") ? "BBBBBB" : "AAAAAA");
    const enter = async (saved_form: string) => {
      server.clock.advance(minutes(2));
      await patient.post("/dual-patient", { intent: "send", phoneNumber: typed(patient.phone), saved_form });
      return patient.post("/dual-patient", { intent: "verify", otp: await server.lastCode(patient.phone), saved_form });
    };
    expect((await enter(changed)).location).toBe("/patient-dashboard");
    expect((await enter("nonsense")).location).toBe("/patient-dashboard");
    await expire(patient);
    server.clock.advance(minutes(31));
    const late = await enter(sealed);
    expect(late.location).toBe("/patient-dashboard");
    expect(readable((await patient.follow(late)).text)).toContain("Your saved form expired after 30 minutes");
  });

  it("shows the filled form, not a used code, when the last step is sent again", async () => {
    const patient = await newPatient();
    await expire(patient);
    const login = await patient.postFiles(bookingPage(doctor.id, SLOT), multipart(bookingFields({ name: "Shown Again" })));
    server.clock.advance(minutes(2));
    const saved_form = sealedIn(login);
    await patient.post("/dual-patient", { intent: "send", phoneNumber: typed(patient.phone), saved_form });
    const fields = { intent: "verify", otp: await server.lastCode(patient.phone), saved_form };
    expect(valuesOf((await patient.post("/dual-patient", fields)).text)).toMatchObject({ name: "Shown Again" });
    expect(valuesOf((await patient.post("/dual-patient", fields)).text)).toMatchObject({ name: "Shown Again" });
  });

  it("finds a booking filled in after the login was ended on another device", async () => {
    const patient = await newPatient();
    server.clock.advance(minutes(2));
    const other = await loginAs(server, { role: "patient", phone: patient.phone });
    await other.post("/patient/settings", { intent: "end-others" });
    expect((await patient.get("/patient/calendar")).status).toBe(303);
    const login = await patient.postFiles(bookingPage(doctor.id, SLOT), multipart(bookingFields({ name: "Ended Elsewhere" })));
    const back = await throughPatientLogin(patient, login, patient.phone);
    expect(readable(back.text)).toContain(RESTORED);
    expect(valuesOf(back.text)).toMatchObject({ name: "Ended Elsewhere" });
    expect((await other.get("/patient/calendar")).status).toBe(200);
  });

  it("saves no form for a visitor, after a logout, or after an administrator ended the session", async () => {
    const visitor = await newPatient();
    visitor.cookies.clear();
    const out = await newPatient();
    const token = out.cookies.get("nadi_session")!;
    await out.post("/logout");
    out.cookies.set("nadi_session", token);
    const ended = await newPatient();
    await server.sql`delete from sessions where user_id = ${ended.userId}`;
    for (const browser of [visitor, out, ended]) {
      const answer = await browser.postFiles(bookingPage(doctor.id, SLOT), multipart(bookingFields()));
      expect(answer.status).toBe(303);
      expect(answer.location).toBe("/dual-patient");
    }
  });

  it("reads that the login was ended elsewhere, and comes back to the page after the next one", async () => {
    const patient = await newPatient();
    await server.sql`delete from sessions where user_id = ${patient.userId}`;
    const opened = await patient.get("/patient/family/add?from=profile");
    expect(opened.location).toBe(`/dual-patient?redirectTo=${encodeURIComponent("/patient/family/add?from=profile")}`);
    expect(readable((await patient.follow(opened)).text)).toContain("Your session has ended. Log in again to continue.");
    const sent = await patient.post("/patient/family/add", { name: "Savitri" }, { referer: `${server.url}/patient/family/add` });
    expect(sent.location).toBe(`/dual-patient?redirectTo=${encodeURIComponent("/patient/family/add")}`);
    expect(readable((await patient.follow(sent)).text)).toContain("Your session has ended. Log in again to continue.");
    // The cookie is gone: the form was opened with one.
    const bare = await newPatient();
    bare.cookies.clear();
    const gone = await bare.post("/patient/family/add", { name: "Savitri" }, { referer: `${server.url}/patient/family/add` });
    expect(gone.location).toBe(`/dual-patient?redirectTo=${encodeURIComponent("/patient/family/add")}`);
    expect(readable((await bare.follow(gone)).text)).toContain("Your session has ended. Log in again to continue.");
    const elsewhere = await bare.post("/patient/family/add", { name: "Savitri" }, { referer: `${server.url}/choose-role` });
    expect(elsewhere.location).toBe("/dual-patient");
    const strange = await patient.post("/patient/family/add", { name: "Savitri" }, { referer: "https://evil.example/patient/family/add" });
    expect(strange.location ?? "").not.toContain("redirectTo");
    // Not after a logout, and not for visitors. A page that stayed open in another tab says it.
    const out = await newPatient();
    await out.post("/logout");
    const left = await out.post("/patient/family/add", { name: "Savitri" }, { referer: `${server.url}/patient/family/add` });
    expect(left.location).toBe(`/dual-patient?redirectTo=${encodeURIComponent("/patient/family/add")}`);
    expect(readable((await out.follow(left)).text)).toContain("Your session has ended. Log in again to continue.");
    await out.get("/choose-role");
    expect(readable((await out.follow(await out.get("/patient/calendar"))).text)).not.toContain("Your session has ended");
  });

  it("saves the form of a post by JavaScript too", async () => {
    const patient = await newPatient();
    await expire(patient);
    const path = bookingPage(doctor.id, SLOT).replace("patient-detail?", "patient-detail.data?");
    const answer = await patient.postFiles(path, multipart(bookingFields({ name: "By Script" })));
    expect(answer.status).toBe(401);
    const sealed = /v1\.[\w-]+\.[\w-]+\.[\w-]+\.[\w-]+/.exec(answer.text)?.[0];
    expect(sealed).toBeTruthy();
    server.clock.advance(minutes(2));
    const login = await patient.post("/dual-patient", { saved_form: sealed! });
    expect(valuesOf((await throughPatientLogin(patient, login, patient.phone)).text)).toMatchObject({ name: "By Script" });
  });
});

describe("staff", () => {
  it("a doctor finds the application's second step filled in, without the password", async () => {
    const applicant = await newDoctor(server);
    await server.sql`update doctors set hospital_id = ${hospital.id} where id = ${applicant.userId}`;
    await applicant.post("/hospital-form", { mode: "select", hospitalId: hospital.id, intent: "next" });
    await expire(applicant);
    const login = await applicant.postFiles("/doctor-verification", multipart(professional({ fullName: "Dr. Typed Application" })));
    const back = await throughStaffLogin(applicant, login);
    expect(back.status).toBe(200);
    expect(readable(back.text)).toContain(RESTORED);
    expect(valuesOf(back.text)).toMatchObject({ fullName: "Dr. Typed Application" });
    expect(back.text).not.toContain(PASSWORD);
  });

  it("does not save a doctor's passwords", async () => {
    const own = await makeDoctor(server.db);
    const browser = await loginAs(server, { role: "doctor", email: own.email });
    await expire(browser);
    const secret = "never-in-the-page-1";
    const login = await browser.post("/doctor/settings/password", {
      currentPassword: secret,
      newPassword: secret,
      confirmPassword: secret,
    });
    const back = await throughStaffLogin(browser, login);
    expect(back.status).toBe(200);
    expect(back.text).not.toContain(secret);
  });

  it("an administrator finds the decision filled in and the case undecided", async () => {
    const reviewer = await makeReviewer(server.db, hospital);
    const admin = await makeAdmin(server.db);
    const of = await makeCase(server.db, {
      key: DEMO_KEY,
      hospital,
      status: "pending admin approval",
      decided: "matches",
      approvedBy: reviewer.userId,
    });
    const browser = await loginAs(server, { role: "admin", email: admin.email });
    await expire(browser);
    const path = `/admin/doctors/${of.id}`;
    const login = await browser.post(path, decisionFields(of, "reject", ["matches", ["Blurred at the edge"]], "A note that stays"));
    const back = await throughStaffLogin(browser, login);
    expect(readable(back.text)).toContain(RESTORED);
    expect(valuesOf(back.text)).toMatchObject({ note: "A note that stays", "documents[1].reason": "Blurred at the edge" });
    const [row] = await server.sql`select registration_status from doctors where id = ${of.id}`;
    expect(row?.registration_status).toBe("pending admin approval");
  });

  it("a form whose page does not fill forms in is not run after the login", async () => {
    const browser = await newDoctor(server, "rejected");
    await expire(browser);
    const login = await browser.post("/doctor-verify", { again: "1" });
    const back = await throughStaffLogin(browser, login);
    expect(back.status).toBe(303);
    const [row] = await server.sql`select registration_status from doctors where id = ${browser.userId}`;
    expect(row?.registration_status).toBe("rejected");
  });
});

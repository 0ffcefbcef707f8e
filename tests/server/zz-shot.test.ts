/** Permissions over HTTP, without scripts: a patient allows a doctor to see all records of a person, ends it, and sees each opening. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test as it } from "vitest";
import { doctors, visitDocuments } from "#app/db/schema/index.ts";
import { addDays, formatDate } from "#app/lib/dates.ts";
import { valuesOf } from "../factories/booking.ts";
import { dayFromNow, makeDoctor, makeStaff, makeVisit, newPhone, type TestDoctor } from "../factories/people.ts";
import { asFile, photoWithPlace } from "../factories/pictures.ts";
import { errorsOf, plain } from "../setup/applications.ts";
import type { Browser } from "../setup/http.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
/** Wrote the records. */
let writer: { doctor: TestDoctor; browser: LoggedIn };
/** Is allowed to read them. */
let reader: { doctor: TestDoctor; browser: LoggedIn };
let third: { doctor: TestDoctor; browser: LoggedIn };
let me: LoggedIn;
let stranger: LoggedIn;
/** The reader's visits of the patient and of the son. */
let mine: string;
let sons: string;
let document: string;
let ownFile: string;
let sonFile: string;
const ILLNESS = "Zirconiumitis";
const FINDING = "Hafnium spots";
const ALLERGY = "Yttrium";

beforeAll(async () => {
  server = await startServer({ seed: false });
  const make = async (name: string) => {
    const doctor = await makeDoctor(server.db, { name });
    await server.db
      .update(doctors)
      .set({
        councilName: "Andhra Pradesh Medical Council",
        councilNumber: `APMC/${doctor.id.slice(0, 8)}`,
        qualifications: [{ degree: "MBBS", universityCollege: "NTR University", year: 2008 }],
      })
      .where(eq(doctors.id, doctor.id));
    return { doctor, browser: await loginAs(server, { role: "doctor", email: doctor.email }) };
  };
  writer = await make("Dr. Anjali Vemuri");
  reader = await make("Dr. Suresh Babu Kolli");
  third = await make("Dr. Third Doctor");
  me = await loginAs(server, { role: "patient", phone: newPhone() });
  stranger = await loginAs(server, { role: "patient", phone: newPhone() });
  await server.sql`update patients set name = 'Lakshmi Devi' where id = ${me.userId}`;
  await me.post("/patient/family/add", { name: "Ravi", relation: "son", gender: "male", age: "7" });
  const written = await visitOf(writer.doctor, "Lakshmi Devi", dayFromNow(-9));
  document = await sign(written);
  mine = await visitOf(reader.doctor, "Lakshmi Devi", dayFromNow(0));
  sons = await visitOf(reader.doctor, "Ravi", dayFromNow(-1));
  await visitOf(third.doctor, "Lakshmi Devi", dayFromNow(-2));
  ownFile = await addDocument("Blood test", "me");
  sonFile = await addDocument("Vaccination card", await sonId());
});
afterAll(() => server?.stop());

const visitOf = (doctor: TestDoctor, name: string, date: string) =>
  makeVisit(
    server.db,
    { patient: { id: me.userId, phone: newPhone(), actor: { userId: me.userId, role: "patient" } }, doctor },
    { status: "accepted", date, time: "09:00", name },
  );
async function sign(visit: string): Promise<string> {
  const at = `/doctor/visits/${visit}`;
  const fields = valuesOf((await writer.browser.get(at)).text);
  for (const name of ["q", "save"]) delete fields[name];
  const medicine = { medicine_1: "Metoprolol succinate", strength_1: "25 mg", dose_1_morning: "1", days_1: "30" };
  const note = { diagnosis: ILLNESS, findings: FINDING, allergies: ALLERGY };
  const reviewed = await writer.browser.post(at, { ...fields, ...medicine, ...note, language: "te", review: "1" });
  expect(reviewed.location, plain(reviewed.text).slice(0, 300)).toBe(`${at}/review`);
  const review = await writer.browser.get(`${at}/review`);
  expect((await writer.browser.post(`${at}/review`, { version: valuesOf(review.text).version! })).status).toBe(303);
  const [row] = await server.db.select({ id: visitDocuments.id }).from(visitDocuments).where(eq(visitDocuments.encounterId, visit));
  return row!.id;
}
async function addDocument(description: string, person: string): Promise<string> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ recordType: "other", description, person })) form.append(name, value);
  form.append("file", asFile(await photoWithPlace(), "x.jpg"));
  expect((await me.postFiles("/patient/records/add", form)).status).toBe(303);
  const [row] = await server.sql<{ id: string }[]>`
    select file_id as id from own_records where patient_id = ${me.userId} order by created_at desc, id limit 1`;
  return row!.id;
}
const sonId = async () => (await server.sql<{ id: string }[]>`select id from family_members where patient_id = ${me.userId}`)[0]!.id;
const ACCESS = "/patient/records/access";
const allow = (who: Browser, over: Record<string, string> = {}, query = "") =>
  who.post(`${ACCESS}${query}`, { intent: "allow", doctor: reader.doctor.id, until: dayFromNow(30), ...over });
const permissionId = async () =>
  (
    await server.sql<
      { id: string }[]
    >`select id from record_permissions where doctor_id = ${reader.doctor.id} order by allowed_at desc limit 1`
  )[0]!.id;
/** Everything that a permission opens to the reader. */
const opens = () => [
  `/doctor/patients/${mine}/records`,
  `/doctor/patients/${mine}/records.data`,
  `/doctor/patients/${mine}/records/${document}`,
  `/files/${ownFile}`,
];
const statuses = async (who: Browser) => Promise.all(opens().map(async (path) => (await who.get(path)).status));
const shut = async (who: Browser, name: string) => {
  for (const path of opens()) {
    const answer = await who.get(path);
    expect(answer.status, `${name} ${path}`).not.toBe(200);
    for (const words of [ILLNESS, FINDING, "Blood test", "Metoprolol"]) expect(answer.text, `${name} ${path}`).not.toContain(words);
  }
};

import { mkdirSync } from "node:fs";
import { chromium } from "playwright";
import { findBrowser } from "../setup/find-browser.ts";

it("shots", { timeout: 300_000 }, async () => {
  mkdirSync("/tmp/shots-r", { recursive: true });
  await allow(me);
  await reader.browser.get(`/doctor/patients/${mine}/records`);
  await allow(me, { doctor: third.doctor.id });
  const [{ id }] = (await server.sql`select id from record_permissions where doctor_id = ${third.doctor.id}`) as unknown as [
    { id: string },
  ];
  await me.post(ACCESS, { intent: "end", id });
  const browser = await chromium.launch(await findBrowser());
  const shots = [
    ["me", "/patient/records", "records"],
    ["me", ACCESS, "access"],
    ["reader", `/doctor/visits/${mine}`, "visit"],
    ["reader", `/doctor/patients/${mine}/records`, "shared"],
    ["reader", `/doctor/patients/${mine}`, "history"],
  ] as const;
  for (const lang of (process.env.LANGS ?? "en,te,hi").split(","))
    for (const size of [390, 1280])
      for (const [who, path, name] of shots) {
        const { token, userId } = who === "me" ? me : reader.browser;
        await server.sql`update users set language = ${lang} where id = ${userId}`;
        const context = await browser.newContext({
          viewport: { width: size, height: size === 390 ? 844 : 800 },
          isMobile: size === 390,
          locale: "en-IN",
          timezoneId: "Asia/Kolkata",
        });
        await context.addCookies([{ name: "nadi_session", value: token, url: server.url, httpOnly: true, sameSite: "Lax" }]);
        const page = await context.newPage();
        await page.goto(server.url + path, { waitUntil: "load" });
        await page.waitForTimeout(500);
        if (name === "shared")
          await page
            .locator("details")
            .first()
            .evaluate((d) => ((d as HTMLDetailsElement).open = true));
        await page.screenshot({ path: `/tmp/shots-r/${name}-${size}-${lang}.png`, fullPage: true, animations: "disabled" });
        await context.close();
      }
  await browser.close();
});

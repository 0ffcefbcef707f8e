/** Permissions over HTTP, without scripts: a patient allows a doctor to see all records of a person, ends it, and sees each opening. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { visitDocuments } from "#app/db/schema/index.ts";
import { addDays, formatDate } from "#app/lib/dates.ts";
import { valuesOf } from "../factories/booking.ts";
import { dayFromNow, letSign, makeDoctor, makeStaff, makeVisit, newPhone, type TestDoctor } from "../factories/people.ts";
import { asFile, photoWithPlace } from "../factories/pictures.ts";
import { errorsOf, plain } from "../setup/applications.ts";
import { Browser } from "../setup/http.ts";
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
    await letSign(server.db, doctor.id);
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

describe("without a permission", () => {
  it("a doctor sees only the own visits, and a sentence when others are hidden", async () => {
    await shut(reader.browser, "reader");
    const page = plain((await reader.browser.get(`/doctor/visits/${mine}`)).text);
    expect(page).toContain("Visits with other doctors show here after Lakshmi Devi allows it.");
    for (const words of [ILLNESS, FINDING, ALLERGY, "Blood test"]) expect(page).not.toContain(words);
    expect((await reader.browser.get(`/doctor/patients/${mine}`)).text).not.toContain(`/doctor/patients/${mine}/records`);
  });
  it("the patient reads that each doctor sees the own visits", async () => {
    const page = plain((await me.get("/patient/records")).text);
    expect(page).toContain("Each doctor sees only their own visits");
    expect(page).toContain("Only you can see this");
    expect(plain((await stranger.get(ACCESS)).text)).toContain("You can allow a doctor after you book an appointment with them.");
  });
});

describe("allowing a doctor", () => {
  it("refuses a doctor of others, a day that is past or too far, and another person's family", async () => {
    const outsider = await makeDoctor(server.db, { name: "Dr. Outsider" });
    const answers = [await allow(me, { doctor: outsider.id }), await allow(me, { doctor: "" })];
    for (const answer of answers) expect([answer.status, errorsOf(answer).doctor]).toEqual([400, "Choose a doctor from the list."]);
    for (const until of [dayFromNow(-1), dayFromNow(366), "soon", ""])
      expect(errorsOf(await allow(me, { until })).until, until).toBe("Choose a day from today on, within one year.");
    const kept = await allow(me, { until: dayFromNow(-1) });
    expect(valuesOf(kept.text)).toMatchObject({ doctor: reader.doctor.id, until: dayFromNow(-1) });
    expect((await allow(me, {}, "?for=nobody")).status).not.toBe(303);
    expect((await allow(stranger)).status).toBe(400);
    expect((await allow(reader.browser)).status).not.toBe(200);
    expect(await server.sql`select from record_permissions`).toHaveLength(0);
  });
  it("opens visits of others with their notes, prescriptions and own documents of this person", async () => {
    const allowed = await allow(me);
    expect(allowed.location).toBe(ACCESS);
    expect(plain((await me.follow(allowed)).text)).toContain("The doctor can now see these records.");
    expect(await statuses(reader.browser)).toEqual([200, 200, 200, 200]);
    const page = plain((await reader.browser.get(`/doctor/patients/${mine}/records`)).text);
    for (const words of [ILLNESS, FINDING, ALLERGY, "Blood test", "Dr. Anjali Vemuri", "Added by the patient", "Metoprolol succinate"])
      expect(page).toContain(words);
    expect(page).not.toContain("Vaccination card");
    const print = await reader.browser.get(`/doctor/patients/${mine}/records/${document}`);
    expect(print.text).toContain("Metoprolol succinate");
    expect(print.text).not.toContain(FINDING);
    expect(print.headers.get("cache-control")).toBe("no-store");
  });
  it("shows them beside the visit and in the patient's history", async () => {
    const visit = plain((await reader.browser.get(`/doctor/visits/${mine}`)).text);
    for (const words of ["Blood test", "1 medicine", `Allergy: ${ALLERGY} (Dr. Anjali Vemuri`, "All records"])
      expect(visit).toContain(words);
    expect((await reader.browser.get(`/doctor/patients/${mine}`)).text).toContain(`/doctor/patients/${mine}/records`);
  });
  it("is for this doctor and this person only", async () => {
    await shut(third.browser, "third");
    await shut(writer.browser, "writer");
    await shut(stranger, "stranger");
    await shut(new Browser(server.url), "visitor");
    expect((await reader.browser.get(`/doctor/patients/${sons}/records`)).status).toBe(404);
    expect((await reader.browser.get(`/doctor/patients/${sons}/records/${document}`)).status).toBe(404);
    expect((await reader.browser.get(`/files/${sonFile}`)).status).toBe(404);
    for (const id of ["nonsense", document, "00000000-0000-4000-8000-000000000000"])
      expect((await reader.browser.get(`/doctor/patients/${id}/records`)).status).toBe(404);
  });
  it("gives administrators and reviewers nothing", async () => {
    for (const role of ["admin", "reviewer"] as const) {
      const { userId } = await makeStaff(server.db, role);
      const [{ email }] = (await server.sql`select email from users where id = ${userId}`) as unknown as [{ email: string }];
      await shut(await loginAs(server, { role, email }), role);
    }
  });
  it("is on the patient's pages, with each opening", async () => {
    const access = plain((await me.get(ACCESS)).text);
    expect(access).toContain("Dr. Suresh Babu Kolli");
    expect(access).toContain(`All records, until ${formatDate(dayFromNow(30))}`);
    expect(access).toMatch(/Opened \d+ times, last \d{1,2} \w{3} \d{4}/);
    const log = plain((await me.get("/patient/data/opened")).text);
    expect(log).toContain("Dr. Suresh Babu Kolli opened the records of Lakshmi Devi that you allow");
    expect(log).toContain("Dr. Suresh Babu Kolli opened a prescription, certificate or test order of Lakshmi Devi that you allow");
    expect(log).toContain("Dr. Suresh Babu Kolli opened your document: Blood test");
    const records = plain((await me.get("/patient/records")).text);
    expect(records).toContain("1 doctor can see all of them");
    expect(records).toContain("You and 2 doctors can see this");
    expect(records).toContain("You and Dr. Suresh Babu Kolli can see this");
  });
  it("changes the last day when the doctor is allowed again", async () => {
    await allow(me, { until: dayFromNow(5) });
    const rows = await server.sql<{ until: string }[]>`select until::text from record_permissions where patient_id = ${me.userId}`;
    expect(rows).toEqual([{ until: dayFromNow(5) }]);
  });
});

describe("the end", () => {
  it("is the patient's alone, and at the next request", async () => {
    const id = await permissionId();
    expect((await stranger.post(ACCESS, { intent: "end", id })).status).toBe(404);
    expect((await me.post(ACCESS, { intent: "end", id: "00000000-0000-4000-8000-000000000000" })).status).toBe(404);
    expect(await statuses(reader.browser)).toEqual([200, 200, 200, 200]);
    expect((await me.post(ACCESS, { intent: "end", id })).location).toBe(ACCESS);
    await shut(reader.browser, "reader");
    expect((await reader.browser.get(`/doctor/visits/${mine}`)).text).not.toContain(ILLNESS);
    expect((await me.post(ACCESS, { intent: "end", id })).status).toBe(303);
    expect(plain((await me.get(ACCESS)).text)).toContain("Ended on");
    const rows = await server.sql`select action from audit_log where subject_id = ${id} and actor_id = ${me.userId} order by id`;
    expect(rows.map(({ action }) => action)).toEqual(["allow-records", "allow-records", "end-record-permission"]);
  });
  it("comes by itself after the last day", async () => {
    await allow(me);
    expect(await statuses(reader.browser)).toEqual([200, 200, 200, 200]);
    await server.sql`update record_permissions set allowed_at = now() - interval '3 days', until = ${addDays(dayFromNow(0), -1)}`;
    await shut(reader.browser, "reader");
    expect(plain((await me.get(ACCESS)).text)).toContain(`Ended on ${formatDate(dayFromNow(-1))}`);
  });
  it("comes with the suspension of the doctor, and while documents of a cancelled appointment stay closed", async () => {
    await allow(me);
    await server.sql`update doctors set registration_status = 'suspended' where id = ${reader.doctor.id}`;
    try {
      await shut(reader.browser, "reader");
    } finally {
      await server.sql`update doctors set registration_status = 'verified' where id = ${reader.doctor.id}`;
    }
    const [{ id: appointment }] = (await server.sql`
      select id from appointments where doctor_id = ${third.doctor.id} and patient_id = ${me.userId}`) as unknown as [{ id: string }];
    await server.sql`delete from own_records where file_id = ${ownFile}`;
    await server.sql`insert into medical_records (appointment_id, file_id, record_type, description) values (${appointment}, ${ownFile}, 'other', '')`;
    expect((await reader.browser.get(`/files/${ownFile}`)).status).toBe(200);
    await server.sql`update appointments set status = 'cancelled', cancelled_at = now(), cancelled_by = 'patient' where id = ${appointment}`;
    expect((await reader.browser.get(`/files/${ownFile}`)).status).toBe(404);
  });
  it("comes with the deletion of the account", async () => {
    expect((await reader.browser.get(`/doctor/patients/${mine}/records`)).status).toBe(200);
    expect((await me.post("/patient/data/delete", { word: "DELETE" })).status).toBe(303);
    expect(await server.sql`select from record_permissions`).toHaveLength(0);
    expect((await reader.browser.get(`/doctor/patients/${mine}/records`)).status).toBe(404);
  });
});

/** Links to one record over HTTP, without scripts: made, opened without a login, counted, ended and logged. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { doctors, visitDocuments } from "#app/db/schema/index.ts";
import { hashToken } from "#app/lib/ids.server.ts";
import { valuesOf } from "../factories/booking.ts";
import { pdf } from "../factories/pdfs.ts";
import { dayFromNow, makeDoctor, makeVisit, newPhone, type TestDoctor } from "../factories/people.ts";
import { asFile, photoWithPlace } from "../factories/pictures.ts";
import { plain } from "../setup/applications.ts";
import { type Answer, Browser } from "../setup/http.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
let doctor: TestDoctor;
let asDoctor: LoggedIn;
let me: LoggedIn;
let stranger: LoggedIn;
let phone: string;
let prescription: string;
let visit: string;
const NAME = "Lakshmi Prasanna Devi";

beforeAll(async () => {
  server = await startServer({ seed: false });
  doctor = await makeDoctor(server.db, { name: "Dr. Anjali Vemuri" });
  await server.db
    .update(doctors)
    .set({
      councilName: "Andhra Pradesh Medical Council",
      councilNumber: "APMC/2012/61742",
      qualifications: [{ degree: "MBBS", universityCollege: "NTR University", year: 2008 }],
    })
    .where(eq(doctors.id, doctor.id));
  asDoctor = await loginAs(server, { role: "doctor", email: doctor.email });
  phone = newPhone();
  me = await loginAs(server, { role: "patient", phone });
  stranger = await loginAs(server, { role: "patient", phone: newPhone() });
  await server.sql`update patients set name = ${NAME} where id = ${me.userId}`;
  visit = await makeVisit(
    server.db,
    { patient: { id: me.userId, phone, actor: { userId: me.userId, role: "patient" } }, doctor },
    { status: "completed", date: dayFromNow(-3), time: "09:00", name: NAME },
  );
  prescription = await sign();
});
afterAll(() => server?.stop());

async function sign(over: Record<string, string> = {}): Promise<string> {
  const at = `/doctor/visits/${visit}`;
  const fields = valuesOf((await asDoctor.get(at)).text);
  for (const name of ["q", "save"]) delete fields[name];
  const medicine = { medicine_1: "Metoprolol succinate", strength_1: "25 mg", dose_1_morning: "1", days_1: "30" };
  const reviewed = await asDoctor.post(at, { ...fields, ...medicine, diagnosis: "Zirconiumitis", language: "te", review: "1", ...over });
  expect(reviewed.location, plain(reviewed.text).slice(0, 300)).toBe(`${at}/review`);
  const review = await asDoctor.get(`${at}/review`);
  expect((await asDoctor.post(`${at}/review`, { version: valuesOf(review.text).version! })).status).toBe(303);
  const [row] = await server.db
    .select({ id: visitDocuments.id })
    .from(visitDocuments)
    .where(eq(visitDocuments.encounterId, visit))
    .orderBy(visitDocuments.createdAt);
  return row!.id;
}
async function addDocument(description: string, file: File): Promise<{ id: string; file: string }> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ recordType: "other", description, person: "me" })) form.append(name, value);
  form.append("file", file);
  expect((await me.postFiles("/patient/records/add", form)).status).toBe(303);
  const [row] = await server.sql<{ id: string; file: string }[]>`
    select id, file_id as file from own_records where patient_id = ${me.userId} order by created_at desc, id limit 1`;
  return row!;
}
const page = (kind: string, id: string) => `/patient/records/share/${kind}/${id}`;
const make = (over: Record<string, string> = {}, at = page("signed", prescription), who: Browser = me) =>
  who.post(at, { intent: "share", days: "7", times: "5", ...over });
/** Returns the path of the new link. */
const pathOf = (answer: Answer): string => {
  expect(answer.status, plain(answer.text).slice(0, 400)).toBe(200);
  return /\/s\/[\w-]{22}(?![\w-])/.exec(answer.text)![0];
};
const visitor = () => new Browser(server.url);
const idOf = async (path: string) =>
  (await server.sql<{ id: string }[]>`select id from record_shares where secret_hash = ${hashToken(path.slice(3))}`)[0]!.id;

describe("a link to a prescription", () => {
  it("opens it without a login, with initials and without the phone", async () => {
    const made = await make();
    const path = pathOf(made);
    expect(made.headers.get("cache-control")).toBe("no-store");
    expect(plain(made.text)).toContain("Copy the link now. We do not show it again.");
    expect((await me.get(page("signed", prescription))).text).not.toContain(path);
    const first = await visitor().get(path);
    expect(first.status).toBe(200);
    const shown = await visitor().get(`${path}/open`);
    expect(shown.text).toContain("Metoprolol succinate");
    expect(plain(shown.text)).toContain("L. P. D.");
    for (const answer of [first, shown]) {
      for (const words of [NAME, "Lakshmi", phone, phone.slice(3), "undefined"]) expect(answer.text).not.toContain(words);
      expect(
        Object.fromEntries(["cache-control", "x-robots-tag", "referrer-policy"].map((name) => [name, answer.headers.get(name)])),
      ).toEqual({
        "cache-control": "no-store",
        "x-robots-tag": "noindex, nofollow",
        "referrer-policy": "no-referrer",
      });
      expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(answer.headers.get("set-cookie")).toBeNull();
    }
    expect(plain(first.text)).toMatch(/Shared by L\. P\. D\. What Prescription Sent with Nadi Opens until \d/);
    expect(first.text).not.toContain("Metoprolol");
    expect(first.text).not.toContain("Vemuri");
  });
  it("has the full name when the patient chooses it", async () => {
    const path = pathOf(await make({ showName: "on" }));
    // Previews of messages read the first page.
    expect((await visitor().get(path)).text).not.toContain(NAME);
    expect((await visitor().get(`${path}/open`)).text).toContain(NAME);
  });
  it("is stored as a hash only", async () => {
    const secret = pathOf(await make()).slice(3);
    for (const table of ["record_shares", "audit_log", "notifications", "pgboss.job"]) {
      const [row] = await server.sql<{ found: number }[]>`
        select count(*)::int as found from ${server.sql(table)} t where to_jsonb(t)::text like ${`%${secret}%`}`;
      expect(row!.found, table).toBe(0);
    }
    expect(await server.sql`select from record_shares where secret_hash = ${hashToken(secret)}`).toHaveLength(1);
  });
  it("opens as many times as chosen, also when two open it at once", async () => {
    const path = pathOf(await make({ times: "1" }));
    await visitor().get(path);
    await visitor().get(path);
    const statuses = (await Promise.all([1, 2, 3].map(() => visitor().get(`${path}/open`)))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 410, 410]);
    const over = await visitor().get(path);
    expect(over.status).toBe(410);
    expect(plain(over.text)).toContain("This link has ended");
  });
  it("ends with its time", async () => {
    const path = pathOf(await make({ days: "1" }));
    await server.sql`update record_shares set created_at = now() - interval '2 days', expires_at = now() - interval '1 hour' where id = ${await idOf(path)}`;
    for (const at of [path, `${path}/open`]) expect((await visitor().get(at)).status).toBe(410);
  });
  it("is ended by its patient, at once, from both pages", async () => {
    for (const [at, intent] of [
      [page("signed", prescription), "end"],
      ["/patient/records/access", "end-link"],
    ] as const) {
      const path = pathOf(await make());
      const id = await idOf(path);
      expect((await stranger.post("/patient/records/access", { intent: "end-link", id })).status).toBe(404);
      expect((await asDoctor.post(at, { intent, id })).status).not.toBe(200);
      expect((await visitor().get(`${path}/open`)).status).toBe(200);
      expect((await me.post(at, { intent, id })).location).toBe(at);
      expect((await visitor().get(`${path}/open`)).status).toBe(410);
      expect((await me.post(at, { intent, id })).status).toBe(303);
    }
  });
  it("shows that the prescription was cancelled", async () => {
    const path = pathOf(await make());
    expect((await asDoctor.post(`/doctor/visits/${visit}`, { cancel: prescription })).status).toBe(303);
    expect((await visitor().get(`${path}/open`)).text).toContain("Cancelled. Do not use.");
    expect((await make()).status).toBe(404);
  });
});

describe("a link to a document", () => {
  it("opens a picture in the browser and a PDF as a download, without its name", async () => {
    const picture = await addDocument("Blood test", asFile(await photoWithPlace(), `${NAME}.jpg`));
    const opened = await visitor().get(`${pathOf(await make({}, page("own", picture.id)))}/open`);
    expect([opened.status, opened.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
    expect(opened.headers.get("content-disposition")).toBe("inline; filename=document.jpg");
    const report = await addDocument("Report", asFile(pdf({}), `${NAME}.pdf`, "application/pdf"));
    const path = pathOf(await make({}, page("own", report.id)));
    const loaded = await visitor().get(`${path}/open`);
    expect(loaded.headers.get("content-disposition")).toBe("attachment; filename=document.pdf");
    expect(loaded.headers.get("referrer-policy")).toBe("no-referrer");
    // The file itself stays closed.
    expect((await visitor().get(`/files/${picture.file}`)).status).toBe(404);
    expect((await me.post(`/patient/records/${report.id}/remove`)).status).toBe(303);
    expect((await visitor().get(`${path}/open`)).status).toBe(404);
  });
});

describe("other users", () => {
  it("make no link to a record that is not theirs", async () => {
    const [own] = await server.sql<{ id: string }[]>`select id from own_records where patient_id = ${me.userId} limit 1`;
    const before = await server.sql`select from record_shares`;
    for (const who of [stranger, asDoctor, visitor()])
      for (const at of [
        page("signed", prescription),
        page("own", own!.id),
        page("attached", own!.id),
        page("nonsense", own!.id),
        page("own", "x"),
      ]) {
        expect((await who.get(at)).status, at).not.toBe(200);
        expect((await make({}, at, who)).status, at).not.toBe(200);
      }
    expect(await server.sql`select from record_shares`).toHaveLength(before.length);
  });
  it("guess no secret: wrong ones are counted and refused", async () => {
    const [row] = await server.sql<{ hash: string }[]>`select secret_hash as hash from record_shares limit 1`;
    for (const wrong of [row!.hash, "x", "A".repeat(22), "..%2f..%2fetc"])
      expect((await visitor().get(`/s/${wrong}`)).status, wrong).toBe(404);
    const from = new Browser(server.url);
    let last = await from.get(`/s/${"B".repeat(22)}`);
    for (let i = 0; i < 40 && last.status !== 429; i++) last = await from.get(`/s/${"B".repeat(22)}/open`);
    expect(last.status).toBe(429);
    await server.sql`delete from rate_limits`;
  });
});

describe("the patient", () => {
  it("sees the links and each opening with its time", async () => {
    const [own] = await server.sql<{ id: string }[]>`select id from own_records where patient_id = ${me.userId} limit 1`;
    const path = pathOf(await make({}, page("own", own!.id)));
    const opening = await me.get(`${path}/open`);
    expect(opening.status).toBe(200);
    const access = plain((await me.get("/patient/records/access")).text);
    expect(access).toMatch(/Blood test Opens until \d{1,2} \w{3} \d{4}, \d{1,2}:\d\d [AP]M Opened 1 of 5 times, last \d{1,2} \w{3} \d{4}/);
    const log = plain((await me.get("/patient/data/opened")).text);
    expect(log).toMatch(/Your link to Blood test was opened/);
    expect(log).toMatch(/Your link to Prescription was opened/);
    expect(plain((await me.get("/patient/records")).text)).toMatch(/\d+ links?/);
    expect((await me.get("/patient/records")).text).toContain(page("own", own!.id));
    const rows = await server.sql`select actor_id, person_id from audit_log where action = 'read-by-link'`;
    for (const row of rows) expect(row).toEqual({ actor_id: null, person_id: me.userId });
  });
  it("can open only so many links", async () => {
    const [own] = await server.sql<{ id: string }[]>`select id from own_records where patient_id = ${me.userId} limit 1`;
    await server.sql`insert into record_shares (patient_id, person_key, own_record_id, secret_hash, most, expires_at)
      select ${me.userId}, 'k', ${own!.id}, md5(n::text), 5, now() + interval '1 day' from generate_series(1, 50) n`;
    const refused = await make({}, page("own", own!.id));
    expect(refused.status).toBe(409);
    expect(plain(refused.text)).toContain("You have 50 open links. End one first.");
    await server.sql`delete from record_shares where person_key = 'k'`;
  });
  it("closes every link with the account", async () => {
    const [own] = await server.sql<{ id: string }[]>`select id from own_records where patient_id = ${me.userId} limit 1`;
    const path = pathOf(await make({}, page("own", own!.id)));
    await server.sql`update users set status = 'disabled' where id = ${me.userId}`;
    expect((await visitor().get(`${path}/open`)).status).toBe(404);
    await server.sql`update users set status = 'active' where id = ${me.userId}`;
    expect((await visitor().get(`${path}/open`)).status).toBe(200);
    expect((await me.post("/patient/data/delete", { word: "DELETE" })).status).toBe(303);
    expect((await visitor().get(`${path}/open`)).status).toBe(404);
    expect(await server.sql`select from record_shares`).toHaveLength(0);
  });
});

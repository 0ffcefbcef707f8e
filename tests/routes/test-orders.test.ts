/** Orders of tests over HTTP, without scripts: written, corrected, cancelled, printed and checked; results of the patient; other users see nothing. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { doctors } from "#app/db/schema/index.ts";
import { valuesOf } from "../factories/booking.ts";
import { dayFromNow, makeDoctor, makeVisit, newPhone, type TestDoctor } from "../factories/people.ts";
import { asFile, photoWithPlace } from "../factories/pictures.ts";
import { plain } from "../setup/applications.ts";
import { Browser } from "../setup/http.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
let doctor: TestDoctor;
let asDoctor: LoggedIn;
let other: LoggedIn;
let me: LoggedIn;
let stranger: LoggedIn;
let hour = 0;
const CANARY = "Zirconium level";

beforeAll(async () => {
  server = await startServer({ seed: false });
  const make = async (name: string) => {
    const made = await makeDoctor(server.db, { name });
    await server.db
      .update(doctors)
      .set({ councilNumber: "APMC/2012/61742", qualifications: [{ degree: "MBBS", universityCollege: "NTR University", year: 2008 }] })
      .where(eq(doctors.id, made.id));
    return made;
  };
  doctor = await make("Dr. Anjali Vemuri");
  asDoctor = await loginAs(server, { role: "doctor", email: doctor.email });
  other = await loginAs(server, { role: "doctor", email: (await make("Dr. Suresh Babu Kolli")).email });
  me = await loginAs(server, { role: "patient", phone: newPhone() });
  stranger = await loginAs(server, { role: "patient", phone: newPhone() });
  await server.sql`update patients set name = 'Lakshmi Devi' where id = ${me.userId}`;
});
afterAll(() => server?.stop());

const newVisit = (name = "Lakshmi Devi") =>
  makeVisit(
    server.db,
    { patient: { id: me.userId, phone: newPhone(), actor: { userId: me.userId, role: "patient" } }, doctor },
    { status: "accepted", date: dayFromNow(-1), time: `${String(hour++ + 2).padStart(2, "0")}:00`, name },
  );
const at = (visit: string) => `/doctor/visits/${visit}`;
type Row = { id: string; code: string; state: string };
const ordersOf = (visit: string) =>
  server.sql<
    Row[]
  >`select id, code, state from visit_documents where encounter_id = ${visit} and kind = 'order' order by signed_at, created_at`;
/** Fills in, reviews and signs. Returns the answer of signing. */
async function sign(visit: string, over: Record<string, string> = {}) {
  const input = { test1: "HbA1c", test2: CANARY, words: "Fasting", ...over };
  const review = await asDoctor.post(`${at(visit)}/order`, { ...input, intent: "review" });
  expect(review.status, plain(review.text).slice(0, 300)).toBe(200);
  return asDoctor.post(`${at(visit)}/order`, { ...input, seen: valuesOf(review.text).seen!, intent: "sign" });
}
async function signed(visit: string, over: Record<string, string> = {}): Promise<Row> {
  const answer = await sign(visit, over);
  expect([answer.status, answer.location]).toEqual([303, at(visit)]);
  return (await ordersOf(visit)).at(-1)!;
}
const rx = async (code: string) => plain((await new Browser(server.url).get(`/rx/${code}`)).text);
async function addResult(order: string, who = me) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ recordType: "other", description: "Report of the laboratory", order }))
    form.append(name, value);
  form.append("file", asFile(await photoWithPlace(), "x.jpg"));
  return who.postFiles("/patient/records/add", form);
}

describe("an order of tests", () => {
  it("is reviewed, signed, printed and checked, and its patient is notified", async () => {
    const visit = await newVisit();
    const order = await signed(visit);
    const own = `/patient/appointments/${visit}/documents/${order.id}`;
    expect((await me.get(`/patient/appointments/${visit}`)).text).toContain(own);
    for (const page of [await me.get(own), await asDoctor.get(`${at(visit)}/documents/${order.id}`)])
      for (const text of ["Test order", "HbA1c", CANARY, "Fasting", "APMC/2012/61742", "Lakshmi Devi"]) expect(page.text).toContain(text);
    const check = await rx(order.code);
    for (const text of ["Valid", "HbA1c", "L. D."]) expect(check).toContain(text);
    expect(check).not.toMatch(/Lakshmi|Fasting/);
    expect(plain((await me.get("/patient/records")).text)).toContain("HbA1c, Zirconium level");
    const kinds = await server.sql`select kind from notifications where user_id = ${me.userId} and params->>'appointment' = ${visit}`;
    expect(kinds.map((row) => row.kind)).toEqual(["order-signed"]);
    const [row] = await server.sql<{ row: string }[]>`select v::text as row from visit_documents v where id = ${order.id}`;
    expect(row!.row).not.toContain("Zirconium");
    expect(JSON.stringify(server.logs())).not.toContain("Zirconium");
  });
  it("cannot be changed or deleted in the database", async () => {
    const { id } = await signed(await newVisit());
    await expect(server.sql`update visit_documents set content = 'x' where id = ${id}`).rejects.toThrow();
    await expect(server.sql`delete from visit_documents where id = ${id}`).rejects.toThrow();
  });
  it("is superseded by a correction, which one of two tabs signs", async () => {
    const visit = await newVisit();
    const old = await signed(visit);
    const form = await asDoctor.get(`${at(visit)}/order?replaces=${old.id}`);
    expect(valuesOf(form.text)).toMatchObject({ test1: "HbA1c", test2: CANARY, replaces: old.id });
    const answers = await Promise.all([sign(visit, { replaces: old.id, test2: "TSH" }), sign(visit, { replaces: old.id, test2: "ESR" })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
    expect((await ordersOf(visit)).map(({ state }) => state)).toEqual(["superseded", "signed"]);
    expect(await rx(old.code)).toContain("The doctor signed a newer order on");
    expect(await rx(old.code)).not.toContain("HbA1c");
  });
  it("is cancelled, and the check says so", async () => {
    const visit = await newVisit();
    const order = await signed(visit);
    expect((await asDoctor.post(at(visit), { cancel: order.id })).status).toBe(303);
    expect(await rx(order.code)).toContain("The doctor cancelled this order on");
    expect((await addResult(order.id)).status).toBe(409);
  });
  it("needs a test, and signs only what was shown", async () => {
    const visit = await newVisit();
    const empty = await asDoctor.post(`${at(visit)}/order`, { words: "Stays", intent: "review" });
    expect(empty.status).toBe(400);
    expect(plain(empty.text)).toContain("Enter at least one test.");
    expect(empty.text).toContain("Stays");
    const { seen } = valuesOf((await asDoctor.post(`${at(visit)}/order`, { test1: "ESR", intent: "review" })).text);
    expect((await asDoctor.post(`${at(visit)}/order`, { test1: "CRP", seen: seen!, intent: "sign" })).status).toBe(200);
    expect(await ordersOf(visit)).toHaveLength(0);
  });
});

describe("a result", () => {
  it("of the patient reaches the doctor of the order", async () => {
    const visit = await newVisit();
    const order = await signed(visit);
    expect(plain((await asDoctor.get(at(visit))).text)).toContain("No result yet");
    expect((await addResult(order.id)).status).toBe(303);
    const [file] = await server.sql<{ id: string }[]>`select file_id as id from own_records where order_id = ${order.id}`;
    expect((await asDoctor.get(at(visit))).text).toContain(`/files/${file!.id}`);
    expect((await asDoctor.get(`/files/${file!.id}`)).status).toBe(200);
    const notice = await server.sql`select target_path, params from notifications where user_id = ${doctor.id} and kind = 'order-result'`;
    expect(notice).toMatchObject([{ target_path: at(visit) }]);
    expect(JSON.stringify(notice)).not.toContain("Zirconium");
    const records = plain((await me.get("/patient/records")).text);
    for (const text of ["1 result", "You and Dr. Anjali Vemuri can see this"]) expect(records).toContain(text);
    for (const who of [other, stranger, new Browser(server.url)]) {
      expect([303, 401, 403, 404]).toContain((await who.get(`/files/${file!.id}`)).status);
    }
    await server.sql`update doctors set registration_status = 'suspended' where id = ${doctor.id}`;
    expect((await asDoctor.get(`/files/${file!.id}`)).status).not.toBe(200);
    await server.sql`update doctors set registration_status = 'verified' where id = ${doctor.id}`;
  });
  it("is refused for an order of another account", async () => {
    const order = await signed(await newVisit());
    expect((await addResult(order.id, stranger)).status).toBe(404);
    expect((await stranger.get(`/patient/records/add?order=${order.id}`)).status).toBe(404);
    expect(await server.sql`select 1 from own_records where order_id = ${order.id}`).toHaveLength(0);
  });
  it("is stored for the person of the order", async () => {
    const order = await signed(await newVisit("Savitri Devi"));
    expect((await addResult(order.id)).status).toBe(303);
    expect(plain((await me.get("/patient/records")).text)).not.toContain("Savitri's");
    const [mine] = await server.sql`
      select r.person_key = e.person_key as same from own_records r join visit_documents v on v.id = r.order_id join encounters e on e.id = v.encounter_id
      where r.order_id = ${order.id}`;
    expect(mine).toEqual({ same: true });
  });
});

it("is closed to everyone else", async () => {
  const visit = await newVisit();
  const order = await signed(visit);
  for (const who of [other, stranger, new Browser(server.url)]) {
    expect([303, 403, 404]).toContain((await who.get(`${at(visit)}/order`)).status);
    expect([303, 403, 404]).toContain((await who.post(`${at(visit)}/order`, { test1: "ESR", intent: "sign" })).status);
    expect([303, 403, 404]).toContain((await who.get(`${at(visit)}/order?replaces=${order.id}`)).status);
    expect([303, 403, 404]).toContain((await who.post(at(visit), { cancel: order.id })).status);
    for (const page of [`${at(visit)}/documents/${order.id}`, `/patient/appointments/${visit}/documents/${order.id}`])
      expect((await who.get(page)).text).not.toContain("HbA1c");
  }
  const visits = [await newVisit(), visit];
  // An order of another visit of the same doctor is not corrected.
  expect((await sign(visits[0]!, { replaces: order.id })).status).toBe(404);
  expect((await ordersOf(visit)).map(({ state }) => state)).toEqual(["signed"]);
});

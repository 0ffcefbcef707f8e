/** Results of test orders that a place adds: staff by the code on the order, the doctor in the visit. Users of other places add and open nothing. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { valuesOf } from "../factories/booking.ts";
import { makeMember } from "../factories/members.ts";
import { dayFromNow, letSign, makeVisit, newPhone } from "../factories/people.ts";
import { asFile, photoWithPlace } from "../factories/pictures.ts";
import { makeClinic, makeSession } from "../factories/queues.ts";
import { plain } from "../setup/applications.ts";
import { Browser } from "../setup/http.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
let clinic: Awaited<ReturnType<typeof makeClinic>>;
let other: Awaited<ReturnType<typeof makeClinic>>;
let people: Record<"doctor" | "otherDoctor" | "reception" | "billing" | "otherReception" | "me" | "stranger", LoggedIn>;
let hour = 0;
const CANARY = "Zirconium level";

const emailOf = async (id: string) => (await server.sql<{ email: string }[]>`select email from users where id = ${id}`)[0]!.email;
const staff = async ({ userId }: { userId: string }) => loginAs(server, { role: "staff", email: await emailOf(userId) });

beforeAll(async () => {
  server = await startServer({ seed: false });
  clinic = await makeClinic(server.db, { doctor: "Dr. Anjali Vemuri" });
  other = await makeClinic(server.db, { doctor: "Dr. Suresh Babu Kolli" });
  for (const { doctor } of [clinic, other]) await letSign(server.db, doctor.id);
  people = {
    doctor: await loginAs(server, { role: "doctor", email: clinic.doctor.email }),
    otherDoctor: await loginAs(server, { role: "doctor", email: other.doctor.email }),
    reception: await staff(clinic.reception),
    billing: await staff(await makeMember(server.db, clinic.place.id, "billing")),
    otherReception: await staff(other.reception),
    me: await loginAs(server, { role: "patient", phone: newPhone() }),
    stranger: await loginAs(server, { role: "patient", phone: newPhone() }),
  };
  await server.sql`update patients set name = 'Lakshmi Devi' where id = ${people.me.userId}`;
});
afterAll(() => server?.stop());

type Order = { id: string; code: string; visit: string };
/** Signs an order of a new visit at the clinic. */
async function makeOrder(): Promise<Order> {
  const patient = { id: people.me.userId, phone: newPhone(), actor: { userId: people.me.userId, role: "patient" as const } };
  const time = `${String(hour++ + 2).padStart(2, "0")}:00`;
  const visit = await makeVisit(
    server.db,
    { patient, doctor: clinic.doctor },
    { status: "accepted", date: dayFromNow(-1), time, name: "Lakshmi Devi" },
  );
  return signOrder(visit);
}
/** A patient without an account, who is with the doctor. */
async function makeWalkIn(): Promise<string> {
  const sessionId = await makeSession(server.db, clinic.doctor.id);
  const person = { phone: "9000000194", name: "Basha" };
  await people.reception.post("/desk/queue", { intent: "add", sessionId, ...person, formKey: "walk-in-of-results" });
  const [entry] = await server.sql<{ id: string }[]>`
    update queue_entries set state = 'with-doctor' where session_id = ${sessionId} returning id`;
  return entry!.id;
}
async function signOrder(visit: string): Promise<Order> {
  const input = { test1: CANARY };
  const review = await people.doctor.post(`/doctor/visits/${visit}/order`, { ...input, age: "41", gender: "female", intent: "review" });
  const { seen } = valuesOf(review.text);
  await people.doctor.post(`/doctor/visits/${visit}/order`, { ...input, age: "41", gender: "female", seen: seen!, intent: "sign" });
  const [row] = await server.sql<{ id: string; code: string }[]>`
    select id, code from visit_documents where encounter_id = ${visit} and kind = 'order'`;
  return { ...row!, visit };
}
const byCode = (place: string) => `/clinic/${place}/results`;
const ofDoctor = ({ visit, id }: { visit: string; id: string }) => `/doctor/visits/${visit}/order/${id}/result`;
async function add(who: Browser, path: string, fields: Record<string, string> = {}) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ recordType: "other", description: "Report of the laboratory", ...fields }))
    form.append(name, value);
  form.append("file", asFile(await photoWithPlace(), "x.jpg"));
  return who.postFiles(path, form);
}
const resultsOf = (order: string) =>
  server.sql<{ fileId: string; owner: string; fromPlace: boolean }[]>`
    select r.file_id as "fileId", f.owner_id as owner, r.from_place as "fromPlace" from own_records r join files f on f.id = r.file_id
    where r.order_id = ${order}`;

describe("reception", () => {
  it("adds a result by the code on the order; patient and doctor open it, reception does not", async () => {
    const order = await makeOrder();
    expect((await people.reception.get(`/clinic/${clinic.place.id}`)).text).toContain(byCode(clinic.place.id));
    const typed = order.code.toLowerCase().replace(/(.{4})/g, "$1 ");
    const answer = await add(people.reception, byCode(clinic.place.id), { code: typed });
    expect([answer.status, answer.location]).toEqual([303, byCode(clinic.place.id)]);
    expect(plain((await people.reception.follow(answer)).text)).toContain("Result added. The patient and the doctor can open it.");
    const [result, ...more] = await resultsOf(order.id);
    expect(more).toEqual([]);
    expect(result).toMatchObject({ owner: people.me.userId, fromPlace: true });
    const file = `/files/${result!.fileId}`;
    for (const who of [people.me, people.doctor]) expect((await who.get(file)).status).toBe(200);
    for (const who of [
      people.reception,
      people.billing,
      people.otherReception,
      people.otherDoctor,
      people.stranger,
      new Browser(server.url),
    ])
      expect([303, 401, 403, 404]).toContain((await who.get(file)).status);
    const records = plain((await people.me.get("/patient/records")).text);
    for (const text of ["Report of the laboratory", "Added by the clinic", "You and Dr. Anjali Vemuri can see this"])
      expect(records).toContain(text);
    const told = await server.sql<{ userId: string; kind: string; path: string }[]>`
      select user_id as "userId", kind, target_path as path from notifications where kind in ('result-added', 'order-result') order by kind`;
    expect(told).toEqual([
      { userId: clinic.doctor.id, kind: "order-result", path: `/doctor/visits/${order.visit}` },
      { userId: people.me.userId, kind: "result-added", path: "/patient/records" },
    ]);
    const [audited] = await server.sql`
      select actor_id as actor, person_id as person, details->>'hospitalId' as place from audit_log where action = 'add-result'`;
    expect(audited).toMatchObject({ actor: clinic.reception.userId, person: people.me.userId });
    for (const rows of [told, await server.sql`select * from audit_log where action = 'add-result'`, server.logs()])
      expect(JSON.stringify(rows)).not.toMatch(/Zirconium|Report of the laboratory/);
  });
  it("sees nothing of the order, and learns nothing from a wrong code", async () => {
    const order = await makeOrder();
    const page = plain((await people.reception.get(byCode(clinic.place.id))).text);
    expect(page).not.toMatch(/Lakshmi|Zirconium/);
    for (const code of ["AAAA-AAAA-AAAA", "x", order.code.slice(1)]) {
      const refused = await add(people.reception, byCode(clinic.place.id), { code });
      expect(refused.status).toBe(400);
      expect(plain(refused.text)).toContain("No valid test order of your doctors has this code.");
      expect(refused.text).toContain('name="received"');
    }
    // The code of another place's order is as wrong as any other.
    const elsewhere = await add(people.otherReception, byCode(other.place.id), { code: order.code });
    expect(plain(elsewhere.text)).toContain("No valid test order of your doctors has this code.");
    await server.sql`update memberships set doctor_ids = array[${other.doctor.id}]::uuid[] where user_id = ${clinic.reception.userId}`;
    expect((await add(people.reception, byCode(clinic.place.id), { code: order.code })).status).toBe(400);
    await server.sql`update memberships set doctor_ids = '{}' where user_id = ${clinic.reception.userId}`;
    expect(await resultsOf(order.id)).toEqual([]);
  });
  it("keeps the file of a refused form for the next try", async () => {
    const order = await makeOrder();
    const refused = await add(people.reception, byCode(clinic.place.id), { code: "AAAA-AAAA-AAAA" });
    const { received } = valuesOf(refused.text);
    const again = new FormData();
    for (const [name, value] of Object.entries({ code: order.code, description: "X-ray", recordType: "other", received: received! }))
      again.append(name, value);
    expect((await people.reception.postFiles(byCode(clinic.place.id), again)).status).toBe(303);
    expect(await resultsOf(order.id)).toMatchObject([{ fileId: received }]);
    // The same form once more: its file belongs to the patient by now.
    const twice = new FormData();
    for (const [name, value] of Object.entries({ code: order.code, description: "X-ray", recordType: "other", received: received! }))
      twice.append(name, value);
    expect((await people.reception.postFiles(byCode(clinic.place.id), twice)).status).toBe(400);
    expect(await resultsOf(order.id)).toHaveLength(1);
  });
  it("is told when the order is cancelled or its patient has no account", async () => {
    const [cancelled, without] = [await makeOrder(), await signOrder(await makeWalkIn())];
    await people.doctor.post(`/doctor/visits/${cancelled.visit}`, { cancel: cancelled.id });
    const ended = await add(people.reception, byCode(clinic.place.id), { code: cancelled.code });
    expect([ended.status, plain(ended.text).includes("This test order is not valid any more.")]).toEqual([409, true]);
    const noAccount = await add(people.reception, byCode(clinic.place.id), { code: without.code });
    expect([noAccount.status, plain(noAccount.text).includes("This patient has no account in Nadi.")]).toEqual([409, true]);
    expect([...(await resultsOf(cancelled.id)), ...(await resultsOf(without.id))]).toEqual([]);
  });
});

describe("the doctor", () => {
  it("adds a result in the visit", async () => {
    const order = await makeOrder();
    expect((await people.doctor.get(`/doctor/visits/${order.visit}`)).text).toContain(ofDoctor(order));
    const answer = await add(people.doctor, ofDoctor(order));
    expect([answer.status, answer.location]).toEqual([303, `/doctor/visits/${order.visit}`]);
    const [result] = await resultsOf(order.id);
    expect((await people.doctor.get(`/doctor/visits/${order.visit}`)).text).toContain(`/files/${result!.fileId}`);
    expect((await people.me.get(`/files/${result!.fileId}`)).status).toBe(200);
    const told =
      await server.sql`select 1 from notifications where user_id = ${clinic.doctor.id} and target_path like ${`%${order.visit}`}`;
    expect(told).toHaveLength(0);
  });
  it("stores both of two results that are added at once", async () => {
    const order = await makeOrder();
    const answers = await Promise.all([
      add(people.doctor, ofDoctor(order)),
      add(people.reception, byCode(clinic.place.id), { code: order.code }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(await resultsOf(order.id)).toHaveLength(2);
  });
});

it("is closed to everyone else", async () => {
  const order = await makeOrder();
  const outsiders = [people.billing, people.otherReception, people.otherDoctor, people.stranger, people.me, new Browser(server.url)];
  for (const who of outsiders)
    for (const path of [byCode(clinic.place.id), ofDoctor(order)]) {
      expect([303, 401, 403, 404]).toContain((await who.get(path)).status);
      const answer = await add(who, path, { code: order.code });
      expect([303, 401, 403, 404]).toContain(answer.status);
    }
  // An order of another visit of the same doctor.
  const second = await makeOrder();
  expect((await people.doctor.get(ofDoctor({ visit: second.visit, id: order.id }))).status).toBe(404);
  expect(await resultsOf(order.id)).toEqual([]);
});

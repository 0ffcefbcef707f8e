/** /clinic over HTTP: every page × user, own and other place: no one but its members reads or changes a place. */

import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Actor } from "#app/domains/context.server.ts";
import { readable } from "../factories/booking.ts";
import { makeAdmin, makeReviewer } from "../factories/cases.ts";
import { addPlaceDoctor, makeMember, makePlace } from "../factories/members.ts";
import { dayFromNow, makeDoctor, makePatient, makeVisit, type TestDoctor } from "../factories/people.ts";
import { asFile } from "../factories/pictures.ts";
import { gatewayEnv } from "../setup/gateway.ts";
import { type Answer, Browser } from "../setup/http.ts";
import { GATE } from "../setup/long.ts";
import { loginAs } from "../setup/people.ts";
import { ROUTES } from "../setup/routes.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
type Place = Awaited<ReturnType<typeof makePlace>>;
let [own, other]: [Place, Place] = [] as never;
let [doctor, member]: [TestDoctor, Actor & { memberId: string }] = [] as never;
const people: Record<string, Browser> = {};
const SECRET = "Secretia Receptionova";
const PATIENT = "Secretia Patientova";
const HOOK = "partner.example.com";
const SETTLEMENT = "setl_of_own_place";
let [visit, payment, hook, ofImport, ofExport, registered] = ["", "", "", "", "", ""];

const PAGES = [...ROUTES.map(({ pattern }) => pattern)].filter((path) => path.startsWith("/clinic/:id"));
const at = (pattern: string, place: Place) =>
  pattern
    .replace(":id", place.id)
    .replace(":memberId", member.memberId)
    .replace(":doctorId", doctor.id)
    .replace(":visitId", visit)
    .replace(":paymentId", payment)
    .replace(":hookId", hook)
    .replace(":importId", ofImport)
    .replace(":exportId", ofExport)
    .replace(":patientId", registered)
    .replace(":settlementId", SETTLEMENT);
/** Fields of every form of these pages. Everyone sends each of them to every page; in `npm test` to the pages that have such a form. */
const POSTS: Record<string, string>[] = [
  {},
  { intent: "save", role: "owner" },
  { intent: "suspend" },
  { intent: "resume" },
  { intent: "resend" },
  { reasons: "show" },
  { email: "thief@proof.test", role: "owner" },
  { intent: "claim-by-email", email: "thief@proof.test" },
  { key: "thief-12345678", method: "cash", amount: "1", reason: "agreed" },
  { intent: "replace", kind: "tv" },
  { intent: "allow-walk-ins" },
  { intent: "pause" },
  { intent: "test" },
  { intent: "import" },
  { intent: "discard" },
  { kind: "patients", format: "csv" },
  { intent: "resend-failed" },
  { url: "https://thief.example.com/", subjects: "appointment" },
  {
    name: "Thief and Sons",
    businessType: "individual",
    pan: "ABCDE1234F",
    street: "Thief Street",
    city: "Vijayawada",
    state: "Andhra Pradesh",
    pinCode: "520010",
    holder: "Thief",
    account: "123456789012",
    ifsc: "HDFC0000317",
    agreed: "on",
  },
];

beforeAll(async () => {
  // Settlements need a provider. Nothing is sent to it here.
  server = await startServer({ seed: false, env: gatewayEnv({ url: "http://127.0.0.1:9" }) });
  const { db } = server;
  [own, other] = [await makePlace(db), await makePlace(db)];
  doctor = await makeDoctor(db);
  await addPlaceDoctor(db, own.id, doctor.id);
  await server.sql`update doctors set hospital_id = ${own.id} where id = ${doctor.id}`;
  visit = await makeVisit(db, { patient: await makePatient(db), doctor }, { name: PATIENT, date: dayFromNow(0) });
  member = await makeMember(db, own.id, "reception");
  await server.sql`update users set staff_name = ${SECRET} where id = ${member.userId}`;
  const emailOf = async (id: string) => (await server.sql<{ email: string }[]>`select email from users where id = ${id}`)[0]!.email;
  const asMember = async (who: Actor) => loginAs(server, { role: who.role, email: await emailOf(who.userId) });
  const [admin, reviewer] = [await makeAdmin(db), await makeReviewer(db, own)];
  Object.assign(people, {
    owner: await asMember(own.owner),
    reception: await asMember(await makeMember(db, own.id, "reception")),
    billing: await asMember(await makeMember(db, own.id, "billing")),
    manager: await asMember(await makeMember(db, own.id, "manager")),
    suspended: await asMember(await makeMember(db, own.id, "owner", { state: "suspended" })),
    ended: await asMember(await makeMember(db, own.id, "owner", { state: "ended" })),
    "other owner": await asMember(other.owner),
    doctor: await loginAs(server, { role: "doctor", email: doctor.email }),
    reviewer: await loginAs(server, reviewer),
    admin: await loginAs(server, admin),
    patient: await loginAs(server, { role: "patient", phone: (await makePatient(db)).phone }),
    visitor: new Browser(server.url),
  });
  const added = await people.owner!.post(`/clinic/${own.id}/webhooks/add`, { url: `https://${HOOK}/`, subjects: "appointment" });
  hook = /webhooks\/([0-9a-f-]{36})/.exec(added.location!)![1]!;
  const file = new FormData();
  file.append("kind", "patients");
  file.append("file", asFile(`Name,Phone\n${PATIENT},9000000001\n`, "a.csv", "text/csv"));
  const uploaded = await people.owner!.postFiles(`/clinic/${own.id}/import`, file);
  ofImport = /import\/([0-9a-f-]{36})/.exec(uploaded.location!)![1]!;
  const [row] = await server.sql<{ id: string }[]>`insert into clinic_patients (hospital_id, name, name_key)
    values (${own.id}, ${PATIENT}, ${PATIENT.toLowerCase()}) returning id`;
  registered = row!.id;
  expect((await people.owner!.post(`/clinic/${own.id}/export`, { kind: "patients", format: "csv" })).status).toBe(303);
  await vi.waitUntil(
    async () => {
      const [ready] = await server.sql<{ id: string }[]>`select id from clinic_exports where file_id is not null`;
      ofExport = ready?.id ?? "";
      return ready;
    },
    { timeout: 20_000 },
  );
  const form = await people.owner!.get(`/clinic/${own.id}/visits/${visit}/payment`);
  const key = /name="key" value="([\w-]+)"/.exec(form.text)![1]!;
  const recorded = await people.owner!.post(`/clinic/${own.id}/visits/${visit}/payment`, { key, method: "cash", amount: "100" });
  for (const kind of ["tv", "arrive"])
    expect((await people.owner!.post(`/clinic/${own.id}/screen`, { intent: "replace", kind })).status).toBe(303);
  payment = /payments\/([0-9a-f-]{36})/.exec(recorded.location!)![1]!;
  await server.sql`with o as (insert into payment_orders (appointment_id, doctor_id, merchant_id, amount, provider, provider_order_id, state, expires_at)
      values (${visit}, ${doctor.id}, ${own.id}, 10000, 'local', 'order_1', 'paid', now()) returning id),
    p as (insert into payments (appointment_id, doctor_id, merchant_id, method, amount, order_id, provider_payment_id, idempotency_key)
      select ${visit}, ${doctor.id}, ${own.id}, 'online', 10000, o.id, 'pay_1', 'pay_1' from o returning id)
    insert into receipts (payment_id, merchant_id, financial_year, number, merchant_name, merchant_address)
      select p.id, ${own.id}, '2020-21', 1, 'Clinic', 'Street' from p`;
  await server.sql`insert into settlement_lines (provider, settlement_id, kind, line_id, amount, fee, tax, credit, debit, bank_reference, settled_at)
    values ('local', ${SETTLEMENT}, 'payment', 'pay_1', 10000, 236, 36, 9764, 0, 'UTR1', now())`;
  for (const pattern of GATE ? PAGES : []) ownPages.set(pattern, (await people.owner!.get(at(pattern, own))).text);
});
afterAll(() => server?.stop());

/** The owner's pages, as `npm test` reads them to find out which forms they have. */
const ownPages = new Map<string, string>();
const postsTo = (pattern: string) =>
  POSTS.filter((fields) =>
    Object.entries(fields).every(
      ([name, value]) => !GATE || ownPages.get(pattern)!.includes(name === "intent" ? `value="${value}"` : `name="${name}"`),
    ),
  );

const state = async () =>
  (
    await server.sql`select md5(string_agg(t, '|' order by t)) as sum from (select to_json(m)::text t from memberships m
      union all select to_json(p)::text from place_doctors p union all select to_json(u)::text from users u
      union all select to_json(l)::text from place_links l union all select to_json(y)::text from payments y union all select to_json(r)::text from refunds r union all select to_json(f)::text from refund_policies f union all select to_json(q)::text from payout_accounts q union all
      select to_json(i)::text from imports i union all select to_json(c)::text from clinic_exports c union all
      select to_json(w)::text from webhook_endpoints w union all select to_json(v)::text from webhook_deliveries v union all
      select to_json(n)::text from short_names n union all select to_json(h.embed_origins)::text from hospitals h) all_rows`
  )[0]?.sum;
const shut = (answer: Answer, what: string) => {
  expect(answer.status === 202 || answer.status >= 300, `${what}: ${answer.status}`).toBe(true);
  expect(answer.status, what).toBeLessThan(500);
  for (const secret of [SECRET, PATIENT, HOOK, "whsec_", own.name]) expect(answer.text, what).not.toContain(secret);
};

it("lists the pages", () => expect(PAGES.length).toBeGreaterThan(6));

const STRANGERS = ["suspended", "ended", "other owner", "doctor", "reviewer", "manager", "admin", "patient", "visitor"];
describe.each(STRANGERS)("%s", (name) => {
  it("reads and changes nothing of the place", async () => {
    const before = await state();
    const who = people[name]!;
    const requests = PAGES.flatMap((pattern) => {
      const path = at(pattern, own);
      const post = (to: string, fields: Record<string, string>) => async () => shut(await who.post(to, fields), `${name} POST ${to}`);
      return [
        ...[path, `${path}.data`].map((one) => async () => shut(await who.get(one), `${name} GET ${one}`)),
        ...postsTo(pattern).map((fields) => post(path, fields)),
        // The guard and the action are those of the page: one form proves that they are asked.
        post(`${path}.data`, { intent: "save", role: "owner" }),
      ];
    });
    for (let i = 0; i < requests.length; i += 16) await Promise.all(requests.slice(i, i + 16).map((send) => send()));
    expect(await state()).toBe(before);
  });
});

describe.each(["reception", "billing"])("%s", (name) => {
  const MONEY = ["/clinic/:id/visits/:visitId/payment", "/clinic/:id/payments/:paymentId", "/clinic/:id/payments/:paymentId/refund"];
  const SETTLEMENTS = PAGES.filter((path) => path.startsWith("/clinic/:id/settlements"));
  // Who runs the queue has its screen and the code of the counter.
  const SCREEN = ["/clinic/:id/screen", "/clinic/:id/screen/poster"];
  const OPEN = [
    "/clinic/:id",
    "/clinic/:id/leave",
    "/clinic/:id/takings",
    ...(name === "reception" ? [...SCREEN, "/clinic/:id/results"] : []),
    ...MONEY,
    ...(name === "billing"
      ? ["/clinic/:id/takings.csv", "/clinic/:id/takings/months", "/clinic/:id/takings/months.csv", ...SETTLEMENTS]
      : []),
  ];
  it("sees the place, not its staff, and changes nothing", async () => {
    const before = await state();
    const who = people[name]!;
    const page = await who.get(`/clinic/${own.id}`);
    expect([page.status, page.text.includes(SECRET)]).toEqual([200, false]);
    for (const pattern of PAGES) {
      const path = at(pattern, own);
      if (!OPEN.includes(pattern)) shut(await who.get(path), `${name} GET ${path}`);
      if (pattern === "/clinic/:id/leave" || MONEY.includes(pattern)) continue;
      if (name === "reception" && SCREEN.includes(pattern)) continue;
      for (const fields of postsTo(pattern))
        expect((await who.post(path, fields)).status, `${name} POST ${path}`).toBeGreaterThanOrEqual(300);
    }
    for (const pattern of PAGES) shut(await who.get(at(pattern, other)), `${name} of another place`);
    expect(await state()).toBe(before);
  });
  it("sees the payments of appointments, and the takings only with the permission", async () => {
    const page = readable((await people[name]!.get(`/clinic/${own.id}/takings`)).text);
    expect(page).toContain(PATIENT);
    expect(page.includes("Received on this day")).toBe(name === "billing");
    for (const path of ["takings.csv", "takings/months", "takings/months.csv"])
      expect((await people[name]!.get(`/clinic/${own.id}/${path}`)).status, path).toBe(name === "billing" ? 200 : 403);
  });
});

describe("the owner", () => {
  it("opens every page of their place, and no page with a member of another place", async () => {
    for (const pattern of PAGES) expect((await people.owner!.get(at(pattern, own))).status, pattern).toBe(200);
    const stranger = other.owner.memberId;
    for (const path of [
      `/clinic/${own.id}/staff/${stranger}`,
      `/clinic/${own.id}/staff/${stranger}/end`,
      `/clinic/${own.id}/staff/nonsense`,
    ]) {
      expect((await people.owner!.get(path)).status, path).toBe(404);
      expect([400, 404, 405]).toContain((await people.owner!.post(path, { intent: "suspend" })).status);
    }
  });
});

it("doctors open no import and no export of a clinic or of each other in their own practice", async () => {
  for (const path of [`import/${ofImport}`, `import/${ofImport}/rows.csv`, `export/${ofExport}/file`, `register/${registered}`]) {
    expect((await people.doctor!.get(`/doctor/${path}`)).status, path).toBe(404);
    expect((await people.doctor!.post(`/doctor/${path}`, { intent: "discard" })).status, path).toBeGreaterThanOrEqual(400);
  }
});

it("staff open no page of patients, doctors, reviewers or administrators", async () => {
  for (const path of [
    "/patient-dashboard",
    "/patient/calendar",
    "/doctor-dashboard",
    "/doctor/appointments",
    "/reviewer",
    "/admin",
    "/admin/users",
  ]) {
    const answer = await people.reception!.get(path);
    expect([answer.status, answer.location], path).toEqual([303, "/desk"]);
    expect((await people.reception!.post(path, { intent: "x" })).status, path).toBeGreaterThanOrEqual(300);
  }
});

/**
 * Every page, record, file and its `.data` URL for users without permission. A route that is not classified here fails, and so
 * does an id in a path without a declared owner.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AreaName, homeOf, loginOf, rolesOf } from "#app/areas.ts";
import type { Role } from "#app/db/schema/index.ts";
import { book, bookedId, readable } from "../factories/booking.ts";
import { dayFromNow, makeDoctor, makeStaff, newPhone, type TestDoctor } from "../factories/people.ts";
import { asFile, photoWithPlace } from "../factories/pictures.ts";
import { MEMBERS, type MemberName, makeAccessWorld, STAFF_SECRET } from "../setup/access-world.ts";
import { type Answer, Browser, type Fields } from "../setup/http.ts";
import { GATE } from "../setup/long.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { ROUTES } from "../setup/routes.ts";
import { startServer, type TestServer } from "../setup/server.ts";
import { takeWrites, watchWrites } from "../setup/watch-writes.ts";

/** Paths with an id, and where its owner is tested: `here`, or that file. */
const OBJECTS: Record<string, string> = {
  "/webhooks/:provider": "tests/routes/online-payment.test.ts",
  "/webhooks/message/:provider": "tests/server/answers.test.ts",
  "/payments/return/:orderId": "tests/routes/online-payment.test.ts",
  "/q/:code": "tests/routes/token.test.ts",
  "/tv/:key": "tests/routes/screen.test.ts",
  "/arrive/:key": "tests/routes/arrive.test.ts",
  "/clinic/:id/screen": "tests/routes/clinic-access.test.ts",
  "/clinic/:id/screen/poster": "tests/routes/clinic-access.test.ts",
  "/calendar/:key": "tests/routes/calendar-feed.test.ts",
  "/clinic/:id/web": "tests/routes/clinic-access.test.ts",
  "/clinic/:id/import": "tests/routes/clinic-access.test.ts",
  "/clinic/:id/import/example.csv": "tests/routes/clinic-access.test.ts",
  "/clinic/:id/import/:importId": "tests/routes/clinic-access.test.ts",
  "/clinic/:id/import/:importId/rows.csv": "tests/routes/clinic-access.test.ts",
  "/clinic/:id/patients": "tests/routes/clinic-access.test.ts",
  "/clinic/:id/patients/:patientId": "tests/routes/clinic-access.test.ts",
  "/doctor/register/:patientId": "tests/routes/clinic-access.test.ts",
  "/clinic/:id/export": "tests/routes/clinic-access.test.ts",
  "/clinic/:id/export/:exportId/file": "tests/routes/clinic-access.test.ts",
  "/doctor/import/:importId": "tests/routes/clinic-access.test.ts",
  "/doctor/import/:importId/rows.csv": "tests/routes/clinic-access.test.ts",
  "/doctor/export/:exportId/file": "tests/routes/clinic-access.test.ts",
  "/clinic/:id/results": "tests/routes/place-results.test.ts",
  "/clinic/:id/webhooks": "tests/routes/clinic-access.test.ts",
  "/clinic/:id/webhooks/add": "tests/routes/clinic-access.test.ts",
  "/clinic/:id/webhooks/:hookId": "tests/routes/clinic-access.test.ts",
  "/clinic/:id/webhooks/:hookId/edit": "tests/routes/clinic-access.test.ts",
  "/clinic/:id/webhooks/:hookId/secret": "tests/routes/clinic-access.test.ts",
  "/clinic/:id/webhooks/:hookId/remove": "tests/routes/clinic-access.test.ts",
  "/h/:slug": "tests/routes/short-names.test.ts",
  "/h/:slug/poster": "tests/routes/short-names.test.ts",
  "/d/:slug": "tests/routes/short-names.test.ts",
  "/embed/:slug": "tests/routes/short-names.test.ts",
  "/rx/:code": "tests/routes/visit.test.ts",
  "/desk/day/:date": "tests/routes/desk.test.ts",
  "/doctor/visits/:id": "tests/routes/visit.test.ts",
  "/doctor/visits/:id/certificate": "tests/routes/visit.test.ts",
  "/doctor/visits/:id/order": "tests/routes/test-orders.test.ts",
  "/doctor/visits/:id/order/:documentId/result": "tests/routes/place-results.test.ts",
  "/doctor/visits/:id/draft": "tests/routes/visit.test.ts",
  "/doctor/visits/:id/review": "tests/routes/visit.test.ts",
  "/doctor/visits/:id/documents/:documentId": "tests/routes/visit.test.ts",
  "/patient/appointments/:id/documents/:documentId": "tests/routes/visit.test.ts",
  "/details/doctor/:id": "here",
  "/details/doctor/:id/contact.vcf": "tests/routes/directory.test.ts",
  "/details/:id": "tests/routes/directory.test.ts",
  "/details/:type/:id": "tests/routes/directory.test.ts",
  "/hospital/:id": "tests/routes/directory.test.ts",
  "/hospital/:id/doctors": "tests/routes/directory.test.ts",
  "/announcements/:id/dismiss": "tests/routes/announcements.test.ts",
  "/patient/appointments/:id": "here",
  "/patient/appointments/:id/calendar.ics": "tests/routes/appointment.test.ts",
  "/patient/appointments/:id/cancel": "here",
  "/patient/appointments/:id/reschedule": "here",
  "/patient/appointments/payment/:id": "here",
  "/patient/appointments/:id/review": "tests/routes/reviews.test.ts",
  "/patient/appointments/:id/review/take-back": "tests/routes/reviews.test.ts",
  "/patient/reviews/:id/report": "tests/routes/reviews.test.ts",
  "/doctor/reviews/:id/reply": "tests/routes/reviews.test.ts",
  "/patient/support/:id": "tests/routes/support.test.ts",
  "/account/support/:id": "tests/routes/support.test.ts",
  "/doctor/reviews/:id/report": "tests/routes/reviews.test.ts",
  "/doctor/appointments/:id/:action": "here",
  "/doctor/patient/:id/time": "tests/routes/proposals.test.ts",
  "/patient/appointments/:id/proposal": "tests/routes/proposals.test.ts",
  "/doctor/patient/:id": "here",
  "/doctor/patients/:id": "tests/routes/doctor-patients.test.ts",
  "/s/:key": "tests/routes/share-links.test.ts",
  "/s/:key/open": "tests/routes/share-links.test.ts",
  "/patient/records/share/:kind/:id": "tests/routes/share-links.test.ts",
  "/doctor/patients/:id/records": "tests/routes/sharing.test.ts",
  "/doctor/patients/:id/records/:documentId": "tests/routes/sharing.test.ts",
  "/desk/appointments/:id/move": "tests/routes/desk.test.ts",
  "/desk/appointments/:id/:action": "tests/routes/desk.test.ts",
  "/desk/messages/:id": "tests/routes/desk.test.ts",
  "/desk/queue/:sessionId/close": "tests/routes/queue.test.ts",
  "/desk/queue/:sessionId/slip/:entryId": "tests/routes/queue.test.ts",
  "/doctor/queue/:sessionId/close": "tests/routes/queue.test.ts",
  "/doctor/queue/:sessionId/slip/:entryId": "tests/routes/queue.test.ts",
  "/patient/records/:id/remove": "tests/routes/records.test.ts",
  "/patient/payments/:id": "tests/routes/money.test.ts",
  "/doctor/patient/:visitId/payment": "tests/routes/money.test.ts",
  "/doctor/payments/:paymentId": "tests/routes/money.test.ts",
  "/doctor/payments/:paymentId/refund": "tests/routes/money.test.ts",
  "/doctor/practices/:id": "tests/routes/practices.test.ts",
  "/doctor/practices/:id/hours": "tests/routes/practices.test.ts",
  "/doctor/practices/:id/keyword": "tests/routes/practices.test.ts",
  "/doctor/practices/:id/close": "tests/routes/practices.test.ts",
  "/doctor/leave/:id/end": "tests/routes/practices.test.ts",
  "/files/:id": "here",
  "/patient/family/:id": "tests/routes/family.test.ts",
  "/patient/family/:id/remove": "tests/routes/family.test.ts",
  "/photos/:fileId": "here",
  "/clinic/:id": "tests/routes/clinic-access.test.ts",
  "/clinic/:id/invite": "tests/routes/clinic-access.test.ts",
  "/clinic/:id/staff/:memberId": "tests/routes/clinic-access.test.ts",
  "/clinic/:id/staff/:memberId/end": "tests/routes/clinic-access.test.ts",
  "/clinic/:id/doctors": "tests/routes/clinic-access.test.ts",
  "/clinic/:id/doctors/:doctorId/remove": "tests/routes/clinic-access.test.ts",
  "/clinic/:id/figures": "tests/routes/clinic-access.test.ts",
  "/clinic/:id/figures.csv": "tests/routes/clinic-access.test.ts",
  "/clinic/:id/takings": "tests/routes/clinic-access.test.ts",
  "/clinic/:id/takings/months": "tests/routes/clinic-access.test.ts",
  "/clinic/:id/takings/months.csv": "tests/routes/clinic-access.test.ts",
  "/clinic/:id/payout-account": "tests/routes/payout-account.test.ts",
  "/clinic/:id/payout-account/change": "tests/routes/payout-account.test.ts",
  "/clinic/:id/settlements": "tests/routes/settlements.test.ts",
  "/clinic/:id/settlements.csv": "tests/routes/settlements.test.ts",
  "/clinic/:id/settlements/:settlementId": "tests/routes/settlements.test.ts",
  "/clinic/:id/settlements/:settlementId/lines.csv": "tests/routes/settlements.test.ts",
  "/doctor/settlements/:settlementId": "tests/routes/settlements.test.ts",
  "/doctor/settlements/:settlementId/lines.csv": "tests/routes/settlements.test.ts",
  "/admin/payments/settlements/:id": "tests/routes/settlements.test.ts",
  "/clinic/:id/refund-policy": "tests/routes/clinic-access.test.ts",
  "/clinic/:id/takings.csv": "tests/routes/clinic-access.test.ts",
  "/clinic/:id/visits/:visitId/payment": "tests/routes/clinic-access.test.ts",
  "/clinic/:id/payments/:paymentId": "tests/routes/clinic-access.test.ts",
  "/clinic/:id/payments/:paymentId/refund": "tests/routes/clinic-access.test.ts",
  "/clinic/:id/leave": "tests/routes/clinic-access.test.ts",
  "/cards/:kind/:id": "tests/routes/share-cards.test.ts",
  "/account/security/passkeys/:id/rename": "tests/routes/passkeys.test.ts",
  "/account/security/passkeys/:id/remove": "tests/routes/passkeys.test.ts",
};
/** Ids without an owner: a day, or a page of an area that the whole role may open. */
const SHARED = [
  /^\/sitemaps\/:name$/,
  /^\/doctor\/availability\/(change|delete)\/:date$/,
  /^\/doctor\/appointments\/day\/:date$/,
  /^\/(admin|reviewer|documents|invitation|join|confirm-email|forgot-password)\//,
  // The token of another user is tested on each call by tests/api/calls.test.ts.
  /^\/api\//,
];

/** Pages that the specification redirects elsewhere. */
const OWN_LOGIN: Record<string, string> = {
  "/doctor/ai-chat": "/doctor-verify",
  "/doctor/ai-chat/ask": "/doctor-verify",
  "/doctor/ai-chat/clear": "/doctor-verify",
  "/doctor/profile-view": "/doctor/login",
};

const ALL = ROUTES.filter((r) => r.pattern !== "/*");
const areaOf = (path: string) => ROUTES.find(({ pattern }) => pattern === path)?.area;

const UNKNOWN = "00000000-0000-4000-8000-000000000000";
const fill = (pattern: string) =>
  pattern.replace(
    /:(\w+)/g,
    (_, name: string) => ({ date: dayFromNow(3), action: "accept", number: "pan", token: "no-such-token" })[name] ?? UNKNOWN,
  );
const dataUrl = (path: string) => (path === "/" ? "/_root.data" : `${path.replace(/\/$/, "")}.data`);

let server: TestServer;
let doctorA: TestDoctor;
let visit: string;
let file: string;
/** Ids of the rows of patient A, doctor A and their place, by kind. */
let ids: Record<string, string>;
let placeName: string;
const SECRET = "Secretia Patientova";
const HISTORY = "Wolfram-Hart syndrome";
type Name = "visitor" | "patientA" | "patientB" | "doctorA" | "doctorB" | "suspended" | "draft" | "reviewer" | "admin" | MemberName;
const people = {} as Record<Name, Browser>;
const ROLE: Record<Name, Role | "visitor"> = {
  visitor: "visitor",
  patientA: "patient",
  patientB: "patient",
  doctorA: "doctor",
  doctorB: "doctor",
  suspended: "doctor",
  draft: "doctor",
  reviewer: "reviewer",
  admin: "admin",
  ...(Object.fromEntries(MEMBERS.map((name) => [name, "staff"])) as Record<MemberName, Role>),
};
const NAMES = Object.keys(ROLE) as Name[];

beforeAll(async () => {
  server = await startServer({ seed: false });
  const slot = { date: dayFromNow(4), time: "10:00" };
  const doctor = async (status: Parameters<typeof makeDoctor>[1]) => {
    const made = await makeDoctor(server.db, { slots: [slot], ...status });
    return { made, browser: await loginAs(server, { role: "doctor", email: made.email }) };
  };
  const [a, b, suspended, draft] = [
    await doctor({}),
    await doctor({}),
    await doctor({ status: "suspended" }),
    await doctor({ status: "draft" }),
  ];
  doctorA = a.made;
  const [reviewer, admin] = [await makeStaff(server.db, "reviewer"), await makeStaff(server.db, "admin")];
  const emailOf = async (id: string) => (await server.sql<{ email: string }[]>`select email from users where id = ${id}`)[0]!.email;
  Object.assign(people, {
    visitor: new Browser(server.url),
    patientA: await loginAs(server, { role: "patient", phone: newPhone() }),
    patientB: await loginAs(server, { role: "patient", phone: newPhone() }),
    doctorA: a.browser,
    doctorB: b.browser,
    suspended: suspended.browser,
    draft: draft.browser,
    reviewer: await loginAs(server, { role: "reviewer", email: await emailOf(reviewer.userId) }),
    admin: await loginAs(server, { role: "admin", email: await emailOf(admin.userId) }),
  });
  const answer = await book(people.patientA, doctorA.id, slot, { name: SECRET, medicalHistory: HISTORY }, [
    asFile(await photoWithPlace(), "scan.jpg"),
  ]);
  visit = bookedId(answer)!;
  [{ file_id: file }] = (await server.sql`select file_id from medical_records where appointment_id = ${visit}`) as unknown as [
    { file_id: string },
  ];
  const patientA = people.patientA as LoggedIn;
  const patient = { id: patientA.userId, phone: newPhone(), actor: { userId: patientA.userId, role: "patient" as const } };
  const world = await makeAccessWorld(server, { patient, doctor: doctorA, secret: SECRET });
  Object.assign(people, world.browsers);
  ids = { visit, file, ...world.ids };
  placeName = world.placeName;
  await watchWrites(server, { jobs: [] });
});
afterAll(() => server?.stop());

/** Returns everything that refused requests must not change. */
const state = async () =>
  (
    await server.sql`select md5(string_agg(t, '|' order by t)) as sum from (
      select to_json(a)::text t from appointments a union all select to_json(m)::text from medical_records m
      union all select to_json(s)::text from availability_slots s union all select to_json(d)::text from doctors d
      union all select to_json(r)::text from reviews r union all select to_json(p)::text from review_reports p
      union all select to_json(o)::text from practices o union all select to_json(l)::text from leaves l
      union all select to_json(n)::text from memberships n union all select to_json(c)::text from place_doctors c
      union all select to_json(k)::text from passkeys k union all select to_json(h)::text from family_members h
      union all select to_json(w)::text from wallet_entries w union all select to_json(y)::text from payments y
      union all select to_json(z)::text from record_permissions z
      union all select to_json(v)::text from record_shares v
      union all select to_json(u)::text from users u union all select to_json(f)::text from files f) all_rows`
  )[0]?.sum;
const shut = (answer: Answer, what: string) => {
  expect(answer.text, what).not.toContain(SECRET);
  expect(answer.text, what).not.toContain(HISTORY);
  expect(answer.text, what).not.toContain(STAFF_SECRET);
};

describe("the list of routes", () => {
  it("names an owner for every id in a path", () => {
    const unclear = ALL.map((r) => r.pattern).filter((p) => p.includes(":") && !OBJECTS[p] && !SHARED.some((shared) => shared.test(p)));
    expect(unclear).toEqual([]);
    const gone = Object.keys(OBJECTS).filter((p) => !ALL.some((r) => r.pattern === p));
    expect(gone).toEqual([]);
  });
});

const mayEnter = (name: Name, area: AreaName) => {
  const role = ROLE[name];
  return role !== "visitor" && (rolesOf(area)?.includes(role) ?? true);
};
const inBatches = async <T>(items: readonly T[], work: (item: T) => Promise<void>, size = 16) => {
  for (let i = 0; i < items.length; i += size) await Promise.all(items.slice(i, i + size).map(work));
};

describe("role areas", () => {
  const guarded = ALL.filter(({ area }) => rolesOf(area));
  // The guard of each route is proved without a server (app/routes.test.ts): `npm test` asks one with and one without an id of each frame.
  const frameOf = (pattern: string) => `${areaOf(pattern)} ${pattern.split("/")[1]} ${pattern.includes(":")}`;
  const asked = guarded.filter(({ pattern }, i) => !GATE || guarded.findIndex((one) => frameOf(one.pattern) === frameOf(pattern)) === i);

  // The other members have the same role: they are in the matrix below.
  const oneOfEach = NAMES.filter((name) => ROLE[name] !== "staff" || name === "reception" || name === "endedMember");
  it.each(oneOfEach)("%s opens their own area only: pages, data and posts", async (name) => {
    const browser = people[name];
    const before = await state();
    await inBatches(asked, async ({ pattern, area, id }) => {
      if (mayEnter(name, area)) return;
      const path = fill(pattern);
      const what = `${name} ${pattern}`;
      const page = await browser.get(path);
      shut(page, what);
      expect(page.status, what).toBe(303);
      if (name === "visitor") {
        const login = loginOf(rolesOf(area)![0]);
        expect(page.location, what).toBe(OWN_LOGIN[pattern] ?? `${login}?redirectTo=${encodeURIComponent(path)}`);
      } else expect(page.location, what).toBe(homeOf(ROLE[name] as Role));

      for (const data of [dataUrl(path), `${dataUrl(path)}?_routes=${encodeURIComponent(id)}`, `${dataUrl(path)}?index`]) {
        const answer = await browser.get(data);
        shut(answer, `${what} ${data}`);
        expect(answer.status === 202 || answer.status >= 300, `${what} ${data} ${answer.status}`).toBe(true);
        expect(answer.status, what).toBeLessThan(500);
      }
      for (const target of [path, dataUrl(path)]) {
        const answer = await browser.post(target, { intent: "book", id: visit, method: "clinic", date: dayFromNow(5), time: "10:00" });
        shut(answer, `POST ${what}`);
        // 202 is the redirect of a data request.
        const refused = [202, 303, 400, 403, 404, 405].includes(answer.status);
        expect(refused, `POST ${what} ${target} ${answer.status}`).toBe(true);
      }
    });
    expect(await state()).toBe(before);
  });

  it.each(["suspended", "draft"] as const)("a doctor who is %s opens no page with patients", async (name) => {
    const closed = guarded.filter((r) => /^\/doctor\/|^\/doctor-dashboard$/.test(r.pattern));
    expect(closed.length).toBeGreaterThan(8);
    const before = await state();
    for (const { pattern } of closed) {
      for (const path of new Set([...(GATE ? [] : [fill(pattern)]), fill(pattern).replace(UNKNOWN, visit)])) {
        const page = await people[name].get(path);
        shut(page, path);
        expect([303, 403, 404], path).toContain(page.status);
        const data = await people[name].get(dataUrl(path));
        shut(data, path);
        expect(data.status === 202 || data.status >= 300, path).toBe(true);
        expect((await people[name].post(path, {})).status, path).toBeGreaterThanOrEqual(300);
      }
    }
    expect(await state()).toBe(before);
  });

  it("opens each role's own pages", async () => {
    for (const [name, paths] of [
      ["patientA", ["/patient-dashboard", "/patient/calendar", "/patient/profile", "/patient/notifications"]],
      ["doctorA", ["/doctor-dashboard", "/doctor/appointments", "/doctor/profile", "/doctor/availability"]],
      ["reviewer", ["/reviewer"]],
      ["admin", ["/admin"]],
    ] as const)
      for (const path of paths) expect((await people[name].get(path)).status, `${name} ${path}`).toBe(200);
  });
});

/**
 * Generated from the table of routes: each route with ids × the rows of patient A, doctor A and their place × every user who owns none of
 * them. A new route is in it by itself. A new kind of row belongs into tests/setup/access-world.ts.
 */
describe("the matrix of routes, rows and users", () => {
  const OWNERS: Partial<Record<AreaName, readonly Name[]>> = {
    patient: ["patientA"],
    patientOrDoctor: ["patientA"],
    doctor: ["doctorA"],
    applicant: ["doctorA"],
    application: ["doctorA"],
    clinic: ["owner", "reception", "billing"],
    desk: ["owner", "reception", "billing"],
    account: ["doctorA", "admin"],
    document: ["doctorA", "admin"],
    reviewer: ["reviewer"],
    admin: ["admin"],
  };
  /** A patient may report a review that everybody reads. */
  const OPEN: Partial<Record<string, readonly Name[]>> = { "/patient/reviews/:id/report": ["patientB"] };
  const WORDS: Record<string, string> = { date: dayFromNow(3), action: "accept", number: "pan", token: "no-such-token" };
  const guarded = ALL.filter(({ area }) => area in OWNERS);
  const FORMS: Fields[] = [
    {},
    { intent: "save", role: "owner" },
    { intent: "enter", reason: "busy", method: "clinic", date: dayFromNow(4), time: "10:00" },
  ];

  let withRows = 0;

  /** Every way to fill the ids of a path with the rows. None for a row of a kind that this world does not have. */
  const paths = (pattern: string): string[] => {
    const [, name] = /:(\w+)/.exec(pattern) ?? [];
    if (!name) return [pattern];
    const kind = pattern.startsWith("/clinic/:id") ? "place" : name.replace(/Id$/, "");
    const values = name in WORDS ? [WORDS[name]!] : kind in ids ? [ids[kind]!] : name === "id" ? Object.values(ids) : [];
    return values.flatMap((value) => paths(pattern.replace(`:${name}`, value)));
  };
  const refused = (answer: Answer, what: string) => {
    shut(answer, what);
    expect(answer.text, what).not.toContain(placeName);
    // 202 is the redirect of a data request.
    expect([202, 303, 400, 403, 404, 405], `${what}: ${answer.status}`).toContain(answer.status);
  };

  it.each(guarded.filter(({ pattern }) => pattern.includes(":")).map(({ pattern }) => pattern))(
    "%s opens for no stranger",
    async (pattern) => {
      const { area } = guarded.find((route) => route.pattern === pattern)!;
      const owners = OWNERS[area]!;
      const found = new Set<string>();
      await takeWrites(server);
      const open = async (path: string) => {
        // One row is enough for `npm test`.
        if (GATE && found.size) return;
        if ((await people[owners[0]!].get(path)).status === 200) found.add(path);
      };
      await inBatches(paths(pattern), open, 4);
      expect(await takeWrites(server), `rows that GET ${pattern} wrote`).toEqual([]);
      if (found.size) withRows++;
      if (OBJECTS[pattern] === "here") expect(found.size, `a row of ${pattern} in access-world.ts`).toBeGreaterThan(0);
      const before = await state();
      // A page of a day, for instance, is each doctor's own.
      const isShared = [...pattern.matchAll(/:(\w+)/g)].every(([, param]) => param! in WORDS);
      const strangers = NAMES.filter(
        (name) => !owners.includes(name) && !OPEN[pattern]?.includes(name) && !(isShared && rolesOf(area)!.includes(ROLE[name] as Role)),
      );
      // Who may not enter the area is refused by its guard, which is proved without a server: `npm test` asks those who may.
      const asked = strangers.filter((name) => !GATE || mayEnter(name, area));
      const requests = [...found].flatMap((path) => asked.map((name) => ({ path, name })));
      await inBatches(requests, async ({ path, name }) => {
        const who = people[name];
        refused(await who.get(path), `${name} GET ${pattern} ${path}`);
        // The loader is that of the page: `npm test` asks once.
        if (!GATE) refused(await who.get(dataUrl(path)), `${name} GET ${pattern} .data`);
        // One form is enough for a missing check of the owner.
        for (const fields of GATE ? FORMS.slice(1, 2) : FORMS) refused(await who.post(path, fields), `${name} POST ${pattern}`);
        if (!GATE) refused(await who.post(dataUrl(path), FORMS[1]), `${name} POST ${pattern} .data`);
      });
      expect(await state(), pattern).toBe(before);
    },
  );

  it("has rows for most routes", () => expect(withRows).toBeGreaterThan(35));

  it("lists none of these rows on the own pages of others", async () => {
    const plain = ALL.filter(({ pattern, area }) => !pattern.includes(":") && (area in OWNERS || area === "login"));
    const requests = plain.flatMap(({ pattern, area }) =>
      NAMES.filter((name) => !(OWNERS[area] ?? []).includes(name) && name !== "doctorA" && name !== "patientA")
        // Others are sent away, which is proved above.
        .filter((name) => !GATE || area === "login" || mayEnter(name, area))
        .map((name) => ({ pattern, name })),
    );
    await inBatches(requests, async ({ pattern, name }) => {
      if (pattern === "/logout") return;
      const page = await people[name].get(pattern);
      shut(page, `${name} ${pattern}`);
      expect(page.status, `${name} ${pattern}`).toBeLessThan(500);
    });
  });

  it("opens the place for its members only as far as their role goes", async () => {
    const staffPages = ["/clinic/:id/invite", "/clinic/:id/staff/:memberId", "/clinic/:id/staff/:memberId/end", "/clinic/:id/doctors"];
    const at = (pattern: string) => pattern.replace(":id", ids.place!).replace(":memberId", ids.member!);
    for (const pattern of staffPages) {
      expect((await people.owner.get(at(pattern))).status, pattern).toBe(200);
      for (const name of ["reception", "billing"] as const) refused(await people[name].get(at(pattern)), `${name} ${pattern}`);
    }
    for (const name of ["owner", "reception", "billing"] as const)
      expect((await people[name].get(`/clinic/${ids.place}`)).status, name).toBe(200);
  });
});

describe("public pages", () => {
  it("are open without a login and without cookies, and show no user's name", async () => {
    for (const path of [
      "/",
      "/choose-role",
      "/patient/emergency-contact",
      "/doctorspages/Cards-data",
      `/details/doctor/${doctorA.id}`,
      "/dual-patient",
      "/dual-doctor",
    ]) {
      const answer = await new Browser(server.url).get(path);
      expect(answer.status, path).toBe(200);
      shut(answer, path);
    }
  });
  it("an unverified doctor is not found, like an unknown one", async () => {
    const [row] = await server.sql`select id from doctors where registration_status = 'suspended'`;
    const [hidden, unknown] = [
      await people.visitor.get(`/details/doctor/${row!.id}`),
      await people.visitor.get(`/details/doctor/${UNKNOWN}`),
    ];
    expect(hidden.status).toBe(404);
    expect(readable(hidden.text)).toBe(readable(unknown.text));
    for (const id of ["1", "nonsense", `${UNKNOWN}x`, "%27%20or%201=1"])
      expect((await people.visitor.get(`/details/doctor/${id}`)).status, id).toBe(404);
  });
});

/**
 * Responses as an unauthorized user sees them: they must be equal for an existing and an unknown id. The seconds that the session has left are of
 * the request.
 */
const looks = (answer: Answer) => ({
  status: answer.status,
  location: answer.location,
  text: readable(answer.text)
    .replaceAll(visit, "…")
    .replaceAll(file, "…")
    .replaceAll(UNKNOWN, "…")
    .replaceAll(/("left",)\d+/g, "$1…"),
});

describe("another user's record is not found", () => {
  const cases: [string, (id: string) => string, Name[]][] = [
    ["cancelling", (id) => `/patient/appointments/${id}/cancel`, ["patientB"]],
    ["moving", (id) => `/patient/appointments/${id}/reschedule`, ["patientB"]],
    ["opening", (id) => `/patient/appointments/${id}`, ["patientB"]],
    ["paying", (id) => `/patient/appointments/payment/${id}`, ["patientB"]],
    ["reading", (id) => `/doctor/patient/${id}`, ["doctorB"]],
    ["accepting", (id) => `/doctor/appointments/${id}/accept`, ["doctorB"]],
    ["completing", (id) => `/doctor/appointments/${id}/complete`, ["doctorB"]],
    ["undoing", (id) => `/doctor/appointments/${id}/undo-complete`, ["doctorB"]],
    ["calling off", (id) => `/doctor/appointments/${id}/cancel`, ["doctorB"]],
  ];
  it.each(cases)("%s", async (_, at, strangers) => {
    const before = await state();
    for (const name of strangers) {
      const browser = people[name];
      const fields = { method: "clinic", date: dayFromNow(4), time: "10:00" };
      const [theirs, unknown] = [await browser.get(at(visit)), await browser.get(at(UNKNOWN))];
      expect(theirs.status).toBe(404);
      expect(looks(theirs)).toEqual(looks(unknown));
      const [data, unknownData] = [await browser.get(dataUrl(at(visit))), await browser.get(dataUrl(at(UNKNOWN)))];
      expect(data.status).toBe(404);
      expect(looks(data)).toEqual(looks(unknownData));
      shut(data, at(visit));
      for (const path of [at(visit), dataUrl(at(visit))]) {
        const posted = await browser.post(path, fields);
        // 405: a read-only page has no action.
        expect([404, 405], path).toContain(posted.status);
        shut(posted, path);
      }
      expect(looks(await browser.post(at(visit), fields))).toEqual(looks(await browser.post(at(UNKNOWN), fields)));
      for (const id of ["1", "nonsense", `${visit}0`, "%27%20or%20%271%27=%271", "..%2f..%2fetc"]) {
        expect((await browser.get(at(id))).status, id).toBe(404);
        expect([404, 405], id).toContain((await browser.post(at(id), fields)).status);
      }
    }
    expect(await state()).toBe(before);
  });
  it("the owner gets it", async () => {
    for (const path of [
      `/patient/appointments/${visit}/cancel`,
      `/patient/appointments/${visit}/reschedule`,
      `/patient/appointments/payment/${visit}`,
      `/patient/appointments/${visit}`,
    ])
      expect((await people.patientA.get(path)).status, path).toBe(200);
    const page = await people.doctorA.get(`/doctor/patient/${visit}`);
    expect(readable(page.text)).toContain(SECRET);
    expect(readable(page.text)).toContain(HISTORY);
  });
  it("an unknown action of a doctor is not found", async () => {
    for (const action of ["reschedule", "nonsense", "constructor", "__proto__"]) {
      expect((await people.doctorA.get(`/doctor/appointments/${visit}/${action}`)).status, action).toBe(404);
      expect((await people.doctorA.post(`/doctor/appointments/${visit}/${action}`)).status, action).toBe(404);
    }
  });
  it("a patient's pages list their own visits only", async () => {
    for (const name of ["patientB", "doctorB"] as const)
      for (const path of name === "patientB"
        ? ["/patient/calendar", "/patient-dashboard", "/patient/notifications"]
        : ["/doctor/appointments", "/doctor-dashboard", "/doctor/notifications"])
        shut(await people[name].get(path), `${name} ${path}`);
  });
});

describe("files", () => {
  it("open for the owner and the doctor of the visit only", async () => {
    for (const name of NAMES) {
      const answer = await people[name].get(`/files/${file}`);
      const may = name === "patientA" || name === "doctorA";
      expect(answer.status, name).toBe(may ? 200 : 404);
      if (!may) expect(looks(answer), name).toEqual(looks(await people[name].get(`/files/${UNKNOWN}`)));
      for (const path of [...(may ? [] : [`/files/${file}.data`]), `/photos/${file}`, `/documents/${file}`]) {
        const other = await people[name].get(path);
        expect(other.status === 404 || other.status === 303 || other.status === 202, `${name} ${path} ${other.status}`).toBe(true);
        expect(other.headers.get("content-type") ?? "", path).not.toContain("image/");
      }
    }
    for (const id of ["1", "nonsense", `${file}.jpg`, "..%2f..%2fsecrets.json"])
      expect((await people.patientA.get(`/files/${id}`)).status, id).toBe(404);
  });
  it("are refused to a suspended doctor", async () => {
    await server.sql`update doctors set registration_status = 'suspended' where id = ${doctorA.id}`;
    try {
      expect((await people.doctorA.get(`/files/${file}`)).status).toBe(404);
      expect((await people.doctorA.get(`/doctor/patient/${visit}`)).status).toBe(303);
    } finally {
      await server.sql`update doctors set registration_status = 'verified' where id = ${doctorA.id}`;
    }
    expect((await people.doctorA.get(`/files/${file}`)).status).toBe(200);
  });
  it("an upload that is not booked yet opens for its owner only", async () => {
    await book(people.patientB, doctorA.id, { date: dayFromNow(4), time: "10:30" }, { intent: "add" }, [
      asFile(await photoWithPlace(), "draft.jpg"),
    ]);
    const [pending] = await server.sql`select id from files where owner_id = ${(people.patientB as LoggedIn).userId}`;
    expect((await people.patientB.get(`/files/${pending!.id}`)).status).toBe(200);
    for (const name of ["doctorA", "patientA", "visitor"] as const)
      expect((await people[name].get(`/files/${pending!.id}`)).status, name).toBe(404);
  });
});

/** Refused accesses and failed logins in the audit log: with their result, limited in number, and without private data. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { LIMITS } from "#app/domains/platform/limits/limits.ts";
import { Authenticator } from "../factories/authenticator.ts";
import { readable } from "../factories/booking.ts";
import { makeAdmin } from "../factories/cases.ts";
import { askCode, Caller, newAddress, pressContinue, proveDoctorPhone, sendDoctorOtp, tryCode, wrongCode } from "../factories/logins.ts";
import { dayFromNow, makeDoctor, makePatient, makeVisit, newEmail, newPhone, type Person, type TestDoctor } from "../factories/people.ts";
import type { Browser } from "../setup/http.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

const PASSWORD = "corréct-horse-9";
const WRONG_PASSWORD = "canary-pässword-1";
type Row = {
  id: string;
  actor_id: string | null;
  actor_role: string;
  subject_type: string;
  subject_id: string;
  details: Record<string, string>;
};

let server: TestServer;
let owner: Person;
let other: LoggedIn;
let doctor: TestDoctor;
let visit: string;
let offset = 0;
beforeAll(async () => {
  server = await startServer({ seed: false, env: { TRUST_PROXY: "1" } });
  owner = await makePatient(server.db, { name: "Owner Patient" });
  other = await loginAs(server, { role: "patient", phone: (await makePatient(server.db)).phone });
  doctor = await makeDoctor(server.db, { password: PASSWORD, slots: [{ date: dayFromNow(4), time: "10:00" }] });
  visit = await makeVisit(server.db, { patient: owner, doctor }, { date: dayFromNow(4), time: "10:00" });
});
afterAll(() => server?.stop());
// Every test has an hour of its own: earlier limits have expired.
beforeEach(() => {
  offset += 2 * 3_600_000;
  server.clock.set(offset);
});

const caller = () => new Caller(server.url, newAddress());
let seen = "0";
const read = () =>
  server.sql<Row[]>`select id::text, actor_id, actor_role, subject_type, subject_id, details from audit_log
    where action in ('refuse-access', 'fail-login') and id > ${seen} order by id`;
/** Returns the rows of what `work` did. Rows are written in the background, so a later refusal of another user is awaited. */
async function rowsOf(work: () => Promise<unknown>): Promise<Row[]> {
  await work();
  const last = await loginAs(server, { role: "patient", phone: newPhone() });
  await last.get(`/patient/appointments/${visit}/cancel`);
  const mine = (rows: Row[]) => rows.findIndex((row) => row.actor_id === last.userId);
  await expect.poll(async () => mine(await read()), { timeout: 20_000 }).toBeGreaterThanOrEqual(0);
  const rows = await read();
  seen = rows.at(-1)!.id;
  return rows.filter((row) => row.actor_id !== last.userId);
}

describe("a refused request", () => {
  it("logs the record of another user that a page or form answers with 404", async () => {
    const rows = await rowsOf(async () => {
      expect((await other.get(`/patient/appointments/${visit}/cancel`)).status).toBe(404);
    });
    expect(rows).toMatchObject([
      {
        actor_id: other.userId,
        actor_role: "patient",
        subject_type: "appointment",
        subject_id: visit,
        details: { result: "not-found", page: "/patient/appointments/:id/cancel" },
      },
    ]);
  });

  it("logs the record behind the address of a file, and no unknown record or visitor", async () => {
    const rows = await rowsOf(async () => {
      for (const id of [visit, crypto.randomUUID()]) expect((await other.get(`/files/${id}`)).status).toBe(404);
      expect((await caller().get(`/files/${visit}`)).status).toBe(404);
    });
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ subject_type: "appointment", details: { result: "not-found", page: "/files/:id" } });
  });

  it("logs the page of another role, and a form sent to it", async () => {
    const rows = await rowsOf(async () => {
      await other.get("/admin/audit?person=9812345678");
      expect((await other.post("/reviewer", { x: "1" })).status).toBe(403);
    });
    expect(rows.map(({ subject_type, subject_id, details }) => [subject_type, subject_id, details.result])).toEqual([
      ["page", "/admin/audit", "wrong-role"],
      ["page", "/reviewer", "wrong-role"],
    ]);
  });

  it("logs the call of another role and another user's record", async () => {
    const call = (path: string, method = "GET", body?: unknown) =>
      fetch(server.url + path, {
        method,
        headers: { authorization: `Bearer ${other.token}`, ...(body ? { "content-type": "application/json" } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
    await server.sql`update sessions set kind = 'api' where user_id = ${other.userId}`;
    let rows: Row[];
    try {
      rows = await rowsOf(async () => {
        expect((await call("/api/doctor/profile")).status).toBe(403);
        expect((await call(`/api/files/${visit}`)).status).toBe(404);
      });
    } finally {
      await server.sql`update sessions set kind = 'browser' where user_id = ${other.userId}`;
    }
    // The log is written after the answers, so in any order.
    expect(new Set(rows.map(({ subject_type, details }) => `${subject_type} ${details.result} ${details.page}`))).toEqual(
      new Set(["page wrong-role GET /api/doctor/profile", "appointment not-found GET /api/files/{id}"]),
    );
  });

  it("is not shown to the patient whose record it was", async () => {
    await rowsOf(() => other.get(`/patient/appointments/${visit}/reschedule`));
    const page = await (await loginAs(server, { role: "patient", phone: owner.phone })).get("/patient/data/opened");
    expect(page.status).toBe(200);
    expect(await server.sql`select from audit_log where person_id is not null and action in ('refuse-access', 'fail-login')`).toHaveLength(
      0,
    );
    expect(readable(page.text)).not.toMatch(/refus|opened your (appointment|document|photo)/i);
  });
});

describe("a failed login", () => {
  const results = (rows: Row[]) => rows.map(({ details }) => details.result);

  it("of a patient: a wrong code, a used-up code, a disabled account", async () => {
    const patient = await makePatient(server.db);
    const browser = caller();
    const code = await askCode(server, browser, patient.phone);
    let rows = await rowsOf(() => tryCode(browser, wrongCode(code)));
    expect(rows).toMatchObject([
      {
        actor_id: null,
        actor_role: "visitor",
        subject_type: "user",
        subject_id: patient.id,
        details: { result: "wrong-code", purpose: "patient-login" },
      },
    ]);
    rows = await rowsOf(async () => {
      for (let i = 2; i <= 6; i++) await tryCode(browser, wrongCode(code, i));
    });
    expect(results(rows)).toEqual(["wrong-code", "wrong-code", "used-up-code"]);

    const disabled = await makePatient(server.db);
    const second = caller();
    const right = await askCode(server, second, disabled.phone);
    await server.sql`update users set status = 'disabled' where id = ${disabled.id}`;
    expect(results(await rowsOf(() => tryCode(second, right)))).toEqual(["disabled-account"]);
  });

  it("of a doctor: a wrong password, checked at once or later, no account, a disabled account", async () => {
    const as = (password: string, email = doctor.email) => ({ email, password, mobile: doctor.phone });
    const browser = caller();
    const rows = await rowsOf(() => proveDoctorPhone(server, browser, as(WRONG_PASSWORD)));
    expect(rows).toMatchObject([
      { subject_type: "user", subject_id: doctor.id, details: { result: "wrong-password", purpose: "doctor-login" } },
    ]);
    await pressContinue(browser);
    expect(results(await rowsOf(() => browser.post("/dual-doctor", { intent: "continue", password: WRONG_PASSWORD })))).toEqual([
      "wrong-password",
    ]);
    const email = newEmail();
    const phone = newPhone();
    const [none] = await rowsOf(() => sendDoctorOtp(caller(), { email, password: WRONG_PASSWORD, mobile: phone }));
    expect(none).toMatchObject({ subject_type: "login", details: { result: "no-account" } });
    expect(none!.subject_id).toMatch(/^[0-9a-f]{24}$/);

    const third = await makeDoctor(server.db, { password: PASSWORD });
    const last = caller();
    await proveDoctorPhone(server, last, { email: third.email, password: PASSWORD, mobile: third.phone });
    await server.sql`update users set status = 'disabled' where id = ${third.id}`;
    expect(results(await rowsOf(() => pressContinue(last)))).toEqual(["disabled-account"]);
  });
});

describe("a failed login", () => {
  it("with an expired code is recorded as such", async () => {
    const patient = await makePatient(server.db);
    const browser = caller();
    const code = await askCode(server, browser, patient.phone);
    server.clock.set(offset + 121_000);
    const rows = await rowsOf(() => tryCode(browser, code));
    expect(rows).toMatchObject([
      {
        actor_id: null,
        actor_role: "visitor",
        subject_type: "user",
        subject_id: patient.id,
        details: { result: "expired-code", purpose: "patient-login" },
      },
    ]);
  });

  it("with a passkey logs the account of the passkey, and the user who confirmed with another's", async () => {
    const [mine, theirs] = [await withPasskey(), await withPasskey()];
    const visitor = caller();
    const failed = await rowsOf(async () => {
      const options = await optionsFor(visitor, "login");
      const forged = mine.authenticator.get(options, { forged: true });
      expect((await visitor.post("/dual-doctor/passkey", { credential: forged })).status).toBe(400);
    });
    expect(failed).toMatchObject([
      { actor_id: null, subject_type: "user", subject_id: mine.who.userId, details: { result: "failed-passkey", purpose: "doctor-login" } },
    ]);
    const confirmed = await rowsOf(async () => {
      const later = await loginAs(server, { role: "admin", email: mine.email }, { proven: false });
      const options = await optionsFor(later, "confirm");
      const credential = theirs.authenticator.get(options);
      const answer = await later.post("/confirm-identity?next=/admin", { intent: "passkey", credential });
      expect(answer.status).toBe(400);
    });
    expect(confirmed).toMatchObject([
      {
        actor_id: mine.who.userId,
        subject_id: theirs.who.userId,
        details: { result: "failed-passkey", purpose: "confirm-identity" },
      },
    ]);
  });

  async function optionsFor(browser: Browser, purpose: string) {
    const answer = await browser.post("/passkey-options", { purpose });
    return (JSON.parse(answer.text) as { options: { challenge: string; user: { id: string } } }).options;
  }
  async function withPasskey() {
    const made = await makeAdmin(server.db);
    const who = await loginAs(server, made);
    const authenticator = new Authenticator(server.url);
    const credential = authenticator.create(await optionsFor(who, "add"));
    expect((await who.post("/account/security/passkeys/add", { name: "Mine", credential })).status).toBe(303);
    return { who, email: made.email, authenticator };
  }
});

describe("the log", () => {
  it("stores a few rows of a flood", async () => {
    const same = await rowsOf(async () => {
      for (let i = 0; i < 12; i++) await other.get(`/patient/appointments/${visit}/cancel`);
    });
    expect(same).toHaveLength(LIMITS["audit-refused-same"].max);
    const login = await rowsOf(async () => {
      const browser = caller();
      for (let i = 0; i < 5; i++) {
        offset += 40_000;
        server.clock.set(offset);
        const sent = await sendDoctorOtp(browser, { email: doctor.email, password: WRONG_PASSWORD, mobile: doctor.phone });
        expect(sent.status).toBe(303);
      }
    });
    expect(login).toHaveLength(LIMITS["audit-refused-same"].max);
    // Every address has a few rows, and the account has a limit over all of them.
    const [{ count }] =
      (await server.sql`select count(*)::int from audit_log where action = 'fail-login' and subject_id = ${doctor.id}`) as [
        { count: number },
      ];
    expect(count).toBeLessThanOrEqual(LIMITS["audit-refused-subject"].max);
  });

  it("has no phone, email, password or code", async () => {
    const rows = await server.sql`select subject_id, details::text from audit_log where action in ('refuse-access', 'fail-login')`;
    expect(rows.length).toBeGreaterThan(10);
    const text = JSON.stringify(rows);
    expect(text).not.toContain("canary");
    expect(text).not.toContain("@");
    expect(text).not.toContain("98123");
    expect(text).not.toMatch(/\+91|"\d{6}"/);
  });

  it("shows administrators the result in words, and filters by it", async () => {
    const admin = await loginAs(server, await makeAdmin(server.db));
    const list = async (query: string) =>
      readable(/<tbody>[\s\S]*<\/tbody>/.exec((await admin.get(`/admin/audit?${query}`)).text)?.[0] ?? "");
    const wrong = await list("result=wrong-code");
    expect(wrong).toContain("Failed to log in or confirm identity");
    expect(wrong).toContain("Wrong code");
    expect(wrong).toContain("Not logged in");
    expect(wrong).not.toContain("Wrong password");
    expect(await list("result=wrong-role")).toContain("Page or call for another role");
    for (const query of ["result=constructor", "result=__proto__", "result=nonsense"])
      expect((await admin.get(`/admin/audit?${query}`)).status).toBe(200);
    for (const lang of ["te", "hi"])
      expect((await admin.get(`/admin/audit?result=wrong-code&lang=${lang}`)).text).not.toContain("Wrong code");
  });
});

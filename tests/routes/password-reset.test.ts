/** A forgotten password: a link by email and a code by SMS, for existing and unknown accounts. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { hashPassword, verifyPassword } from "#app/domains/platform/accounts/passwords.server.ts";
import { tokenFor } from "../api/people.ts";
import { readable } from "../factories/booking.ts";
import { Caller, newAddress, wrongCode } from "../factories/logins.ts";
import { makeDoctor, makeStaff, newEmail, newPhone, typed } from "../factories/people.ts";
import { loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

const NEW = "four quiet mango trees";
const HOUR = 3_600_000;
let server: TestServer;
let offset = 0;
beforeAll(async () => {
  server = await startServer({ seed: false, env: { TRUST_PROXY: "1" } });
});
afterAll(() => server?.stop());
// Each test has its own hour, so that no limit carries over.
beforeEach(() => {
  offset += 3 * HOUR;
  server.clock.set(offset);
});

type Who = { id: string; email: string; phone: string };
const browser = () => new Caller(server.url, newAddress());
const ask = (who: Pick<Who, "email" | "phone">, from = browser()) =>
  from.post("/forgot-password", { email: who.email, mobile: typed(who.phone) });
const sentTo = async (to: string) => (await server.outbox(to)).map(({ body }) => body);

async function staff(role: "reviewer" | "admin" | "staff"): Promise<Who> {
  const { userId: id } = await makeStaff(server.db, role);
  const [row] = await server.sql<{ email: string; phone: string }[]>`select email, phone from users where id = ${id}`;
  return { id, ...row! };
}
async function doctor(): Promise<Who> {
  const made = await makeDoctor(server.db, {});
  return { id: made.id, email: made.email, phone: made.phone };
}

/** Requests a new password, and returns the path of the link and the code. */
async function requestLink(who: Who): Promise<{ path: string; code: string }> {
  expect((await ask(who)).status).toBe(303);
  const isThere = async () => (await sentTo(who.email))[0]?.match(/\/forgot-password\/[\w-]+/)?.[0];
  await expect.poll(isThere, { timeout: 15_000 }).toBeTruthy();
  return { path: (await isThere())!, code: await server.lastCode(who.phone) };
}
const send = (path: string, code: string, password = NEW, from = browser()) =>
  from.post(path, { intent: "reset", otp: code, newPassword: password, confirmPassword: password });
const hashOf = async (id: string) =>
  (await server.sql<{ password_hash: string | null }[]>`select password_hash from users where id = ${id}`)[0]!.password_hash;
const hasPassword = async (id: string, password: string) => verifyPassword(await hashOf(id), password);

describe("requesting a link", () => {
  it("answers the same with and without an account, and sends nothing without one", async () => {
    const known = await doctor();
    const unknown = { email: newEmail(), phone: newPhone() };
    const mixed = { email: known.email, phone: newPhone() };
    const pages = [];
    for (const who of [known, unknown, mixed]) {
      const from = browser();
      const answer = await ask(who, from);
      pages.push([answer.status, answer.location, (await from.follow(answer)).text.replace(/nonce="[^"]*"/g, "")]);
    }
    expect(pages[1]).toEqual(pages[0]);
    expect(pages[2]).toEqual(pages[0]);
    await expect.poll(() => sentTo(known.email), { timeout: 15_000 }).toHaveLength(1);
    expect(await sentTo(unknown.email)).toEqual([]);
    expect(await sentTo(unknown.phone)).toEqual([]);
    expect(await sentTo(mixed.phone)).toEqual([]);
    expect(await sentTo(known.phone)).toHaveLength(1);
    const left = () => server.sql`select 1 from password_resets where email = ${unknown.email} or phone = ${mixed.phone}`;
    await expect.poll(left, { timeout: 15_000 }).toEqual([]);
    expect(await sentTo(mixed.phone)).toEqual([]);
    expect(await sentTo(unknown.email)).toEqual([]);
    expect(await sentTo(known.email)).toHaveLength(1);
  });

  it("is limited before any work, with and without an account", async () => {
    for (const who of [await doctor(), { email: newEmail(), phone: newPhone() }]) {
      const from = browser();
      for (let i = 0; i < 3; i++) expect((await ask(who, from)).status).toBe(303);
      const refused = await ask(who, from);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    }
  });

  it("shows the errors of the fields", async () => {
    const answer = await browser().post("/forgot-password", { email: "x", mobile: "12" });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("Please enter a valid email address");
  });
});

describe("the link", () => {
  it.each(["doctor", "reviewer", "admin", "staff"] as const)("with the code sets a new password of a %s", async (role) => {
    const who = role === "doctor" ? await doctor() : await staff(role);
    const { path, code } = await requestLink(who);
    const page = await browser().get(path);
    expect(page.status).toBe(200);
    expect(page.headers.get("cache-control")).toContain("no-store");
    expect(readable(page.text)).toContain(`ends in ${who.phone.slice(-2)}`);
    const answer = await send(path, code);
    expect([answer.status, answer.location]).toEqual([303, "/dual-doctor"]);
    expect(await hasPassword(who.id, NEW)).toBe(true);
    // No part of the link is stored in clear.
    const [row] = await server.sql`select * from password_resets where user_id = ${who.id}`;
    expect(JSON.stringify(row)).not.toContain(path.split("/")[2]);
  });

  it("does nothing without the right code", async () => {
    const who = await doctor();
    const before = await hashOf(who.id);
    const { path, code } = await requestLink(who);
    expect((await send(path, wrongCode(code))).status).toBe(400);
    expect((await send(path, "")).status).toBe(400);
    expect(await hashOf(who.id)).toBe(before);
    expect((await send(path, code)).status).toBe(303);
  });

  it("a refused new password does not use up the code", async () => {
    const who = await staff("reviewer");
    const { path, code } = await requestLink(who);
    expect((await send(path, code, "short-one")).text).toContain("Password must be at least 12 characters");
    expect((await send(path, code, "123456789qwe")).text).toContain("too common");
    const mismatch = await browser().post(path, { intent: "reset", otp: code, newPassword: NEW, confirmPassword: `${NEW}s` });
    expect(mismatch.text).toContain("The two new passwords do not match");
    expect((await send(path, code)).status).toBe(303);
  });

  it("works once, and the code does too", async () => {
    const who = await doctor();
    const { path, code } = await requestLink(who);
    expect((await send(path, code)).status).toBe(303);
    const again = await send(path, code, "another long password");
    expect(again.status).toBe(404);
    expect(await hasPassword(who.id, NEW)).toBe(true);
    const page = await browser().get(path);
    expect([page.status, page.text.includes("Request a new link")]).toEqual([404, true]);
  });

  it("is used by one of two windows that send it at once", async () => {
    const who = await doctor();
    const { path, code } = await requestLink(who);
    const passwords = Array.from({ length: 6 }, (_, i) => `${NEW} number ${i}`);
    const answers = await Promise.all(passwords.map((password) => send(path, code, password)));
    const won = answers.findIndex((answer) => answer.status === 303);
    expect(answers.filter((answer) => answer.status === 303)).toHaveLength(1);
    expect(answers.every((answer) => [303, 400, 404].includes(answer.status))).toBe(true);
    expect(await hasPassword(who.id, passwords[won]!)).toBe(true);
    expect(await server.sql`select 1 from audit_log where action = 'reset-password' and subject_id = ${who.id}`).toHaveLength(1);
  });

  it("expires after 30 minutes, and another code can be sent before", async () => {
    const who = await doctor();
    const { path, code } = await requestLink(who);
    server.clock.set(offset + 11 * 60_000);
    expect((await send(path, code)).status).toBe(400);
    expect((await browser().post(path, { intent: "resend" })).status).toBe(303);
    const fresh = await server.lastCode(who.phone);
    server.clock.set(offset + 31 * 60_000);
    expect((await send(path, fresh)).status).toBe(404);
    expect((await browser().post(path, { intent: "resend" })).status).toBe(404);
  });

  it("of a disabled account does nothing", async () => {
    const who = await doctor();
    const { path, code } = await requestLink(who);
    await server.sql`update users set status = 'disabled' where id = ${who.id}`;
    expect((await send(path, code)).status).toBe(404);
  });

  it("is never logged", async () => {
    const who = await doctor();
    const { path, code } = await requestLink(who);
    await send(path, code);
    expect(server.output()).not.toContain(path.split("/")[2]);
    expect(server.output()).not.toContain(who.email);
  });
});

describe("after a reset", () => {
  it("ends every session, notifies the user by email and SMS, and logs the reset", async () => {
    const who = await doctor();
    const room = await loginAs(server, { role: "doctor", email: who.email });
    const app = await tokenFor(server, who.id);
    const { path, code } = await requestLink(who);
    await send(path, code);
    expect((await room.get("/doctor/settings")).status).toBe(303);
    expect((await fetch(`${server.url}/api/doctor/profile`, { headers: { authorization: `Bearer ${app}` } })).status).toBe(401);
    await expect.poll(() => sentTo(who.email), { timeout: 15_000 }).toHaveLength(2);
    await expect.poll(() => sentTo(who.phone), { timeout: 15_000 }).toHaveLength(2);
    expect((await sentTo(who.email))[0]).toContain("Your password was reset with the link");
    expect((await sentTo(who.phone))[0]).toContain("the password of your account was changed");
    const [row] = await server.sql<{ actor_id: string; details: { sessionsEnded: number } }[]>`
      select actor_id, details from audit_log where action = 'reset-password' and subject_id = ${who.id}`;
    expect(row).toMatchObject({ actor_id: who.id, details: { sessionsEnded: 2 } });
  });

  it("a login that was started with the old password is refused", async () => {
    const who = await doctor();
    await server.sql`update users set password_hash = ${await hashPassword("the old long password")} where id = ${who.id}`;
    const { path, code } = await requestLink(who);
    server.clock.set(offset + 60_000);
    const attacker = browser();
    await attacker.post("/dual-doctor", {
      intent: "send-otp",
      mode: "login",
      email: who.email,
      password: "the old long password",
      mobile: typed(who.phone),
    });
    await attacker.post("/dual-doctor", { intent: "verify-otp", otp: await server.lastCode(who.phone) });
    expect((await send(path, code)).status).toBe(303);
    await attacker.post("/dual-doctor", { intent: "continue" });
    expect(attacker.cookies.has("nadi_session")).toBe(false);
  });

  it("the email is in the language of the user", async () => {
    const who = await doctor();
    await server.sql`update users set language = 'te' where id = ${who.id}`;
    await requestLink(who);
    expect((await sentTo(who.email))[0]).toContain("కొత్త పాస్‌వర్డ్");
    expect((await sentTo(who.phone))[0]).toContain("పాస్‌వర్డ్ మార్చే కోడ్");
  });
});

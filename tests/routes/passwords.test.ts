/** Rules of passwords by role, and who is asked to change a weak one. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { users } from "#app/db/schema/index.ts";
import { hashPassword } from "#app/domains/platform/accounts/passwords.server.ts";
import { tokenFor } from "../api/people.ts";
import { readable } from "../factories/booking.ts";
import { Caller, newAddress, pressContinue, proveDoctorPhone, sendDoctorOtp } from "../factories/logins.ts";
import { makeMember, makePlace } from "../factories/members.ts";
import { makeDoctor, newEmail, newPhone } from "../factories/people.ts";
import { loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
let offset = 0;
beforeAll(async () => {
  server = await startServer({ seed: false, env: { TRUST_PROXY: "1" } });
});
afterAll(() => server?.stop());
beforeEach(() => {
  offset += 3_600_000;
  server.clock.set(offset);
});
const browser = () => new Caller(server.url, newAddress());
const COMMON = "too common";

/** Inserts an account with this password; `isDemo`: as the seed inserts it. */
async function account(role: "doctor" | "reviewer" | "admin" | "staff", password: string, isDemo = false) {
  const passwordHash = await hashPassword(password);
  if (role === "doctor") {
    const { id, email, phone } = await makeDoctor(server.db, {});
    await server.sql`update users set password_hash = ${passwordHash}, is_demo = ${isDemo} where id = ${id}`;
    return { id, role, email, mobile: phone, password };
  }
  const [email, phone] = [newEmail(), newPhone()];
  const [made] = await server.db
    .insert(users)
    .values({ role, email, phone, passwordHash, staffName: "Strict", isDemo })
    .returning({ id: users.id });
  return { id: made!.id, role, email, mobile: phone, password };
}
async function logIn(who: { email: string; mobile: string; password: string }) {
  const from = browser();
  await proveDoctorPhone(server, from, who);
  return { from, to: (await pressContinue(from)).location };
}

describe("a doctor who registers", () => {
  const register = (password: string) => sendDoctorOtp(browser(), { mode: "register", email: newEmail(), mobile: newPhone(), password });
  it("needs 6 characters, with the specification's sentence", async () => {
    const answer = await register("12345");
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("Password must be at least 6 characters");
  });
  it.each(["123456", "password", "PassWord", "qwerty123"])("may not use the common password %s, and gets no code", async (password) => {
    const answer = await register(password);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(COMMON);
  });
  it("may not be their own email or number", async () => {
    const mobile = newPhone();
    const email = newEmail();
    for (const password of [email, mobile.slice(-10), mobile]) {
      const answer = await sendDoctorOtp(browser(), { mode: "register", email, mobile, password });
      expect(answer.text, password).toContain("Do not use your email or your phone number");
    }
  });
  it("may be any other one of 6 characters, and the page recommends 8", async () => {
    expect((await register("x7-pqz")).status).toBe(303);
    expect((await browser().get("/dual-doctor?mode=register")).text).toContain("We recommend 8 or more.");
  });
});

describe("a new password", () => {
  const change = async (role: "doctor" | "reviewer" | "admin" | "staff", newPassword: string) => {
    const who = await account(role, "the first good password");
    const room = await loginAs(server, { role, email: who.email });
    const answer = await room.post("/account/security/password", {
      currentPassword: who.password,
      newPassword,
      confirmPassword: newPassword,
    });
    return { status: answer.status, text: readable(answer.text) };
  };
  it.each(["reviewer", "admin", "staff"] as const)("of a %s has at least 12 characters", async (role) => {
    expect((await change(role, "elevenchars")).text).toContain("Password must be at least 12 characters");
    expect((await change(role, "twelve-chars")).status).toBe(303);
  });
  it("of a doctor may be shorter, but not common", async () => {
    expect((await change("doctor", "football")).text).toContain(COMMON);
    expect((await change("doctor", "x7-pqz")).status).toBe(303);
  });
});

describe("a weak password", () => {
  it.each([
    ["reviewer", "/reviewer"],
    ["admin", "/admin"],
    ["staff", "/desk"],
  ] as const)("of a %s must be changed before anything else", async (role, home) => {
    const who = await account(role, "short-one");
    if (role === "staff") await makeMember(server.db, (await makePlace(server.db)).id, "reception", { actor: { userId: who.id, role } });
    const { from, to } = await logIn(who);
    expect(to).toBe("/account/password");
    expect((await from.get(home)).location).toBe("/account/password");
    expect((await from.get("/account/security")).location).toBe("/account/password");
    expect((await from.post("/account/security", { intent: "end-others" })).status).toBe(403);
    const page = readable((await from.get("/account/password")).text);
    expect(page).toContain("Choose a stronger password");
    expect(page).not.toContain("Later");
    const password = "four quiet mango trees";
    const done = await from.post("/account/password", { currentPassword: who.password, newPassword: password, confirmPassword: password });
    expect([done.status, done.location]).toEqual([303, home]);
    expect((await from.get(home)).status).toBe(200);
    expect((await from.get("/account/password")).location).toBe(home);
  });

  it("of a doctor can be changed later", async () => {
    const who = await account("doctor", "football");
    const { from, to } = await logIn(who);
    expect(to).toBe("/account/password");
    expect(readable((await from.get("/account/password")).text)).toContain("Later");
    expect((await from.get("/doctor-dashboard")).status).toBe(200);
  });

  it("is no longer asked about after a change elsewhere, and is stored only as a date", async () => {
    const who = await account("doctor", "football");
    await logIn(who);
    const weak = async () => (await server.sql`select password_weak_since from users where id = ${who.id}`)[0]!.password_weak_since;
    expect(await weak()).not.toBeNull();
    await server.sql`update users set password_hash = ${await hashPassword("four quiet mango trees")} where id = ${who.id}`;
    server.clock.set(offset + 120_000);
    expect((await logIn({ ...who, password: "four quiet mango trees" })).to).toBe("/doctor-dashboard");
    expect(await weak()).toBeNull();
  });

  it("of a demo account is left alone, until it is changed", async () => {
    const who = await account("admin", "demo1234", true);
    const { from, to } = await logIn(who);
    expect(to).toBe("/admin");
    const weak = await from.post("/account/security/password", {
      currentPassword: "demo1234",
      newPassword: "demo12345",
      confirmPassword: "demo12345",
    });
    expect(weak.text).toContain("Password must be at least 12 characters");
  });

  it.each(["reviewer", "admin"] as const)("of a %s closes the API until it is changed", async (role) => {
    const who = await account(role, "short-one");
    const { from } = await logIn(who);
    const token = await tokenFor(server, who.id);
    const call = async (path: string, method = "GET") => {
      const answer = await fetch(server.url + path, { method, headers: { authorization: `Bearer ${token}` } });
      return { status: answer.status, body: (await answer.json()) as { message: string } };
    };
    const list = role === "admin" ? "/api/admin/doctors" : "/api/reviewer/cases";
    expect(await call(list)).toEqual({
      status: 403,
      body: { success: false, message: "Your password is easy to guess. Log in on the website and choose a stronger one first." },
    });
    expect((await call(`/api/files/${who.id}`)).status).toBe(403);
    const password = "four quiet mango trees";
    await from.post("/account/password", { currentPassword: who.password, newPassword: password, confirmPassword: password });
    // A new password ends the other sessions.
    const again = await tokenFor(server, who.id);
    expect((await fetch(server.url + list, { headers: { authorization: `Bearer ${again}` } })).status).toBe(200);
  });

  it("leaves the API open to doctors and demo accounts, and lets every token be ended", async () => {
    const calls = async (who: { id: string }, method: string, path: string) => {
      const headers = { authorization: `Bearer ${await tokenFor(server, who.id)}` };
      return (await fetch(server.url + path, { method, headers })).status;
    };
    const doctor = await account("doctor", "football");
    const demo = await account("admin", "demo1234", true);
    const weak = await account("admin", "short-one");
    for (const who of [doctor, demo, weak]) await logIn(who);
    expect(await calls(doctor, "GET", "/api/doctor/profile")).toBe(200);
    expect(await calls(demo, "GET", "/api/admin/doctors")).toBe(200);
    expect(await calls(weak, "DELETE", "/api/auth/token")).toBe(200);
  });

  it("a wrong password reveals nothing", async () => {
    const who = await account("admin", "short-one");
    await sendDoctorOtp(browser(), { ...who, password: "football" });
    const [row] = await server.sql`select password_weak_since from users where id = ${who.id}`;
    expect(row!.password_weak_since).toBeNull();
  });
});

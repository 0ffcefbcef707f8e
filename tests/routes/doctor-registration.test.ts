/** The registration of doctors over HTTP (/dual-doctor). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readable } from "../factories/booking.ts";
import { Caller, type Credentials, newAddress, pressContinue, proveDoctorPhone } from "../factories/logins.ts";
import { makeDoctor, newEmail, newPhone, type TestDoctor } from "../factories/people.ts";
import type { Answer } from "../setup/http.ts";
import { startServer, type TestServer } from "../setup/server.ts";

const PASSWORD = "corréct-horse-9";

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ seed: false, env: { TRUST_PROXY: "1" } });
});
afterAll(() => server?.stop());

const caller = () => new Caller(server.url, newAddress());
const credentialsOf = (doctor: TestDoctor, password = PASSWORD): Credentials => ({ email: doctor.email, password, mobile: doctor.phone });
const newDoctor = () => makeDoctor(server.db, { password: PASSWORD });
const textAfter = async (browser: Caller, answer: Answer) => readable((await browser.follow(answer)).text);

describe("registering", () => {
  const register = (who: Omit<Credentials, "mode">): Credentials => ({ ...who, mode: "register" });
  const userOf = async (email: string) =>
    (
      await server.sql<{ id: string; password_hash: string; registration_status: string }[]>`
        select u.id, u.password_hash, d.registration_status from users u join doctors d on d.id = u.id where u.email = ${email}`
    )[0];

  it("creates a draft, who reaches the application and no doctor's page", async () => {
    const who = { email: newEmail(), password: PASSWORD, mobile: newPhone() };
    const browser = caller();
    await proveDoctorPhone(server, browser, register(who));
    expect(await userOf(who.email)).toBeUndefined(); // not before Continue
    const done = await pressContinue(browser);
    expect(done.location).toBe("/hospital-form?registered=1");
    const user = await userOf(who.email);
    expect(user?.registration_status).toBe("draft");
    expect(user?.password_hash).toMatch(/^\$argon2id\$/);
    for (const path of ["/doctor-dashboard", "/doctor/appointments", "/doctor/profile", "/doctor/availability"])
      expect((await browser.get(path)).location).toBe("/hospital-form");
    expect((await server.sql`select from audit_log where action = 'register-doctor' and subject_id = ${user!.id}`).count).toBe(1);
    // Not listed, and not bookable.
    expect((await browser.get(`/details/doctor/${user!.id}`)).status).toBe(404);
  });

  it("compares emails in any case", async () => {
    const doctor = await newDoctor();
    const browser = caller();
    await proveDoctorPhone(server, browser, { ...credentialsOf(doctor), email: doctor.email.toUpperCase() });
    expect((await pressContinue(browser)).location).toBe("/doctor-dashboard");
  });

  it("refuses the same email and phone: Account already exists. Please login instead.", async () => {
    const doctor = await newDoctor();
    const browser = caller();
    await proveDoctorPhone(server, browser, register(credentialsOf(doctor)));
    const answer = await pressContinue(browser);
    expect(answer.location).toBe("/dual-doctor");
    expect(await textAfter(browser, answer)).toContain("Account already exists. Please login instead.");
    expect(browser.cookies.has("nadi_session")).toBe(false);
  });

  it("refuses when one of the two is taken: This mobile number is already registered", async () => {
    const doctor = await newDoctor();
    for (const [who, sentence] of [
      [
        { email: newEmail(), password: PASSWORD, mobile: doctor.phone },
        "This mobile number is already registered. Please use a different number or login with your existing account.",
      ],
      [
        { email: doctor.email, password: PASSWORD, mobile: newPhone() },
        "This email or mobile number is already registered. Please use a different one or login with your existing account.",
      ],
    ] as const) {
      server.clock.advance(31_000);
      const browser = caller();
      await proveDoctorPhone(server, browser, register(who));
      const page = await browser.follow(await pressContinue(browser));
      expect(readable(page.text)).toContain(sentence);
      expect(page.text).toContain(`value="${who.email}"`);
      expect(browser.cookies.has("nadi_session")).toBe(false);
    }
  });

  it("two registrations of one phone at once create one account", async () => {
    const mobile = newPhone();
    const [a, b] = [
      { browser: caller(), email: newEmail() },
      { browser: caller(), email: newEmail() },
    ];
    await proveDoctorPhone(server, a.browser, register({ email: a.email, password: PASSWORD, mobile }));
    // Both challenges are proven and open, as when the second was requested first.
    server.clock.advance(31_000);
    const [row] = await server.sql`select id_hash from otp_challenges where phone = ${mobile}`;
    await server.sql`update otp_challenges set phone = '+910000000000' where id_hash = ${row!.id_hash}`;
    await proveDoctorPhone(server, b.browser, register({ email: b.email, password: PASSWORD, mobile }));
    await server.sql`update otp_challenges set phone = ${mobile} where id_hash = ${row!.id_hash}`;
    const answers = await Promise.all([pressContinue(a.browser), pressContinue(b.browser)]);
    expect(answers.filter((x) => x.location === "/hospital-form?registered=1")).toHaveLength(1);
    expect(answers.every((x) => x.status === 303)).toBe(true);
    expect((await server.sql`select from users where phone = ${mobile}`).count).toBe(1);
  });
});

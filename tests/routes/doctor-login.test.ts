/** The login of doctors over HTTP (/dual-doctor). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashToken } from "#app/lib/ids.server.ts";
import { readable } from "../factories/booking.ts";
import {
  askCode,
  Caller,
  type Credentials,
  newAddress,
  pressContinue,
  proveDoctorPhone,
  sendDoctorOtp,
  tryCode,
  wrongCode,
} from "../factories/logins.ts";
import { makeDoctor, makePatient, makeVisit, newEmail, newPhone, type TestDoctor, typed } from "../factories/people.ts";
import type { Answer } from "../setup/http.ts";
import { startServer, type TestServer } from "../setup/server.ts";

const PASSWORD = "corréct-horse-9";
const WRONG_PASSWORD = "not-the-pässword-1";

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ seed: false, env: { TRUST_PROXY: "1" } });
});
afterAll(() => server?.stop());

const caller = () => new Caller(server.url, newAddress());
const credentialsOf = (doctor: TestDoctor, password = PASSWORD): Credentials => ({ email: doctor.email, password, mobile: doctor.phone });
const newDoctor = () => makeDoctor(server.db, { password: PASSWORD });
const sessionsOf = async (userId: string) => (await server.sql`select from sessions where user_id = ${userId}`).count;
const textAfter = async (browser: Caller, answer: Answer) => readable((await browser.follow(answer)).text);

describe("logging in", () => {
  it("needs password and code, and then Continue", async () => {
    const doctor = await newDoctor();
    const browser = caller();
    const sent = await sendDoctorOtp(browser, credentialsOf(doctor));
    expect(await textAfter(browser, sent)).toContain("OTP Sent!");
    const locked = await browser.get("/dual-doctor");
    expect(readable(locked.text)).toContain(doctor.email);
    expect(locked.text).not.toContain('name="password"');
    expect(await sessionsOf(doctor.id)).toBe(0);
    const verified = await browser.post("/dual-doctor", { intent: "verify-otp", otp: await server.lastCode(doctor.phone) });
    expect(await textAfter(browser, verified)).toContain("OTP Verified!");
    expect(await sessionsOf(doctor.id)).toBe(0);
    expect(browser.cookies.has("nadi_session")).toBe(false);
    const done = await pressContinue(browser);
    expect(done.location).toBe("/doctor-dashboard");
    expect((await browser.follow(done)).status).toBe(200);
    expect(await sessionsOf(doctor.id)).toBe(1);
  });

  it("refuses Continue before the code: Please verify OTP first", async () => {
    const doctor = await newDoctor();
    const browser = caller();
    for (const prepare of [async () => undefined, () => sendDoctorOtp(browser, credentialsOf(doctor))]) {
      await prepare();
      const answer = await pressContinue(browser);
      expect(answer.status).toBe(400);
      expect(readable(answer.text)).toContain("Please verify OTP first");
    }
    expect(await sessionsOf(doctor.id)).toBe(0);
  });

  it("accepts a wrong password until the phone is proven, then refuses it: Login failed", async () => {
    const [right, wrong] = [await newDoctor(), await newDoctor()];
    const walk = async (doctor: TestDoctor, password: string) => {
      const browser = caller();
      const answers = [await sendDoctorOtp(browser, credentialsOf(doctor, password)), await browser.get("/dual-doctor")];
      const otp = await server.lastCode(doctor.phone);
      answers.push(await browser.post("/dual-doctor", { intent: "verify-otp", otp: wrongCode(otp) }));
      answers.push(await browser.post("/dual-doctor", { intent: "verify-otp", otp }), await browser.get("/dual-doctor"));
      const seen = answers.map((a) => [
        a.status,
        a.location,
        readable(a.text)
          .replaceAll(doctor.email, "…")
          .replaceAll(`${doctor.phone.slice(3, 8)} ${doctor.phone.slice(8)}`, "…")
          // The countdown depends on how fast the machine is.
          .replace(/in \d+ seconds/, "in … seconds"),
      ]);
      return { browser, seen };
    };
    const [a, b] = [await walk(right, PASSWORD), await walk(wrong, WRONG_PASSWORD)];
    expect(b.seen).toEqual(a.seen);
    expect((await pressContinue(a.browser)).location).toBe("/doctor-dashboard");
    const refused = await pressContinue(b.browser);
    expect(refused.status).toBe(400);
    expect(readable(refused.text)).toContain("Login failed");
    expect(refused.text).toContain('name="password"');
    expect(refused.text).toContain('href="/forgot-password"');
    expect(b.browser.cookies.has("nadi_session")).toBe(false);
    expect(await sessionsOf(wrong.id)).toBe(0);
  });

  it("answers a right password as soon as a wrong one, before it stores anything about it", async () => {
    // A weak one, which is noted in the row of the account.
    const doctor = await makeDoctor(server.db, { password: "football" });
    const weak = async () => (await server.sql`select password_weak_since from users where id = ${doctor.id}`)[0]!.password_weak_since;
    await server.sql.begin(async (sql) => {
      await sql`select from users where id = ${doctor.id} for update`;
      expect((await sendDoctorOtp(caller(), credentialsOf(doctor, "football"))).status).toBe(303);
      expect(await weak()).toBeNull();
    });
    await expect.poll(weak).not.toBeNull();
    expect(await sessionsOf(doctor.id)).toBe(0);
  });

  it("one wrong password does not use up the code, three do", async () => {
    const [doctor, other] = [await newDoctor(), await newDoctor()];
    const browser = caller();
    const again = (password: string) => browser.post("/dual-doctor", { intent: "continue", password });
    await proveDoctorPhone(server, browser, credentialsOf(doctor, WRONG_PASSWORD));
    expect((await pressContinue(browser)).status).toBe(400);
    // The page asks for it again, also after a reload. An empty one does not count.
    expect((await browser.get("/dual-doctor")).text).toContain('name="password"');
    for (let i = 0; i < 5; i++) expect(readable((await pressContinue(browser)).text)).toContain("Password is required");
    expect((await again(`${WRONG_PASSWORD}2`)).status).toBe(400);
    expect((await again(PASSWORD)).location).toBe("/doctor-dashboard");
    expect(await sessionsOf(doctor.id)).toBe(1);

    const guesser = caller();
    await proveDoctorPhone(server, guesser, credentialsOf(other, WRONG_PASSWORD));
    await pressContinue(guesser);
    const guess = (password: string) => guesser.post("/dual-doctor", { intent: "continue", password });
    expect((await guess(`${WRONG_PASSWORD}2`)).status).toBe(400);
    const last = await guess(`${WRONG_PASSWORD}3`);
    expect(last.location).toBe("/dual-doctor");
    const page = await guesser.follow(last);
    expect(readable(page.text)).toContain("Login failed");
    // The input is preserved, except the password.
    expect(page.text).toContain(`value="${other.email}"`);
    expect(page.text).toContain(`value="${other.phone.slice(3, 8)} ${other.phone.slice(8)}"`);
    expect(readable((await guess(PASSWORD)).text)).toContain("Please verify OTP first");
    expect(await sessionsOf(other.id)).toBe(0);
  });

  it("compares three passwords for one code, for any number of requests", async () => {
    const doctor = await newDoctor();
    const browser = caller();
    await proveDoctorPhone(server, browser, credentialsOf(doctor, WRONG_PASSWORD));
    const id = browser.cookies.get("nadi_otp_doctor")!;
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => {
        const same = caller();
        same.cookies.set("nadi_otp_doctor", id);
        return same.post("/dual-doctor", { intent: "continue", password: `${WRONG_PASSWORD}${i}` });
      }),
    );
    expect(answers.filter((a) => a.status >= 500)).toHaveLength(0);
    expect((await server.sql`select from sessions where user_id = ${doctor.id}`).count).toBe(0);
    const counted = (await server.sql`select password_tries from otp_challenges where id_hash = ${hashToken(id)}`)[0]!.password_tries;
    expect(counted).toBe(3);
    expect(readable((await browser.post("/dual-doctor", { intent: "continue", password: PASSWORD })).text)).toContain(
      "Please verify OTP first",
    );
  });

  it("refuses an unknown email and phone: No account found. Please register first.", async () => {
    const doctor = await newDoctor();
    for (const who of [
      { email: newEmail(), password: PASSWORD, mobile: newPhone() },
      { email: doctor.email, password: PASSWORD, mobile: newPhone() },
    ]) {
      const browser = caller();
      await proveDoctorPhone(server, browser, who);
      const answer = await pressContinue(browser);
      expect(answer.location).toBe("/dual-doctor?mode=register");
      const page = await browser.follow(answer);
      expect(readable(page.text)).toContain("No account found. Please register first.");
      expect(readable(page.text)).toContain("Register as a doctor");
      // Moved with the input and the proven phone.
      expect(readable(page.text)).toContain(who.email);
      expect(readable(page.text)).toContain("Your mobile number is verified.");
      expect(browser.cookies.has("nadi_session")).toBe(false);
    }
    expect(await sessionsOf(doctor.id)).toBe(0);
  });

  it("a new doctor on the login tab registers with the same code and password", async () => {
    const who = { email: newEmail(), password: PASSWORD, mobile: newPhone() };
    const browser = caller();
    await proveDoctorPhone(server, browser, who);
    await browser.follow(await pressContinue(browser));
    expect((await pressContinue(browser)).location).toBe("/hospital-form?registered=1");
    const again = caller();
    server.clock.advance(31_000);
    await proveDoctorPhone(server, again, who);
    expect((await pressContinue(again)).location).toBe("/doctor-verify");
  });

  it("a registered doctor on the register tab logs in with the same code", async () => {
    const doctor = await newDoctor();
    for (const [password, done] of [
      [PASSWORD, 303],
      [WRONG_PASSWORD, 400],
    ] as const) {
      const browser = caller();
      await proveDoctorPhone(server, browser, { ...credentialsOf(doctor, password), mode: "register" });
      const moved = await pressContinue(browser);
      expect(moved.location).toBe("/dual-doctor");
      const page = readable((await browser.follow(moved)).text);
      expect(page).toContain("Account already exists. Please login instead.");
      expect(page).toContain("Doctor login");
      expect((await pressContinue(browser)).status).toBe(done);
      server.clock.advance(31_000);
    }
    expect(await sessionsOf(doctor.id)).toBe(1);
  });

  it("the correct code of an open login, sent 20 times at once, opens one session", async () => {
    const doctor = await newDoctor();
    const browser = caller();
    await proveDoctorPhone(server, browser, credentialsOf(doctor));
    const id = browser.cookies.get("nadi_otp_doctor")!;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => {
        const same = caller();
        same.cookies.set("nadi_otp_doctor", id);
        return pressContinue(same);
      }),
    );
    expect(answers.filter((a) => a.setCookies.some((c) => c.startsWith("nadi_session=")))).toHaveLength(1);
    expect(answers.filter((a) => a.status >= 500)).toHaveLength(0);
    expect(await sessionsOf(doctor.id)).toBe(1);
  });

  it("a code is valid for 300 seconds", async () => {
    const [early, late] = [await newDoctor(), await newDoctor()];
    const [a, b] = [caller(), caller()];
    await sendDoctorOtp(a, credentialsOf(early));
    await sendDoctorOtp(b, credentialsOf(late));
    const [codeA, codeB] = [await server.lastCode(early.phone), await server.lastCode(late.phone)];
    server.clock.advance(290_000);
    expect((await a.post("/dual-doctor", { intent: "verify-otp", otp: codeA })).status).toBe(303);
    server.clock.advance(12_000);
    const refused = await b.post("/dual-doctor", { intent: "verify-otp", otp: codeB });
    expect(refused.status).toBe(400);
    expect(readable(refused.text)).toContain("OTP expired. Please resend.");
    expect(readable((await b.get("/dual-doctor")).text)).toContain("OTP expired. Please resend.");
    // Resend needs no input again.
    expect((await b.post("/dual-doctor", { intent: "resend" })).status).toBe(303);
    const fresh = await server.lastCode(late.phone);
    if (fresh !== codeB) expect((await b.post("/dual-doctor", { intent: "verify-otp", otp: codeB })).status).toBe(400);
    await b.post("/dual-doctor", { intent: "verify-otp", otp: fresh });
    expect((await pressContinue(b)).location).toBe("/doctor-dashboard");
  });

  it("a proven phone waits for Continue as long as a code is valid", async () => {
    const doctor = await newDoctor();
    const browser = caller();
    await proveDoctorPhone(server, browser, credentialsOf(doctor));
    server.clock.advance(301_000);
    expect(readable((await pressContinue(browser)).text)).toContain("Please verify OTP first");
    expect(await sessionsOf(doctor.id)).toBe(0);
  });

  it("Edit Details ends the challenge and opens the fields", async () => {
    const doctor = await newDoctor();
    const browser = caller();
    await proveDoctorPhone(server, browser, credentialsOf(doctor));
    const id = browser.cookies.get("nadi_otp_doctor")!;
    expect(readable((await browser.get("/dual-doctor")).text)).toContain("Edit Details");
    const answer = await browser.post("/dual-doctor", { intent: "edit" });
    const fields = (await browser.follow(answer)).text;
    expect(fields).toContain('name="password"');
    expect(fields).toContain(`value="${doctor.email}"`);
    expect(fields).toContain(`value="${doctor.phone.slice(3, 8)} ${doctor.phone.slice(8)}"`);
    browser.cookies.set("nadi_otp_doctor", id);
    expect((await pressContinue(browser)).status).toBe(400);
    expect(await sessionsOf(doctor.id)).toBe(0);
  });

  it("five wrong codes end the challenge", async () => {
    const doctor = await newDoctor();
    const browser = caller();
    await sendDoctorOtp(browser, credentialsOf(doctor));
    const otp = await server.lastCode(doctor.phone);
    for (let i = 1; i <= 5; i++) await browser.post("/dual-doctor", { intent: "verify-otp", otp: wrongCode(otp, i) });
    const refused = await browser.post("/dual-doctor", { intent: "verify-otp", otp });
    expect(refused.status).toBe(400);
    expect(readable(refused.text)).toContain("Too many wrong codes. Please request a new code.");
    // A new code can be requested at once, and it works.
    expect(refused.text).toContain("--left:0");
    expect((await browser.post("/dual-doctor", { intent: "resend" })).status).toBe(303);
    await browser.post("/dual-doctor", { intent: "verify-otp", otp: await server.lastCode(doctor.phone) });
    expect((await pressContinue(browser)).location).toBe("/doctor-dashboard");
  });

  it("Resend is available 30 seconds after the code", async () => {
    const doctor = await newDoctor();
    const browser = caller();
    await sendDoctorOtp(browser, credentialsOf(doctor));
    const left = Number(/--left:(\d+)/.exec((await browser.get("/dual-doctor")).text)?.[1]);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(30);
    server.clock.advance(31_000);
    expect((await browser.get("/dual-doctor")).text).toContain("--left:0");
    expect((await browser.post("/dual-doctor", { intent: "resend" })).status).toBe(303);
  });

  it("a doctor's challenge is refused at the patients' login, and both pages remember their own phone", async () => {
    const doctor = await newDoctor();
    const browser = caller();
    await sendDoctorOtp(browser, credentialsOf(doctor));
    const otp = await server.lastCode(doctor.phone);
    browser.cookies.set("nadi_otp_patient", browser.cookies.get("nadi_otp_doctor")!);
    const answer = await tryCode(browser, otp);
    expect(answer.status).toBe(400);
    expect(readable(answer.text)).toContain("OTP expired. Please request a new code.");
    expect(browser.cookies.has("nadi_session")).toBe(false);
    // The same phone as a patient is another account.
    server.clock.advance(31_000);
    const patient = caller();
    await tryCode(patient, await askCode(server, patient, doctor.phone));
    expect((await patient.get("/doctor-dashboard")).location).toBe("/patient-dashboard");
    expect(await sessionsOf(doctor.id)).toBe(0);
  });

  it("refuses a disabled account", async () => {
    const doctor = await newDoctor();
    await server.sql`update users set status = 'disabled' where id = ${doctor.id}`;
    const browser = caller();
    await proveDoctorPhone(server, browser, credentialsOf(doctor));
    const page = await browser.follow(await pressContinue(browser));
    expect(readable(page.text)).toContain("This account is closed. Please contact support.");
    expect(page.text).toContain('href="mailto:support@demo.test"');
    expect(await sessionsOf(doctor.id)).toBe(0);
  });

  it("a suspended doctor sees the suspension and the contacts of the support", async () => {
    const doctor = await makeDoctor(server.db, { password: PASSWORD, status: "suspended" });
    const browser = caller();
    await proveDoctorPhone(server, browser, credentialsOf(doctor));
    const page = await browser.follow(await pressContinue(browser));
    expect(readable(page.text)).toContain("Your account is suspended. Please contact support.");
    expect(readable(page.text)).not.toContain("under review");
    expect(page.text).toContain('href="mailto:support@demo.test"');
  });

  it("a doctor under review is sent to /doctor-verify", async () => {
    const doctor = await makeDoctor(server.db, { password: PASSWORD, status: "under review by hospital" });
    const browser = caller();
    await proveDoctorPhone(server, browser, credentialsOf(doctor));
    const answer = await pressContinue(browser);
    expect(answer.location).toBe("/doctor-verify");
    expect(await textAfter(browser, answer)).toContain("Your registration is still under review.");
    expect((await browser.get("/doctor-dashboard")).location).toBe("/doctor-verify");
  });

  it("ten wrong passwords in 15 minutes lock this account for this address, not for others", async () => {
    const doctor = await newDoctor();
    const guesser = caller();
    // Each attempt names another phone, so the limit of sent codes does not apply.
    const guess = (password: string) => sendDoctorOtp(guesser, { email: doctor.email, password, mobile: newPhone() });
    for (let i = 0; i < 10; i++) expect((await guess(`${WRONG_PASSWORD}${i}`)).status).toBe(303);
    const refused = await guess(PASSWORD);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(800);
    expect(readable(refused.text)).toMatch(/Too many attempts\. Please wait \d+ seconds and try again\./);
    const owner = caller();
    await proveDoctorPhone(server, owner, credentialsOf(doctor));
    expect((await pressContinue(owner)).location).toBe("/doctor-dashboard");
    server.clock.advance(15 * 60_000 + 1_000);
    expect((await guess(WRONG_PASSWORD)).status).toBe(303);
  });

  it("a successful login resets the count of wrong passwords, and nothing before it does", async () => {
    const doctor = await newDoctor();
    const counted = async () =>
      (await server.sql`select from rate_limits where key = ${`password-wrong:${hashToken(`${doctor.email}|192.0.2.77`)}`}`).count;
    // Without the code, right and wrong passwords count alike, so the limit reveals nothing.
    const browser = new Caller(server.url, "192.0.2.77");
    await sendDoctorOtp(browser, credentialsOf(doctor));
    expect(await counted()).toBe(1);
    server.clock.advance(31_000);
    await sendDoctorOtp(new Caller(server.url, "192.0.2.77"), credentialsOf(doctor, WRONG_PASSWORD));
    expect(await counted()).toBe(2);
    server.clock.advance(31_000);
    await proveDoctorPhone(server, browser, credentialsOf(doctor));
    expect(await counted()).toBe(3);
    expect((await pressContinue(browser)).location).toBe("/doctor-dashboard");
    expect(await counted()).toBe(2);
  });

  it("refuses the eleventh attempt on an account from an address, with the right or the wrong password", async () => {
    for (const password of [PASSWORD, WRONG_PASSWORD]) {
      const doctor = await newDoctor();
      const guesser = caller();
      const answers: (number | string | null)[] = [];
      for (let i = 0; i < 11; i++)
        answers.push((await sendDoctorOtp(guesser, { ...credentialsOf(doctor, password), mobile: newPhone() })).status);
      expect(answers).toEqual([...Array.from({ length: 10 }, () => 303), 429]);
    }
  });

  it("delays attempts on one account from many addresses, and not the owner's device", async () => {
    const doctor = await newDoctor();
    const owner = caller();
    await proveDoctorPhone(server, owner, credentialsOf(doctor));
    expect((await pressContinue(owner)).location).toBe("/doctor-dashboard");
    await owner.post("/logout");
    server.clock.advance(31_000);
    const guess = (i: number) =>
      sendDoctorOtp(new Caller(server.url, `198.18.0.${i}`), {
        email: doctor.email,
        password: `${WRONG_PASSWORD}${i}`,
        mobile: newPhone(),
      });
    for (let i = 0; i < 29; i++) expect((await guess(i)).status).toBe(303);
    await guess(29);
    const slowed = await guess(30);
    expect(slowed.status).toBe(429);
    expect(Number(slowed.headers.get("retry-after"))).toBeLessThanOrEqual(60);
    await proveDoctorPhone(server, owner, credentialsOf(doctor));
    expect((await pressContinue(owner)).location).toBe("/doctor-dashboard");
  });
});

describe("the fields", () => {
  it.each([
    [{ email: "" }, "Email is required"],
    [{ email: "no-at.example" }, "Please enter a valid email address"],
    [{ password: "" }, "Password is required"],
    [{ password: "12345" }, "Password must be at least 6 characters"],
    [{ mobile: "" }, "Mobile number is required"],
    [{ mobile: "12345" }, "Please enter a valid 10-digit mobile number"],
    [{ mobile: "98765 43210 5" }, "Please enter a valid 10-digit mobile number"],
    [{ mobile: "+971 50 123 4567" }, "Please enter a valid 10-digit mobile number"],
  ])("%j: %s", async (over, sentence) => {
    const fields = { intent: "send-otp", mode: "login", email: "asha@proof.test", password: PASSWORD, mobile: "9876501234", ...over };
    const answer = await caller().post("/dual-doctor", fields);
    expect(answer.status).toBe(400);
    expect(readable(answer.text)).toContain(sentence);
    // The input is preserved, except the password.
    if (fields.email) expect(answer.text).toContain(`value="${fields.email}"`);
    if (fields.mobile) expect(answer.text).toContain(`value="${fields.mobile}"`);
    expect(answer.text).not.toContain(PASSWORD);
  });

  it("an empty code: OTP is required", async () => {
    const doctor = await newDoctor();
    const browser = caller();
    await sendDoctorOtp(browser, credentialsOf(doctor));
    const answer = await browser.post("/dual-doctor", { intent: "verify-otp", otp: "" });
    expect(answer.status).toBe(400);
    expect(readable(answer.text)).toContain("OTP is required");
  });
});

it("a password is on no page, in no cookie, row or line of the log", async () => {
  const doctor = await newDoctor();
  const patient = await makePatient(server.db);
  await makeVisit(server.db, { patient, doctor });
  const browser = caller();
  const answers: Answer[] = [];
  for (const password of [WRONG_PASSWORD, PASSWORD]) {
    answers.push(await sendDoctorOtp(browser, credentialsOf(doctor, password)), await browser.get("/dual-doctor"));
    answers.push(await browser.post("/dual-doctor", { intent: "verify-otp", otp: await server.lastCode(doctor.phone) }));
    answers.push(await browser.get("/dual-doctor"), await browser.get("/dual-doctor.data"));
    answers.push(await pressContinue(browser), await browser.get("/dual-doctor"));
    server.clock.advance(31_000);
  }
  answers.push(await browser.post("/dual-doctor", { intent: "send-otp", email: "x", password: PASSWORD, mobile: typed(doctor.phone) }));
  for (const { text, setCookies } of answers)
    for (const secret of [PASSWORD, WRONG_PASSWORD, encodeURIComponent(PASSWORD)]) {
      expect(text).not.toContain(secret);
      expect(decodeURIComponent(setCookies.join())).not.toContain(secret);
    }
  const rows = await server.sql`select to_json(c) as row from otp_challenges c union all select to_json(u) from users u`;
  expect(JSON.stringify(rows)).not.toContain(PASSWORD);
  expect(server.output()).not.toMatch(new RegExp(`${PASSWORD}|${WRONG_PASSWORD}`));
});

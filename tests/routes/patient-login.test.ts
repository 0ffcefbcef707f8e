/** One-time codes over HTTP: known attacks as regression tests, and the properties of a session. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashToken } from "#app/lib/ids.server.ts";
import { readable } from "../factories/booking.ts";
import { askCode, Caller, newAddress, persist, pressContinue, tryCode, wrongCode } from "../factories/logins.ts";
import { dayFromNow, makeDoctor, newPhone, typed } from "../factories/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ seed: false, env: { TRUST_PROXY: "1" } });
});
afterAll(() => server?.stop());

const caller = () => new Caller(server.url, newAddress());
/** Returns the sessions of the patient with this phone. */
const sessionsOf = (phone: string) =>
  server.sql<{ token_hash: string }[]>`
    select s.token_hash from sessions s join users u on u.id = s.user_id where u.role = 'patient' and u.phone = ${phone}`;
const attemptsOf = async (phone: string) =>
  (await server.sql<{ attempts: number }[]>`select attempts from otp_challenges where phone = ${phone} order by created_at desc limit 1`)[0]
    ?.attempts;
const who = async (browser: Caller) =>
  (
    await server.sql<
      { phone: string }[]
    >`select u.phone from sessions s join users u on u.id = s.user_id where s.token_hash = ${hashToken(browser.cookies.get("nadi_session") ?? "")}`
  )[0]?.phone;

const WRONG = "OTP verification failed";
const EXPIRED = "OTP expired. Please request a new code.";
const USED_UP = "Too many wrong codes. Please request a new code.";

describe("the code", () => {
  it("opens a session for the phone it was sent to, and a new number becomes a patient", async () => {
    const phone = newPhone();
    const browser = caller();
    const code = await askCode(server, browser, phone);
    const page = readable((await browser.get("/dual-patient")).text);
    expect(page).toContain("OTP Sent!");
    expect(page).toContain(`+91 ${phone.slice(3, 8)} ${phone.slice(8)}`);
    const done = await tryCode(browser, code);
    expect(done.status).toBe(303);
    expect(done.location).toBe("/patient-dashboard");
    expect(await who(browser)).toBe(phone);
    const home = await browser.follow(done);
    expect(home.status).toBe(200);
    expect(readable(home.text)).toContain("OTP Verified!");
    expect((await server.sql`select from patients p join users u on u.id = p.id where u.phone = ${phone}`).count).toBe(1);
  });

  it("is accepted with the spaces it was pasted with", async () => {
    const phone = newPhone();
    const browser = caller();
    const code = await askCode(server, browser, phone);
    expect((await tryCode(browser, ` ${code.slice(0, 3)} ${code.slice(3)} `)).status).toBe(303);
  });

  it("leads back to the page that required the login, and to no other site", async () => {
    const first = caller();
    const asked = await first.get("/patient/calendar?month=2026-12");
    expect(asked.location).toBe(`/dual-patient?redirectTo=${encodeURIComponent("/patient/calendar?month=2026-12")}`);
    for (const [wish, place] of [
      ["/patient/calendar?month=2026-12", "/patient/calendar?month=2026-12"],
      ["//evil.example/x", "/patient-dashboard"],
      ["https://evil.example", "/patient-dashboard"],
      ["javascript:alert(1)", "/patient-dashboard"],
      ["/\\evil.example", "/patient-dashboard"],
    ] as const) {
      const [browser, phone] = [caller(), newPhone()];
      const otp = await askCode(server, browser, phone);
      expect((await browser.post("/dual-patient", { intent: "verify", otp, redirectTo: wish })).location).toBe(place);
    }
  });

  it.each([
    ["1234567", "seven digits"],
    ["12345", "five digits"],
    ["abcdef", "letters"],
    ["", "nothing"],
    ["١٢٣٤٥٦", "digits of another script"],
  ])("refuses %j (%s) without counting an attempt", async (otp) => {
    const [browser, phone] = [caller(), newPhone()];
    await askCode(server, browser, phone);
    const answer = await tryCode(browser, otp);
    expect(answer.status).toBe(400);
    expect(readable(answer.text)).toContain("Please enter a valid 6-digit OTP");
    expect(await attemptsOf(phone)).toBe(0);
  });

  it.each(["12345", "98765 4321", "abcdefghij", "", "+91 98", "98765 43210 5", "+971 50 123 4567"])(
    "refuses %j beside its field, and preserves it",
    async (number) => {
      const browser = caller();
      const answer = await browser.post("/dual-patient", { intent: "send", phoneNumber: number });
      expect(answer.status).toBe(400);
      expect(readable(answer.text)).toContain("Please enter a valid 10-digit mobile number");
      expect(answer.text).toContain(`value="${number}"`);
      expect(browser.cookies.has("nadi_otp_patient")).toBe(false);
    },
  );

  it.each([
    ["+91 80-7777 7701", "+918077777701"],
    ["080777 77702", "+918077777702"],
    ["(80777)77703", "+918077777703"],
  ])("accepts %j: only a prefix is removed", async (number, phone) => {
    const browser = caller();
    expect((await browser.post("/dual-patient", { intent: "send", phoneNumber: number })).status).toBe(303);
    expect(await server.lastCode(phone)).toMatch(/^\d{6}$/);
  });
});

describe("a doctor and a time that were chosen before the login", () => {
  const choose = async () => {
    const slot = { date: dayFromNow(4), time: "12:00" };
    const doctor = await makeDoctor(server.db, { name: "Dr. Chosen Time", slots: [slot] });
    const path = `/patient/appointments/patient-detail?${new URLSearchParams({ doctorId: doctor.id, ...slot })}`;
    return { doctor, path };
  };

  it("stand above both steps, and the booking goes on after the code", async () => {
    const { path } = await choose();
    const browser = caller();
    const login = await browser.follow(await browser.get(path));
    const phone = newPhone();
    expect(readable(login.text)).toMatch(/To book Dr. Chosen Time, .*12:00 PM/);
    const asked = await browser.post("/dual-patient", { intent: "send", phoneNumber: typed(phone), redirectTo: path });
    expect(readable((await browser.follow(asked)).text)).toMatch(/To book Dr. Chosen Time, .*12:00 PM/);
    const done = await browser.post("/dual-patient", { intent: "verify", otp: await server.lastCode(phone), redirectTo: path });
    expect(done.location).toBe(path);
    expect((await browser.get(path)).status).toBe(200);
  });

  it("the doctor stands above the login also when the visitor asked for all times", async () => {
    const { doctor } = await choose();
    const login = await caller().get(
      `/dual-patient?redirectTo=${encodeURIComponent(`/patient/appointments/datetime?doctorId=${doctor.id}`)}`,
    );
    const words = readable(login.text);
    expect(words).toContain("To book Dr. Chosen Time");
    for (const other of ["Look for a doctor first", "Not this one", "12:00 PM"]) expect(words).not.toContain(other);
    for (const value of ["/patient/appointments/datetime", "/patient/appointments/datetime?doctorId=1", "/patient/records?doctorId=1"])
      expect((await caller().get(`/dual-patient?redirectTo=${encodeURIComponent(value)}`)).text, value).not.toContain("To book");
  });

  it("are forgotten by the next user of the phone with one press", async () => {
    const { path } = await choose();
    const browser = caller();
    expect(readable((await browser.follow(await browser.get(path))).text)).toContain("Not this one");
    const dropped = await browser.post(`/dual-patient?redirectTo=${encodeURIComponent(path)}`, { intent: "forget" });
    expect(dropped.location).toBe("/dual-patient");
    expect(readable((await browser.follow(dropped)).text)).not.toContain("Dr. Chosen Time");
    await tryCode(browser, await askCode(server, browser, newPhone()));
    expect((await browser.get("/dual-patient")).location).toBe("/patient-dashboard");
  });

  it("are remembered half an hour by the browser, until the login, and only an own booking is", async () => {
    const { doctor, path } = await choose();
    const browser = caller();
    const asked = await browser.get(path);
    expect(asked.headers.get("set-cookie")).toContain("Max-Age=1800");
    // The visitor looks at another page, and logs in from there.
    expect(readable((await browser.get("/dual-patient")).text)).toContain(`To book Dr. Chosen Time`);
    const code = await askCode(server, browser, newPhone());
    await tryCode(browser, code);
    expect(browser.cookies.get("nadi_booking") ?? "").toBe("");
    for (const value of [
      "/admin",
      "https://evil.example",
      `${path}&doctorId=1`.replace(doctor.id, "1"),
      "/patient/appointments/patient-detail",
    ]) {
      const other = caller();
      other.cookies.set("nadi_booking", encodeURIComponent(value));
      const page = await other.get("/dual-patient");
      expect(page.status).toBe(200);
      expect(page.text, value).not.toContain("To book");
    }
  });
});

describe("attacks", () => {
  it("ignores an edited _totp cookie, and never sets one (attack 1)", async () => {
    const [victim, attacker] = [newPhone(), newPhone()];
    // The victim has an account and an open challenge.
    const theirs = caller();
    await tryCode(theirs, await askCode(server, theirs, victim));
    const browser = caller();
    const sent = await browser.post("/dual-patient", { intent: "send", phoneNumber: typed(attacker) });
    const code = await server.lastCode(attacker);
    const forged = new URLSearchParams({ email: victim, phone: victim, totp: "eyJhbGciOiJkaXIifQ..x.y.z" }).toString();
    browser.cookies.set("_totp", encodeURIComponent(forged));
    const pages = [await browser.get("/dual-patient")];
    pages.push(await tryCode(browser, wrongCode(code)));
    const done = await browser.post("/dual-patient", { intent: "verify", otp: code, phoneNumber: typed(victim), phone: victim });
    pages.push(done, await browser.follow(done));
    for (const { setCookies, text } of [sent, ...pages]) {
      expect(setCookies.join()).not.toContain("_totp");
      expect(text).not.toContain("_totp");
    }
    expect(done.status).toBe(303);
    expect(await who(browser)).toBe(attacker);
    expect(await sessionsOf(victim)).toHaveLength(1); // their own
  });

  it("five wrong codes end the challenge, and the right one is then refused (attack 2)", async () => {
    const [browser, phone] = [caller(), newPhone()];
    const code = await askCode(server, browser, phone);
    for (let i = 1; i <= 5; i++) {
      const answer = await tryCode(browser, wrongCode(code, i));
      expect(answer.status).toBe(400);
      expect(readable(answer.text)).toContain(WRONG);
      // The fifth: a code no longer helps, asking for a new one does.
      const button = (name: string) => new RegExp(`<button[^>]*value="${name}"[^>]*>`).exec(answer.text)?.[0] ?? "";
      expect(/\bdisabled=/.test(button("verify"))).toBe(i === 5);
      expect(/class="[^"]*\bafter\b/.test(button("resend"))).toBe(i < 5);
      expect(readable(answer.text).includes(USED_UP)).toBe(i === 5);
    }
    const late = await tryCode(browser, code);
    expect(late.status).toBe(400);
    expect(readable(late.text)).toContain(USED_UP);
    expect(await sessionsOf(phone)).toHaveLength(0);
    expect(await attemptsOf(phone)).toBe(5);
  });

  it("200 guesses at once count as five", async () => {
    const [browser, phone] = [caller(), newPhone()];
    const code = await askCode(server, browser, phone);
    let busy = 0;
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) => {
        const guesser = new Caller(server.url, `198.51.100.${i % 4}`);
        guesser.cookies.set("nadi_otp_patient", browser.cookies.get("nadi_otp_patient")!);
        return persist(async () => {
          const answer = await tryCode(guesser, wrongCode(code, i + 1));
          if (answer.status === 503) busy++;
          return answer;
        });
      }),
    );
    expect(answers.map((a) => a.status).filter((s) => s !== 400)).toEqual([]);
    // A guess that was answered 503 may have counted.
    const compared = answers.filter((a) => readable(a.text).includes(WRONG)).length;
    expect([compared <= 5, compared >= 5 - busy]).toEqual([true, true]);
    expect(await attemptsOf(phone)).toBe(5);
    expect((await tryCode(browser, code)).status).toBe(400);
  });

  it("50 right posts at once open one session", async () => {
    const [browser, phone] = [caller(), newPhone()];
    const code = await askCode(server, browser, phone);
    const id = browser.cookies.get("nadi_otp_patient")!;
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => {
        const same = caller();
        same.cookies.set("nadi_otp_patient", id);
        return tryCode(same, code);
      }),
    );
    expect(answers.filter((a) => a.status === 303)).toHaveLength(1);
    expect(answers.filter((a) => a.setCookies.some((c) => c.startsWith("nadi_session=")))).toHaveLength(1);
    expect(answers.filter((a) => a.status >= 500)).toHaveLength(0);
    expect(await sessionsOf(phone)).toHaveLength(1);
  });

  it("works once", async () => {
    const [browser, phone] = [caller(), newPhone()];
    const code = await askCode(server, browser, phone);
    const again = caller();
    again.cookies.set("nadi_otp_patient", browser.cookies.get("nadi_otp_patient")!);
    expect((await tryCode(browser, code)).status).toBe(303);
    const second = await tryCode(again, code);
    expect(second.status).toBe(400);
    expect(readable(second.text)).toContain(EXPIRED);
    expect(await sessionsOf(phone)).toHaveLength(1);
  });

  it("refuses the code of another challenge in both directions", async () => {
    const [a, b] = [
      { browser: caller(), phone: newPhone() },
      { browser: caller(), phone: newPhone() },
    ];
    const codeA = await askCode(server, a.browser, a.phone);
    const codeB = await askCode(server, b.browser, b.phone);
    if (codeA !== codeB) expect((await tryCode(a.browser, codeB)).status).toBe(400);
    expect((await tryCode(caller(), codeA)).status).toBe(400); // no cookie, no challenge
    expect((await tryCode(a.browser, codeA)).status).toBe(303);
    expect(await who(a.browser)).toBe(a.phone);
  });

  it("is refused by GET", async () => {
    const [browser, phone] = [caller(), newPhone()];
    const code = await askCode(server, browser, phone);
    for (const query of [`?otp=${code}&intent=verify`, `?code=${code}`, `?t=${code}`]) {
      const answer = await browser.get(`/dual-patient${query}`);
      expect(answer.setCookies.join()).not.toContain("nadi_session");
    }
    expect(await sessionsOf(phone)).toHaveLength(0);
  });

  it("a patient's challenge is refused at the doctors' login", async () => {
    const [browser, phone] = [caller(), newPhone()];
    const code = await askCode(server, browser, phone);
    browser.cookies.set("nadi_otp_doctor", browser.cookies.get("nadi_otp_patient")!);
    const verified = await browser.post("/dual-doctor", { intent: "verify-otp", otp: code });
    expect(verified.status).toBe(400);
    expect(readable(verified.text)).toContain("OTP expired. Please resend.");
    const pressed = await pressContinue(browser);
    expect(readable(pressed.text)).toContain("Please verify OTP first");
    expect((await server.sql`select from sessions s join users u on u.id = s.user_id where u.phone = ${phone}`).count).toBe(0);
  });
});

describe("time", () => {
  it("a code is valid for 120 seconds", async () => {
    const [browser, late, phone, other] = [caller(), caller(), newPhone(), newPhone()];
    const code = await askCode(server, browser, phone);
    const lateCode = await askCode(server, late, other);
    server.clock.advance(119_000 - 5_000);
    expect((await tryCode(browser, code)).status).toBe(303);
    server.clock.advance(6_500);
    const refused = await tryCode(late, lateCode);
    expect(refused.status).toBe(400);
    expect(readable(refused.text)).toContain(EXPIRED);
    // The page has returned to the phone and shows why, also on a reload.
    const page = await late.get("/dual-patient");
    expect(readable(page.text)).toContain(EXPIRED);
    expect(page.text).toContain('name="phoneNumber"');
    expect(page.text).not.toContain('name="otp"');
  });

  it("the page counts down the remaining time, and reloads", async () => {
    const browser = caller();
    await askCode(server, browser, newPhone());
    server.clock.advance(60_000);
    const page = await browser.get("/dual-patient");
    const refresh = Number(/http-equiv="refresh" content="(\d+)"/i.exec(page.text)?.[1]);
    expect(refresh).toBeGreaterThan(50);
    expect(refresh).toBeLessThanOrEqual(61);
  });

  it("Resend ends the older code, and the new one works", async () => {
    const [browser, phone] = [caller(), newPhone()];
    const first = await askCode(server, browser, phone);
    const before = browser.cookies.get("nadi_otp_patient")!;
    server.clock.advance(31_000);
    expect((await browser.post("/dual-patient", { intent: "resend" })).status).toBe(303);
    const second = await server.lastCode(phone);
    expect(browser.cookies.get("nadi_otp_patient")).not.toBe(before);
    const old = caller();
    old.cookies.set("nadi_otp_patient", before);
    expect(readable((await tryCode(old, first)).text)).toContain(EXPIRED);
    if (first !== second) expect((await tryCode(browser, first)).status).toBe(400);
    expect((await tryCode(browser, second)).status).toBe(303);
  });

  it("Use a different number ends the challenge", async () => {
    const [browser, phone] = [caller(), newPhone()];
    const code = await askCode(server, browser, phone);
    const id = browser.cookies.get("nadi_otp_patient")!;
    await browser.post("/dual-patient", { intent: "change" });
    expect(browser.cookies.has("nadi_otp_patient")).toBe(false);
    const page = await browser.get("/dual-patient");
    expect(page.text).toContain('name="phoneNumber"');
    browser.cookies.set("nadi_otp_patient", id);
    expect((await tryCode(browser, code)).status).toBe(400);
  });
});

describe("account enumeration", () => {
  it("a known and an unknown number get the same response", async () => {
    const known = newPhone();
    const first = caller();
    await tryCode(first, await askCode(server, first, known));
    server.clock.advance(31_000);
    const answerFor = async (phone: string) => {
      const browser = caller();
      const sent = await browser.post("/dual-patient", { intent: "send", phoneNumber: typed(phone) });
      const page = await browser.follow(sent);
      const secret = browser.cookies.get("nadi_otp_patient")!;
      return {
        status: sent.status,
        location: sent.location,
        // The id of a toast is random.
        cookies: sent.setCookies.map((c) => c.replace(secret, "…").replace(/(%22id%22%3A%22)[\w-]{8}/, "$1…")),
        page: readable(page.text).replace(`${phone.slice(3, 8)} ${phone.slice(8)}`, "…"),
        sms: (await server.outbox(phone))[0]?.body.replace(/\d{6}/g, "…"),
      };
    };
    expect(await answerFor(known)).toEqual(await answerFor(newPhone()));
  });

  it("the row contains neither the code nor the jar in clear", async () => {
    const [browser, phone] = [caller(), newPhone()];
    const code = await askCode(server, browser, phone);
    const [row] = await server.sql`select * from otp_challenges where phone = ${phone}`;
    expect(JSON.stringify({ ...row, phone: "", ip: "", id_hash: "", created_at: "", expires_at: "" })).not.toContain(code);
    expect(row?.jar).toMatch(/^v1\./);
    expect(row?.id_hash).toBe(hashToken(browser.cookies.get("nadi_otp_patient")!));
    await tryCode(browser, code);
    const [after] = await server.sql`select jar, payload from otp_challenges where phone = ${phone}`;
    expect(after).toEqual({ jar: "", payload: null });
  });
});

describe("sessions", () => {
  it("a login creates a new id and ends the browser's earlier session", async () => {
    const phone = newPhone();
    const browser = caller();
    browser.cookies.set("nadi_session", "chosen-by-an-attacker");
    await tryCode(browser, await askCode(server, browser, phone));
    const first = browser.cookies.get("nadi_session")!;
    expect(first).not.toBe("chosen-by-an-attacker");
    expect((await server.sql`select from sessions where token_hash = ${hashToken("chosen-by-an-attacker")}`).count).toBe(0);
    server.clock.advance(31_000);
    await tryCode(browser, await askCode(server, browser, phone));
    expect(browser.cookies.get("nadi_session")).not.toBe(first);
    expect((await sessionsOf(phone)).map((s) => s.token_hash)).toEqual([hashToken(browser.cookies.get("nadi_session")!)]);
  });

  it("the cookie is HttpOnly, SameSite=Lax and for the whole site", async () => {
    const [browser, phone] = [caller(), newPhone()];
    const done = await tryCode(browser, await askCode(server, browser, phone));
    const line = done.setCookies.find((c) => c.startsWith("nadi_session="));
    for (const part of ["HttpOnly", "SameSite=Lax", "Path=/", "Max-Age="]) expect(line).toContain(part);
  });

  it("logging out asks first, then ends the session", async () => {
    const [browser, phone] = [caller(), newPhone()];
    await tryCode(browser, await askCode(server, browser, phone));
    const token = browser.cookies.get("nadi_session")!;
    const asked = readable((await browser.get("/logout")).text);
    expect(asked).toContain("Logout Confirmation");
    expect(asked).toContain("Are you sure you want to log out?");
    expect((await browser.get("/patient/calendar")).status).toBe(200);
    browser.cookies.set("nadi_booking", "/patient/appointments/patient-detail");
    const out = await browser.post("/logout");
    expect(out.location).toBe("/choose-role");
    for (const name of ["nadi_session", "nadi_booking"]) expect(browser.cookies.has(name), name).toBe(false);
    expect(readable((await browser.follow(out)).text)).toContain("Logged out successfully!");
    expect(await sessionsOf(phone)).toHaveLength(0);
    browser.cookies.set("nadi_session", token);
    expect((await browser.get("/patient/calendar")).location).toContain("/dual-patient");
  });

  it("disabling an account refuses new sessions and ends existing ones", async () => {
    const [browser, phone] = [caller(), newPhone()];
    await tryCode(browser, await askCode(server, browser, phone));
    await server.sql`update users set status = 'disabled' where phone = ${phone}`;
    expect((await browser.get("/patient/calendar")).location).toContain("/dual-patient");
    server.clock.advance(31_000);
    const again = caller();
    const answer = await tryCode(again, await askCode(server, again, phone));
    expect(answer.status).toBe(403);
    expect(readable(answer.text)).toContain("This account is closed. Please contact support.");
    expect(again.cookies.has("nadi_session")).toBe(false);
    expect(await sessionsOf(phone)).toHaveLength(1); // the deleted one, no new one
  });
});

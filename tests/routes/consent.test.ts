/** Consent to the processing of personal data, given by a login beside the notice. */
import { strFromU8, unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NOTICE } from "#app/domains/platform/accounts/privacy-notice.ts";
import { readable } from "../factories/booking.ts";
import { askCode, logInPatient, proveDoctorPhone } from "../factories/logins.ts";
import { makeDoctor, makePatient, newEmail, newPhone } from "../factories/people.ts";
import { Browser, raw } from "../setup/http.ts";
import { startServer, type TestServer } from "../setup/server.ts";

const PASSWORD = "corréct-horse-9";
let server: TestServer;
beforeAll(async () => {
  server = await startServer({ seed: false });
});
afterAll(() => server?.stop());

/** Logs in as a browser does: with what is in the form. */
async function logIn(phone: string, browser = new Browser(server.url)): Promise<Browser> {
  const otp = await askCode(server, browser, phone);
  const form = (await browser.get("/dual-patient")).text;
  const notice = /name="notice" value="([^"]*)"/.exec(form)![1]!;
  expect((await browser.post("/dual-patient", { intent: "verify", otp, notice })).location).toBe("/patient-dashboard");
  return browser;
}
const consentsOf = (phone: string) =>
  server.sql`select c.notice::text, c.language from consents c join users u on u.id = c.user_id where u.phone = ${phone} order by c.notice`;

describe("a patient", () => {
  it("reads the notice before the phone is typed, and again beside the code", async () => {
    const browser = new Browser(server.url);
    const first = (await browser.get("/dual-patient")).text;
    await askCode(server, browser, newPhone());
    for (const page of [first, (await browser.get("/dual-patient")).text]) {
      const text = readable(page);
      for (const part of [
        "By logging in you agree",
        "Your phone number:",
        "the documents you add:",
        "withdraws your consent",
        "Data Protection Board",
      ])
        expect(text).toContain(part);
      expect(page).toContain('href="/patient/terms#privacy"');
    }
    const te = new Browser(server.url);
    await te.post("/language", { language: "te", next: "/dual-patient" });
    expect((await te.get("/dual-patient")).text).toContain("సమ్మతిస్తున్నారు");
  });

  it("agrees once to each version, in the language of the page", async () => {
    const phone = newPhone();
    const browser = new Browser(server.url);
    await browser.post("/language", { language: "hi", next: "/dual-patient" });
    await logIn(phone, browser);
    expect(await consentsOf(phone)).toMatchObject([{ notice: NOTICE, language: "hi" }]);
    server.clock.advance(31_000);
    await logIn(phone);
    expect(await consentsOf(phone)).toHaveLength(1);
  });

  it("with an account from before agrees at the next login, and to a new version again", async () => {
    const patient = await makePatient(server.db);
    await server.sql`insert into consents (user_id, notice, language, at) values (${patient.id}, '2026-01-01', 'en', now())`;
    await logIn(patient.phone);
    expect((await consentsOf(patient.phone)).map(({ notice }) => notice)).toEqual(["2026-01-01", NOTICE]);
  });

  it("who did not see this notice has no record, and uses everything", async () => {
    const phone = newPhone();
    const browser = await logInPatient(server, phone);
    expect(await consentsOf(phone)).toEqual([]);
    expect(readable((await browser.get("/patient/data")).text)).toContain("We ask for your consent when you next log in.");
    for (const path of ["/patient-dashboard", "/patient/emergency-contact"]) expect((await browser.get(path)).status).toBe(200);
    server.clock.advance(31_000);
    const old = new Browser(server.url);
    const otp = await askCode(server, old, phone);
    expect((await old.post("/dual-patient", { intent: "verify", otp, notice: "2026-01-01" })).status).toBe(303);
    expect(await consentsOf(phone)).toEqual([]);
  });

  it("sees the consent in the own data and its download, and withdraws it by deleting the account", async () => {
    const phone = newPhone();
    const browser = await logIn(phone);
    const page = readable((await browser.get("/patient/data")).text);
    expect(page).toMatch(/On \d{1,2} \w{3} \d{4}, .* you agreed to how Nadi uses your data/);
    expect(page).toContain("To withdraw your consent, delete your account.");
    const cookie = `nadi_session=${browser.cookies.get("nadi_session")}`;
    const zip = unzipSync(
      (await raw(server.url, { path: "/patient/data/download", headers: { host: new URL(server.url).host, cookie } })).body,
    );
    const { consents } = JSON.parse(strFromU8(zip["data.json"]!));
    expect(consents).toMatchObject([{ notice: NOTICE, language: "en" }]);
    await browser.post("/patient/data/delete", { word: "DELETE" });
    // The proof that it was given stays, without a name.
    const [left] =
      await server.sql`select u.phone, u.status from consents c join users u on u.id = c.user_id where c.id = ${consents[0].id}`;
    expect(left).toEqual({ phone: null, status: "deleted" });
  });
});

describe("a doctor", () => {
  it.each(["login", "register"] as const)("agrees on the %s page", async (mode) => {
    const browser = new Browser(server.url);
    const { email, phone } =
      mode === "login" ? await makeDoctor(server.db, { password: PASSWORD }) : { email: newEmail(), phone: newPhone() };
    expect(readable((await browser.get(`/dual-doctor?mode=${mode}`)).text)).toContain(
      "What you open and change: recorded, to protect patients.",
    );
    await proveDoctorPhone(server, browser, { email, password: PASSWORD, mobile: phone, mode });
    const page = (await browser.get("/dual-doctor")).text;
    const notice = /name="notice" value="([^"]*)"/.exec(page)![1]!;
    expect((await browser.post("/dual-doctor", { intent: "continue", notice })).status).toBe(303);
    expect(await consentsOf(phone)).toMatchObject([{ notice: NOTICE, language: "en" }]);
    const own = readable((await browser.get("/account/security")).text);
    expect(own).toMatch(/On \d{1,2} \w{3} \d{4}, .* you agreed to how Nadi uses your data/);
    expect(own).toContain("To withdraw your consent, contact support.");
  });
});

/** Which language a response is in, what decides it, and that no user gets a cached response in another language. */
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LANGUAGES, type Language } from "#app/lib/language.ts";
import { askCode, tryCode } from "../factories/logins.ts";
import { newPhone } from "../factories/people.ts";
import { Browser, raw } from "../setup/http.ts";
import { DEMO, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server?.stop());

const catalogue = (language: Language): Record<string, string> =>
  Object.assign(
    {},
    ...readdirSync(`app/messages/${language}`).map((file) => JSON.parse(readFileSync(`app/messages/${language}/${file}`, "utf8"))),
  );
const words = Object.fromEntries(LANGUAGES.map((one) => [one, catalogue(one)])) as Record<Language, Record<string, string>>;
const langOf = (html: string) => /<html lang="(\w+)"/.exec(html)?.[1];
const from = (language: string) => ({ "accept-language": language });
const PROMPT = "common_role_prompt";

describe("a visitor", () => {
  it.each([
    ["te-IN,te;q=0.9,en;q=0.5", "te"],
    ["hi;q=0.9,en;q=0.8", "hi"],
    ["ta,fr", "en"],
  ] as const)("who requests %s is answered in %s", async (header, language) => {
    const answer = await new Browser(server.url).get("/choose-role", from(header));
    expect(langOf(answer.text)).toBe(language);
    expect(answer.text).toContain(words[language][PROMPT]);
    expect(answer.headers.get("content-language")).toBe(language);
    for (const name of ["Cookie", "Accept-Language"]) expect(answer.headers.get("vary")).toContain(name);
  });

  it("switches without a login, and returns to the same page", async () => {
    const visitor = new Browser(server.url);
    const answer = await visitor.post("/language", { language: "te", from: "/doctorspages/Cards-data?q=a&lang=hi" });
    expect([answer.status, answer.location]).toEqual([303, "/doctorspages/Cards-data?q=a"]);
    expect(answer.setCookies.join()).toMatch(/^lang=te; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax/);
    // Before the language that the browser requests.
    expect(langOf((await visitor.get("/choose-role", from("hi"))).text)).toBe("te");
    expect(langOf((await visitor.get("/doctorspages/Cards-data")).text)).toBe("te");
  });

  it("who follows a link in one language continues in it", async () => {
    const visitor = new Browser(server.url);
    expect(langOf((await visitor.get("/doctorspages/Cards-data?lang=hi", from("te"))).text)).toBe("hi");
    expect(langOf((await visitor.get("/choose-role", from("te"))).text)).toBe("hi");
    // A link does not change a choice.
    await visitor.post("/language", { language: "te" });
    expect(langOf((await visitor.get("/doctorspages/Cards-data?lang=hi")).text)).toBe("hi");
    expect(langOf((await visitor.get("/choose-role")).text)).toBe("te");
  });

  it("never gets the cached page of another language", async () => {
    for (const language of ["te", "en", "hi", "te", "hi", "en"] as const)
      expect((await raw(server.url, { path: "/choose-role", headers: from(language) })).text, language).toContain(words[language][PROMPT]);
  });

  it.each(["//evil.example/", "https://evil.example/", "/\\evil.example", "javascript:alert(1)", "/.//evil.example"])(
    "is not sent to %s",
    async (target) => {
      const visitor = new Browser(server.url);
      expect((await visitor.post("/language", { language: "hi", from: target })).location).toBe("/choose-role");
      expect((await visitor.get(`/language?from=${encodeURIComponent(target)}`)).text).not.toContain("evil");
    },
  );

  it("refuses a switch from another site, and unknown languages", async () => {
    const visitor = new Browser(server.url);
    expect((await visitor.post("/language", { language: "te" }, { origin: "https://evil.example" })).status).toBe(403);
    expect((await visitor.post("/language", { language: "ta" })).status).toBe(400);
    expect(visitor.cookies.has("lang")).toBe(false);
  });

  it("sees refusals in their language", async () => {
    const refused = await raw(server.url, { path: "/assets/nothing.js", headers: from("te") });
    expect(refused.text).toContain(words.te.error_not_found);
    expect(langOf(refused.text)).toBe("te");
    const lost = await new Browser(server.url).get("/nowhere", from("hi"));
    expect([lost.status, langOf(lost.text)]).toEqual([404, "hi"]);
    expect(lost.text).toContain(words.hi.common_not_found_title);
    const form = await new Browser(server.url).post("/dual-patient", { intent: "send", phoneNumber: "12" }, from("te"));
    expect(form.text).toContain(words.te.accounts_mobile_invalid);
    const large = { method: "POST", path: "/dual-patient", body: "x".repeat(2_000_000) };
    const tooLarge = await raw(server.url, {
      ...large,
      headers: { ...from("hi"), "content-type": "application/x-www-form-urlencoded", origin: server.url },
    });
    expect([tooLarge.status, langOf(tooLarge.text)]).toEqual([413, "hi"]);
    expect(tooLarge.text).toContain(words.hi.server_too_large);
    const phone = newPhone();
    const eager = new Browser(server.url);
    await askCode(server, eager, phone, from("te"));
    const often = await eager.post("/dual-patient", { intent: "send", phoneNumber: phone.slice(3) }, from("te"));
    expect([often.status, langOf(often.text)]).toEqual([429, "te"]);
    expect(often.text).not.toContain("Please wait");
    expect(often.text.replace(/\d+/g, "{seconds}")).toContain(words.te.error_wait_seconds);
  });
});

describe("an account", () => {
  const languageOf = async (userId: string) =>
    (await server.sql<{ language: string | null }[]>`select language from users where id = ${userId}`)[0]?.language;

  it("prefers its choice over cookie and browser, on other devices too", async () => {
    const phone = newPhone();
    const here = await loginAs(server, { role: "patient", phone });
    expect(await languageOf(here.userId)).toBeNull();
    await here.post("/language", { language: "te", from: "/patient/settings" });
    expect(await languageOf(here.userId)).toBe("te");
    const there = await loginAs(server, { role: "patient", phone });
    there.cookies.set("lang", "hi");
    const page = await there.get("/patient/settings", from("en"));
    expect(langOf(page.text)).toBe("te");
    expect(page.text).toContain(words.te.settings_title);
    // A link in another language opens in it, and changes nothing.
    expect(langOf((await there.get("/doctorspages/Cards-data?lang=en")).text)).toBe("en");
    expect(await languageOf(here.userId)).toBe("te");
    expect(langOf((await there.get("/doctorspages/Cards-data")).text)).toBe("te");
    // Pages that do not read the session follow the account too.
    expect(there.cookies.get("lang")).toBe("te");
    expect(langOf((await there.get("/patient/emergency-contact")).text)).toBe("te");
    there.cookies.delete("nadi_session");
    expect(langOf((await there.get("/dual-patient")).text)).toBe("te");
  });

  const logIn = async (browser: Browser, phone: string, headers: Record<string, string> = {}) =>
    tryCode(browser, await askCode(server, browser, phone, headers), headers);
  const own = async (phone: string) =>
    (await server.sql<{ language: string | null }[]>`select language from users where role = 'patient' and phone = ${phone}`)[0]?.language;

  it("without a language takes the one chosen before the login, and one with a language sets it in the browser", async () => {
    const phone = newPhone();
    const first = new Browser(server.url);
    await first.post("/language", { language: "hi" });
    expect((await logIn(first, phone)).status).toBe(303);
    expect(await own(phone)).toBe("hi");
    const other = newPhone();
    const { userId } = await loginAs(server, { role: "patient", phone: other });
    await server.sql`update users set language = 'hi' where id = ${userId}`;
    const second = new Browser(server.url);
    await second.post("/language", { language: "te" });
    expect((await logIn(second, other)).status).toBe(303);
    expect(await own(other)).toBe("hi");
    expect(second.cookies.get("lang")).toBe("hi");
  });

  it("uses the language of the browser, and accepts where that is English", async () => {
    const [telugu, english] = [newPhone(), newPhone()];
    await logIn(new Browser(server.url), telugu, from("te"));
    await logIn(new Browser(server.url), english, from("en-IN,en"));
    expect([await own(telugu), await own(english)]).toEqual(["te", null]);
  });

  it("shows toasts in the new language when it changes before the next page", async () => {
    const browser = new Browser(server.url);
    expect((await logIn(browser, newPhone(), from("te"))).status).toBe(303);
    await browser.post("/language", { language: "hi", from: "/patient-dashboard" });
    const { text } = await browser.get("/patient-dashboard");
    expect(langOf(text)).toBe("hi");
    expect(text).toContain(words.te.accounts_otp_verified);
    expect((await browser.get("/patient-dashboard")).text).not.toContain(words.te.accounts_otp_verified);
  });

  it("can be switched in the settings of patients and doctors", async () => {
    const patient = await loginAs(server, DEMO.patient);
    const doctor = await loginAs(server, DEMO.doctor);
    for (const [who, path] of [
      [patient, "/patient/settings"],
      [doctor, "/doctor/settings"],
    ] as const) {
      const { text } = await who.get(path);
      for (const [language, name] of [
        ["en", "English"],
        ["te", "తెలుగు"],
        ["hi", "हिन्दी"],
      ])
        expect(text).toMatch(new RegExp(`<button[^>]*lang="${language}"[^>]*>${name}</button>`));
    }
  });
});

it("the API answers in the language of the account or the requested one", async () => {
  const path = "/api/nothing";
  const answer = await raw(server.url, { path, headers: from("te") });
  expect(JSON.parse(answer.text).message).toBe(words.te.api_unknown ?? words.en.api_unknown);
  expect(answer.headers.vary).toContain("Accept-Language");
  expect(JSON.parse((await raw(server.url, { path })).text).message).toBe(words.en.api_unknown);

  // An app: the SMS is in the language it requests, and the language of the account has priority.
  const phone = newPhone();
  const call = (at: string, body: object, language: string) =>
    fetch(server.url + at, {
      method: "POST",
      headers: { "content-type": "application/json", ...from(language) },
      body: JSON.stringify(body),
    });
  expect((await call("/api/auth/patient/send-otp", { phoneNumber: phone.slice(3) }, "hi")).status).toBe(200);
  expect((await server.outbox(phone))[0]!.body).toMatch(/[\u0900-\u097f]{3}/);
  const entered = await call("/api/auth/patient/verify-otp", { phoneNumber: phone.slice(3), otp: await server.lastCode(phone) }, "hi");
  const { token } = (await entered.json()) as { token: string };
  await server.sql`update users set language = 'te' where phone = ${phone}`;
  const refused = await raw(server.url, { path, headers: { ...from("hi"), authorization: `Bearer ${token}` } });
  expect(JSON.parse(refused.text).message).toBe(words.hi.api_unknown);
  const own = await raw(server.url, { path: "/api/notifications/my", headers: { ...from("hi"), authorization: `Bearer ${token}` } });
  expect(own.headers["content-language"]).toBe("te");
});

it("public pages and the sitemap link their other languages", async () => {
  const visitor = new Browser(server.url);
  const { text } = await visitor.get("/hospitalpages/Cards-data?lang=te");
  const links = [...text.matchAll(/<link[^>]*rel="alternate"[^>]*>/g)].map(([tag]) => tag);
  const of = (language: string) => links.find((tag) => new RegExp(`hreflang="${language}"`, "i").test(tag));
  expect(of("en")).toMatch(/href="[^"?]*\/hospitalpages\/Cards-data"/);
  expect(of("te")).toMatch(/href="[^"?]*\/hospitalpages\/Cards-data\?lang=te"/);
  expect(of("hi")).toMatch(/\?lang=hi"/);
  expect(of("x-default")).toMatch(/href="[^"?]*\/hospitalpages\/Cards-data"/);
  expect(text).toMatch(/<link[^>]*rel="canonical"[^>]*\?lang=te"/);
  for (const path of ["/", "/choose-role"]) {
    const first = (await visitor.get(path)).text;
    for (const [language, query] of [
      ["en", ""],
      ["te", "\\?lang=te"],
      ["hi", "\\?lang=hi"],
      ["x-default", ""],
    ])
      expect(first, path).toMatch(new RegExp(`<link rel="alternate" hrefLang="${language}" href="http[^"]*:\\d+${path}${query}"`, "i"));
  }
  const map = (await visitor.get("/sitemaps/doctors-1.xml")).text;
  expect(map).toMatch(/<xhtml:link rel="alternate" hreflang="hi" href="[^"]*\/details\/doctor\/[^"?]*\?lang=hi"\/>/);
});

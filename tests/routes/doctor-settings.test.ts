/** A doctor's settings, help and terms over HTTP. */
import { describe, expect, it } from "vitest";
import { againAs, errorsOf, plain } from "../setup/applications.ts";
import { server, verifiedDoctor } from "../setup/doctor-profile.ts";
import { Browser } from "../setup/http.ts";
import { DEMO, loginAs } from "../setup/people.ts";
import { startServer } from "../setup/server.ts";

describe("settings", () => {
  it("are stored on the server, with the defaults of spec 000 §9", async () => {
    const doctor = await verifiedDoctor();
    const state = async (who: Browser) => {
      const { text } = await who.get("/doctor/settings");
      const on = (name: string) => /\bchecked\b/.test(new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(text)?.[0] ?? "");
      return [on("email"), on("sms")];
    };
    expect(plain((await doctor.get("/doctor/settings")).text)).toMatch(
      /Notifications.*Email Notifications.*SMS Notifications.*Save Settings/,
    );
    expect(await state(doctor)).toEqual([true, false]);
    const saved = await doctor.follow(await doctor.post("/doctor/settings", { intent: "save", sms: "on" }));
    expect(plain(saved.text)).toContain("Settings saved successfully!");
    expect(await state(await againAs(server, doctor.userId))).toEqual([false, true]);
    expect(await state(await verifiedDoctor())).toEqual([true, false]);
    expect((await doctor.post("/doctor/settings", { intent: "else" })).status).toBe(400);
  });

  it("change the password: this session remains, the others end, an email is sent, and the new password works", async () => {
    const doctor = await loginAs(server, DEMO.doctor);
    const other = await againAs(server, doctor.userId);
    const change = (currentPassword: string, newPassword: string, confirmPassword = newPassword) =>
      doctor.post("/doctor/settings/password", { currentPassword, newPassword, confirmPassword });
    expect((await doctor.get("/doctor/settings")).text).toContain('href="/doctor/settings/password"');
    const dialog = (await doctor.get("/doctor/settings/password")).text;
    expect(dialog).toMatch(/<dialog[^>]*open[^>]*>.*Current password.*New password.*Confirm new password/s);
    const wrong = await change("not it", "new secret");
    expect([wrong.status, errorsOf(wrong)]).toEqual([400, { currentPassword: "The current password is not correct" }]);
    expect(wrong.text).not.toContain("new secret");
    expect(errorsOf(await change("demo1234", "demo1234"))).toEqual({
      newPassword: "The new password must be different from the current one",
    });
    expect(errorsOf(await change("demo1234", "abc"))).toEqual({ newPassword: "Password must be at least 6 characters" });
    expect(errorsOf(await change("demo1234", "new secret", "new"))).toEqual({ confirmPassword: "The two new passwords do not match" });
    expect((await other.get("/doctor/settings")).status).toBe(200);
    const done = await doctor.follow(await change("demo1234", "new secret"));
    expect(plain(done.text)).toContain("Password changed successfully!");
    expect((await other.get("/doctor/settings")).status).toBe(303);
    await expect
      .poll(async () => (await server.outbox("doctor@demo.test")).map((l) => l.subject), { timeout: 10_000 })
      .toContain("Your password was changed · Nadi");

    const login = new Browser(server.url);
    const logIn = async (password: string) => {
      server.clock.advance(60_000);
      await login.post("/dual-doctor", { intent: "send-otp", mode: "login", email: "doctor@demo.test", password, mobile: "9000000101" });
      await login.post("/dual-doctor", { intent: "verify-otp", otp: await server.lastCode("+919000000101") });
      return (await login.post("/dual-doctor", { intent: "continue" })).location;
    };
    // A wrong password is reported on the page itself.
    expect(await logIn("demo1234")).toBeNull();
    expect(await logIn("new secret")).toBe("/doctor-dashboard");
    expect((await change("new secret", "demo1234")).status).toBe(303);
  });

  it("limit wrong passwords in an open session", async () => {
    const doctor = await verifiedDoctor();
    const answers = [];
    for (let i = 0; i < 11; i++)
      answers.push(
        await doctor.post("/doctor/settings/password", {
          currentPassword: `guess ${i}`,
          newPassword: "new secret",
          confirmPassword: "new secret",
        }),
      );
    expect(answers.map((a) => a.status)).toEqual([...Array(10).fill(400), 429]);
    expect(Number(answers.at(-1)?.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  it("list the sessions and end the others", async () => {
    const doctor = await verifiedDoctor();
    expect(plain((await doctor.get("/doctor/settings")).text)).toContain("You are not logged in on any other device.");
    const other = await againAs(server, doctor.userId);
    const stranger = await verifiedDoctor();
    const page = (await doctor.get("/doctor/settings")).text;
    expect(page.match(/This device/g)).toHaveLength(1);
    expect(page).toContain("Log out all other devices");
    const ended = await doctor.follow(await doctor.post("/doctor/settings", { intent: "end-others" }));
    expect(plain(ended.text)).toContain("All other devices are logged out.");
    expect([(await other.get("/doctor/settings")).status, (await stranger.get("/doctor/settings")).status]).toEqual([303, 200]);
  });
});

describe("help and terms", () => {
  it("show the contacts and find questions in any case", async () => {
    const doctor = await verifiedDoctor();
    const page = await doctor.get("/doctor/help");
    for (const part of [
      "24/7 support",
      "WhatsApp",
      "We answer within 2 hours",
      "up to 24 hours before",
      "Demo: these phone numbers and this email address do not work.",
    ])
      expect(plain(page.text)).toContain(part);
    for (const to of ["tel:+910000000000", "https://wa.me/910000000000", "mailto:support@demo.test"])
      expect(page.text).toContain(`href="${to}"`);
    const questions = (text: string) => text.match(/<details [^>]*name="faq"/g)?.length ?? 0;
    expect(questions(page.text)).toBe(10);
    const found = await doctor.get("/doctor/help?q=WEEKLY+pattern");
    expect([questions(found.text), plain(found.text).includes("How do I offer times to patients?")]).toEqual([1, true]);
    const none = await doctor.get("/doctor/help?q=%3Cscript%3E");
    expect(plain(none.text)).toContain("No FAQs found for your search.");
    expect(none.text).not.toContain('<script>"');
  });

  it("show the contacts that the environment sets", async () => {
    const own = await startServer({ env: { SUPPORT_PHONE: "0866 247 4301", SUPPORT_EMAIL: "help@nadi.example" } });
    try {
      const doctor = await loginAs(own, DEMO.doctor);
      const { text } = await doctor.get("/doctor/help");
      expect(text).toContain('href="tel:+918662474301"');
      expect(text).toContain("help@nadi.example");
      expect(text).not.toContain("nobody answers");
    } finally {
      await own.stop();
    }
  });

  it("show ten sections of terms and today's date", async () => {
    const doctor = await verifiedDoctor();
    const { text } = await doctor.get("/doctor/terms");
    expect(text.match(/<h2/g)).toHaveLength(10);
    const page = plain(text);
    expect(page).toContain("Welcome to Nadi.");
    const today = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "Asia/Kolkata" })
      .format(new Date())
      .replace("Sept", "Sep");
    expect(page).toContain(`Last Updated: ${today}`);
    for (const part of ["laws of India", "Vijayawada, Andhra Pradesh", "previous twelve months"]) expect(page).toContain(part);
  });
});

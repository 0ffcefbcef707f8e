/** Notifications of the browser: turning them on, and why it may not work. */
import { createECDH, randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { makeDoctor, makePatient, makeVisit } from "../factories/people.ts";
import { axeOn } from "../setup/axe.ts";
import { expect, test } from "../setup/browser.ts";
import { DEMO, loginAs } from "../setup/people.ts";
import { startPushService } from "../setup/push-service.ts";
import { startServer } from "../setup/server.ts";

test.use({ serviceWorkers: "allow" });

/** A subscription needs a push service of the browser's maker: the page gets one from here instead. */
const stubPush = (page: Page) =>
  page.addInitScript(
    (keys) => {
      let endpoint = sessionStorage.getItem("endpoint");
      const subscription = () => ({
        endpoint,
        options: {},
        toJSON: () => ({ endpoint, keys }),
        unsubscribe: async () => {
          sessionStorage.removeItem("endpoint");
          endpoint = null;
          return true;
        },
      });
      Object.assign(PushManager.prototype, {
        getSubscription: async () => (endpoint ? subscription() : null),
        subscribe: async ({ applicationServerKey, userVisibleOnly }: { applicationServerKey: Uint8Array; userVisibleOnly: boolean }) => {
          if (applicationServerKey.length !== 65 || !userVisibleOnly) throw new TypeError("no key");
          endpoint = `https://push.example.com/${crypto.randomUUID()}`;
          sessionStorage.setItem("endpoint", endpoint);
          return subscription();
        },
      });
    },
    { p256dh: createECDH("prime256v1").generateKeys("base64url"), auth: randomBytes(16).toString("base64url") },
  );

/** The permission that a user gives: headless Chromium refuses notifications whatever a test grants. */
const allow = (page: Page) =>
  page.addInitScript(() => {
    Object.defineProperty(Notification, "permission", { get: () => "granted" });
    Notification.requestPermission = async () => "granted";
  });

for (const role of ["patient", "doctor"] as const)
  test(`a ${role} turns notifications on and off, after a press only`, { tag: "@js" }, async ({ page, server, logIn }) => {
    const { userId } = await logIn(DEMO[role]);
    const rows = () => server.sql`select from push_subscriptions where user_id = ${userId}`;
    await allow(page);
    await stubPush(page);
    await page.goto(`/${role}/settings`);
    await page.getByRole("link", { name: "Set up notifications" }).click();
    const here = page.getByRole("region", { name: "This device" });
    await expect(here.getByText("Off", { exact: true })).toBeVisible();
    expect(await rows()).toHaveLength(0);
    await here.getByRole("button", { name: "Turn on notifications" }).click();
    await expect(here.getByText("This device shows notifications of Nadi.")).toBeVisible();
    expect(await rows()).toHaveLength(1);
    // Its script is loaded for the first message: axe must not meet it while it fades in.
    await expect(page.getByText("Notifications are on.")).toBeVisible();
    expect((await axeOn(page).analyze()).violations).toEqual([]);
    await here.getByRole("button", { name: "Turn off" }).click();
    await expect(here.getByRole("button", { name: "Turn on notifications" })).toBeVisible();
    expect(await rows()).toHaveLength(0);

    await page.getByRole("checkbox", { name: "Reminders" }).uncheck();
    await page.getByRole("button", { name: "Save choices" }).click();
    await expect(page.getByText("Your choices are saved.")).toBeVisible();
    await expect(page.getByRole("checkbox", { name: "Reminders" })).not.toBeChecked();
    await expect(page.getByRole("checkbox", { name: "Appointments" })).toBeChecked();
  });

test("a message of the server reaches the service worker of a browser, which shows it without names", { tag: "@js" }, async ({
  page,
  context,
}) => {
  const service = await startPushService();
  const server = await startServer({ seed: false, env: { WEBHOOK_TEST_ORIGIN: service.origin } });
  try {
    const patient = await makePatient(server.db, { name: "Secretia Patientova" });
    const doctor = await makeDoctor(server.db, { name: "Dr. Secretia Namedova" });
    const visit = await makeVisit(server.db, { patient, doctor }, { time: "10:00" });
    const asDoctor = await loginAs(server, { role: "doctor", email: doctor.email });
    const me = await loginAs(server, { role: "patient", phone: patient.phone });
    await context.addCookies([{ name: "nadi_session", value: me.token, url: server.url, httpOnly: true, sameSite: "Lax" }]);
    const [worker] = await Promise.all([context.waitForEvent("serviceworker"), page.goto(`${server.url}/patient/settings/push`)]);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    // The permission is missing in headless Chromium, so what the worker shows is noted in its place.
    await worker.evaluate(() => {
      const { registration } = self as unknown as { registration: ServiceWorkerRegistration };
      const shown: unknown[] = [];
      registration.showNotification = async (title: string, options: object) => void shown.push({ title, ...options });
      Object.assign(self, { shown });
    });
    const { path: _, ...address } = service.subscribe();
    expect((await me.post("/patient/settings/push", { intent: "on", ...address })).status).toBe(303);
    expect((await asDoctor.post(`/doctor/appointments/${visit}/accept`)).status).toBe(303);
    await expect.poll(() => service.delivered.length, { timeout: 30_000 }).toBe(1);
    expect(service.faults).toEqual([]);

    const devtools = await context.newCDPSession(page);
    const registered = new Promise<string>((found) =>
      devtools.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
        if (registrations[0]) found(registrations[0].registrationId);
      }),
    );
    await devtools.send("ServiceWorker.enable");
    const registrationId = await registered;
    const deliver = (data: string) => devtools.send("ServiceWorker.deliverPushMessage", { origin: server.url, registrationId, data });
    const shown = () => worker.evaluate(() => (self as unknown as { shown: Record<string, unknown>[] }).shown);
    await deliver(service.delivered[0]!.text);
    await expect.poll(async () => (await shown()).length).toBe(1);
    const [notification] = await shown();
    const path = `/patient/appointments/${visit}`;
    expect(notification).toMatchObject({ title: "Appointment accepted", body: "Open Nadi to read it.", lang: "en", data: { path } });
    expect(JSON.stringify(notification)).not.toMatch(/Secretia|\+91/);
    // A press opens this page.
    await page.goto(server.url + path);
    await expect(page.getByText("Dr. Secretia Namedova").first()).toBeVisible();
    // A message that cannot be read is shown too: browsers require it.
    await deliver("not JSON");
    await expect.poll(async () => (await shown()).length).toBe(2);
    expect((await shown())[1]).toMatchObject({ title: "Nadi", body: "", data: { path: "/start" } });
  } finally {
    // Its connection would fail without the server.
    await page.close();
    await server.stop();
    await service.close();
  }
});

test.describe("where it does not work", () => {
  const open = async (page: Page) => {
    await page.goto("/patient/settings/push");
    return page.getByRole("region", { name: "This device" });
  };
  test("the page names the permission that was refused", { tag: "@js" }, async ({ page, logIn }) => {
    await logIn(DEMO.patient);
    await page.addInitScript(() => Object.defineProperty(Notification, "permission", { get: () => "denied" }));
    await expect((await open(page)).getByText(/are blocked in this browser/)).toBeVisible();
    await expect(page.getByRole("button", { name: "Turn on notifications" })).toHaveCount(0);
  });
  test("the page names browsers that can", { tag: "@js" }, async ({ page, logIn }) => {
    await logIn(DEMO.patient);
    await page.addInitScript(() => Reflect.deleteProperty(window, "PushManager"));
    await expect((await open(page)).getByText(/Open Nadi in Chrome/)).toBeVisible();
  });
  test("the page explains the Home Screen of an iPhone", { tag: "@js" }, async ({ page, logIn }) => {
    await logIn(DEMO.patient);
    await page.addInitScript(() => {
      Reflect.deleteProperty(window, "PushManager");
      Object.defineProperty(navigator, "userAgent", { get: () => "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)" });
    });
    await expect((await open(page)).getByText(/Add to Home Screen/)).toBeVisible();
  });
  test("the page offers another attempt after an error of the browser", { tag: "@js" }, async ({ page, logIn }) => {
    await logIn(DEMO.patient);
    await allow(page);
    await page.addInitScript(() => Object.assign(PushManager.prototype, { subscribe: () => Promise.reject(new Error("no service")) }));
    const here = await open(page);
    await here.getByRole("button", { name: "Turn on notifications" }).click();
    await expect(here.getByText(/could not turn notifications on/)).toBeVisible();
    await expect(here.getByRole("button", { name: "Turn on notifications" })).toBeEnabled();
  });
});

test("without scripts the page says so, and saves the kinds", async ({ page, logIn, hasJs }) => {
  await logIn(DEMO.patient);
  await page.goto("/patient/settings/push");
  if (!hasJs) await expect(page.getByText(/allow JavaScript in your browser/)).toBeVisible();
  await page.getByRole("checkbox", { name: "Reviews" }).uncheck();
  await page.getByRole("button", { name: "Save choices" }).click();
  await expect(page.getByRole("checkbox", { name: "Reviews" })).not.toBeChecked();
});

/** How long a toast is shown, and how many at once (specification 000 §9). */
import { dayFromNow, makeDoctor } from "../factories/people.ts";
import { expect, test } from "../setup/browser.ts";

test("a success is shown for two seconds, an error for four", { tag: "@js" }, async ({ page, server, logIn, faults }) => {
  const doctor = await makeDoctor(server.db);
  await logIn({ role: "doctor", email: doctor.email });
  await page.clock.install();
  await page.goto("/doctor/settings");
  const toast = page.locator("[data-sonner-toast]");
  await page.getByRole("button", { name: "Save Settings" }).click();
  await expect(toast).toHaveText("Settings saved successfully!");
  await page.clock.fastForward(1_000);
  await expect(toast).toHaveAttribute("data-removed", "false");
  await page.clock.fastForward(1_100);
  await expect(toast).toHaveCount(0);

  // A toast of one page does not cover the next page.
  await page.getByRole("button", { name: "Save Settings" }).click();
  await expect(toast).toHaveText("Settings saved successfully!");
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 100);
  await page.getByRole("link", { name: "Back" }).click();
  await page.waitForURL("**/doctor/profile");
  await expect(async () => {
    await page.clock.fastForward(16);
    await expect(toast).toHaveAttribute("data-removed", "true", { timeout: 100 });
  }).toPass({ intervals: [100] });
  await page.clock.resume();
  await expect(toast).toHaveCount(0);

  await page.goto("/doctor/ai-chat");
  faults.allow(/ERR_FAILED.*\/doctor\/ai-chat\/ask$/);
  await page.route("**/doctor/ai-chat/ask", (route) => route.abort());
  await page.getByLabel("Your message").fill("Hello");
  await page.getByLabel("Your message").press("Enter");
  await expect(toast).toHaveText("Failed to send message");
  await page.clock.fastForward(3_000);
  await expect(toast).toHaveAttribute("data-removed", "false");
  await page.clock.fastForward(1_100);
  await expect(toast).toHaveCount(0);
});

test("shows every one of many toasts, and at most twenty at once", { tag: "@js" }, async ({ page, server, logIn }) => {
  const doctor = await makeDoctor(server.db, { slots: [{ date: dayFromNow(1), time: "09:00" }] });
  await logIn({ role: "doctor", email: doctor.email });
  await page.goto("/doctor/availability");
  await expect.poll(async () => (await (await fetch(`${server.url}/metrics`)).text()).match(/^realtime_sockets (\d+)/m)?.[1]).not.toBe("0");
  await server.sql`select pg_notify('nadi_events', json_build_object('userId', ${doctor.id}::text, 'event', 'receiveNotification',
    'data', json_build_object('_id', n::text, 'message', 'News ' || n, 'type', 'danger'))::text) from generate_series(1, 25) n`;
  await expect(page.locator("[data-sonner-toast]")).toHaveCount(25);
  await expect(page.locator("[data-sonner-toast][data-visible=true]")).toHaveCount(20);
});

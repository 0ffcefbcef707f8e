import { expect, hydrated, test } from "../setup/browser.ts";
import { DEMO } from "../setup/people.ts";

test("pages hydrate under the enforced policy, without an error", async ({ page, hasJs, logIn, faults }) => {
  await logIn(DEMO.patient);
  faults.allow(/^404 GET \/nowhere$/);
  for (const path of ["/choose-role", "/patient-dashboard", "/doctorspages/Cards-data", "/nowhere"]) {
    await page.goto(path);
    await expect(page.locator("h1").first()).toBeVisible();
    if (hasJs) await hydrated(page);
  }
});

test("the policy is enforced: an injected handler does not run", { tag: "@js" }, async ({ page, logIn, faults }) => {
  await logIn(DEMO.patient);
  await page.goto("/patient-dashboard");
  faults.allow(/Content Security Policy/, /^policy violation: script-src-attr /);
  const refused = page.waitForEvent("console", (message) => /Content Security Policy/.test(message.text()));
  await page.evaluate(() => document.body.insertAdjacentHTML("beforeend", '<img src="data:," onerror="window.injected = true">'));
  await refused;
  expect(await page.evaluate(() => "injected" in window)).toBe(false);
});

test("a page has the stylesheet of its user", async ({ page, logIn }) => {
  await logIn(DEMO.doctor);
  await page.goto("/doctor-dashboard");
  await expect(page.locator("style#css[data-of=staff]")).toHaveCount(1);
  await page.goto("/doctor/appointments");
  await expect(page.locator("link#css[data-of=staff]")).toHaveCount(1);
  await expect(page.locator("link[data-precedence]")).toHaveCount(0);
});

test("a page that knows no user leads to one with the sheet of patients", async ({ page, logIn }) => {
  await logIn(DEMO.patient);
  await page.goto("/choose-role");
  await expect(page.locator("#css[data-of=visitors]")).toHaveCount(1);
  await page.locator("a[href='/dual-patient']").first().click();
  await expect(page).toHaveURL(/\/patient-dashboard/);
  await expect(page.locator('link[rel=stylesheet][href*="/patients-"]')).toHaveCount(1);
});

test("a form without a file works with and without JavaScript", async ({ page }) => {
  await page.goto("/dual-patient");
  await page.locator("input[name=phoneNumber]").fill("12345");
  await page.locator("button[value=send]").click();
  await expect(page.getByText("Please enter a valid 10-digit mobile number").first()).toBeVisible();
  await expect(page.locator("input[name=phoneNumber]")).toHaveValue("12345");
});

test("client-side navigation focuses the new page's heading, restores the scroll position on Back, and announces changes", {
  tag: "@js",
}, async ({ page, logIn }) => {
  await logIn(DEMO.patient);
  // By name: other tests of this server add doctors, and the list has pages.
  await page.goto("/doctorspages/Cards-data?q=Anjali");
  // Before its scripts run a press loads a whole document.
  await page.waitForLoadState("networkidle");
  const doctor = page.getByRole("link", { name: "Dr. Anjali Vemuri" });
  await doctor.press("Enter");
  await expect(page.getByRole("heading", { name: "Dr. Anjali Vemuri" })).toBeFocused();
  await page.goBack();
  await expect(doctor).toBeFocused();

  // A day: the same link, now current, announced with its free times. The same for a month.
  await page.goForward();
  await page.getByRole("link", { name: "Book Now" }).press("Enter");
  await expect(page.getByRole("heading", { name: "Book an appointment", level: 1 })).toBeFocused();
  const day = page.locator("[data-strip] a:not([aria-current])", { hasText: / free$/ }).last();
  const name = (await day.locator(".sr-only").innerText()).replace(/, ?$/, "");
  const free = await day.locator("small").innerText();
  await day.press("Enter");
  const chosen = page.getByRole("link", { name: `${name}, chosen, ${free}` });
  await expect(chosen).toBeFocused();
  await expect(page.locator("[aria-live]").filter({ hasText: "Nadi" })).toHaveText(`Book an appointment · ${name}, ${free} · Nadi`);

  // After loading more, the focus is on the first new entry.
  await page.goto("/patient-dashboard");
  await page.getByRole("link", { name: "Load More", exact: true }).press("Enter");
  await expect(page.locator("#d1 a").first()).toBeFocused();
});

import { expect, test } from "../setup/browser.ts";
import { DEMO } from "../setup/people.ts";

test("pages hydrate under the enforced policy, without a fault", async ({ page, hasJs, logIn, faults }) => {
  await logIn(DEMO.patient);
  for (const path of ["/choose-role", "/patient-dashboard", "/doctorspages/Cards-data", "/nowhere"]) {
    await page.goto(path);
    await expect(page.locator("h1").first()).toBeVisible();
    if (hasJs) await page.waitForLoadState("networkidle");
  }
  expect(faults).toEqual([]);
});

test("the policy is in force: an injected handler does not run", { tag: "@js" }, async ({ page, logIn }) => {
  await logIn(DEMO.patient);
  await page.goto("/patient-dashboard");
  const refused = page.waitForEvent("console", (message) => /Content Security Policy/.test(message.text()));
  await page.evaluate(() => document.body.insertAdjacentHTML("beforeend", '<img src="data:," onerror="window.injected = true">'));
  await refused;
  expect(await page.evaluate(() => "injected" in window)).toBe(false);
});

test("desk pages bring their own stylesheet; a second page links what the first one brought", async ({ page, logIn, faults }) => {
  await logIn(DEMO.doctor);
  await page.goto("/doctor-dashboard");
  await expect(page.locator("#css-app")).toHaveCount(1);
  await expect(page.locator('#css-desk, link[data-precedence="desk"]')).toHaveCount(1);
  await page.goto("/doctor/appointments");
  await expect(page.locator("link#css-app[rel=stylesheet]")).toHaveCount(1);
  expect(faults).toEqual([]);
});

test("a form without a file works with and without scripts", async ({ page, faults }) => {
  await page.goto("/dual-patient");
  await page.locator("input[name=phoneNumber]").fill("12345");
  await page.locator("button[value=send]").click();
  await expect(page.getByText("Please enter a valid 10-digit mobile number").first()).toBeVisible();
  await expect(page.locator("input[name=phoneNumber]")).toHaveValue("12345");
  expect(faults).toEqual([]);
});

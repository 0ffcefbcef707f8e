/** No page violates the content security policy, also not pages that validate with zod in the browser. */
import { expect, test } from "../setup/browser.ts";
import { DEMO } from "../setup/people.ts";

test("forms that validate in the browser violate no policy", { tag: "@js" }, async ({ page, logIn, faults }) => {
  await page.goto("/dual-doctor?tab=login");
  await page.getByLabel(/email/i).first().fill("nothing");
  await page.keyboard.press("Tab");
  await expect(page.locator('[aria-invalid="true"]').first()).toBeVisible();
  await logIn(DEMO.doctor);
  await page.goto("/doctor/settings/password");
  await page.locator('input[type="password"]').first().fill("x");
  await page.keyboard.press("Tab");
  expect(faults).toEqual([]);
});
test("the test detects violations of the policy", { tag: "@js" }, async ({ page, faults }) => {
  await page.goto("/dual-doctor");
  await page.evaluate(() => {
    document.body.append(Object.assign(document.createElement("img"), { src: "https://evil.invalid/x.png" }));
  });
  await expect.poll(() => faults.splice(0).join()).toContain("img-src");
});

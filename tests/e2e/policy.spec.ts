/** No page violates the content security policy, also not pages that validate with zod in the browser. */
import { expect, test } from "../setup/browser.ts";
import { DEMO } from "../setup/people.ts";

test("forms that validate in the browser violate no policy", { tag: "@js" }, async ({ page, logIn }) => {
  await page.goto("/dual-doctor?tab=login");
  await page.getByLabel(/email/i).first().fill("nothing");
  await page.keyboard.press("Tab");
  await expect(page.locator('[aria-invalid="true"]').first()).toBeVisible();
  await logIn(DEMO.doctor);
  await page.goto("/doctor/settings/password");
  await page.locator('input[type="password"]').first().fill("x");
  await page.keyboard.press("Tab");
});
test("the test detects violations of the policy, also those that the console does not show", { tag: "@js" }, async ({ page, faults }) => {
  faults.allow(/img-src/, /script-src.*eval/i);
  await page.goto("/dual-doctor");
  await page.evaluate(() => {
    document.body.append(Object.assign(document.createElement("img"), { src: "https://evil.invalid/x.png" }));
  });
  await expect.poll(() => faults.found.join()).toContain("img-src");
  await page.evaluate(() => {
    const script = document.createElement("script");
    script.nonce = document.querySelector("script")?.nonce ?? "";
    // Later, because a call of the test itself may use eval.
    script.textContent = "setTimeout(() => { try { new Function('') } catch {} })";
    document.body.append(script);
  });
  await expect.poll(() => faults.found.join()).toMatch(/eval/i);
});

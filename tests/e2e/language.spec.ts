/** A user who reads Telugu or Hindi: every text is in that language, with JavaScript and without. */
import { LANGUAGE_NAMES, type Language } from "#app/lib/language.ts";
import { newPhone } from "../factories/people.ts";
import { expect, test } from "../setup/browser.ts";

for (const language of ["te", "hi"] as const satisfies Language[]) {
  test(`${language}: the switch, the login and the pages after it`, async ({ page, server }) => {
    const warnings: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "warning") warnings.push(message.text());
    });

    await page.goto("/choose-role");
    const own = page.getByRole("button", { name: LANGUAGE_NAMES[language] });
    await expect(own).toHaveAttribute("lang", language);
    const box = await own.boundingBox();
    expect(Math.min(box?.height ?? 0, box?.width ?? 0)).toBeGreaterThanOrEqual(44);
    await own.click();
    await expect(page.locator("html")).toHaveAttribute("lang", language);
    await expect(page).toHaveURL(/\/choose-role$/);

    const phone = newPhone();
    await page.goto("/dual-patient");
    await page.locator('[name="phoneNumber"]').fill(phone.slice(3));
    await page.locator('button[name="intent"][value="send"]').click();
    await expect(page.locator('[name="otp"]').first()).toBeAttached();
    const code = await server.lastCode(phone);
    await page.locator('[name="otp"]').first().fill(code);
    const verify = page.locator('button[name="intent"][value="verify"]');
    if ((await verify.count()) > 0 && page.url().includes("dual-patient")) await verify.click();
    await page.waitForURL("**/patient-dashboard");
    await expect(page.locator("html")).toHaveAttribute("lang", language);
    const script = { te: /[\u0C00-\u0C7F]/, hi: /[\u0900-\u097F]/ }[language];
    await expect(page.locator("h1, h2").first()).toHaveText(script);

    // Without a new document where JavaScript runs.
    await page.locator('nav a[href="/hospitalpages/Cards-data"]:visible').first().click();
    await page.waitForURL("**/hospitalpages/**");
    await expect(page).toHaveTitle(script);
    await page.locator('nav a[href="/patient/profile"]:visible').first().click();
    await page.waitForURL("**/patient/profile");
    await expect(page.locator("h1")).toHaveText(script);
    await page.locator('main a[href="/patient/settings"]').click();
    await page.waitForURL("**/patient/settings");

    // The toaster, which loads late, uses it too.
    await page.locator('button[name="intent"][value="save"]').click();
    await page.waitForURL("**/patient/profile");
    await expect(page.locator("[role=status], [data-sonner-toast]").filter({ hasText: script, visible: true }).first()).toBeVisible();

    // Back to English: a new document.
    await page.goto("/patient/settings");
    await page.getByRole("button", { name: "English" }).click();
    await expect(page.locator("html")).toHaveAttribute("lang", "en");
    await expect(page.getByRole("heading", { name: "Settings" })).toBeVisible();
    expect(warnings.filter((text) => /hydrat|did not match/i.test(text))).toEqual([]);
  });
}

test("a toast follows in the other window too", { tag: "@js" }, async ({ page, context, logIn }) => {
  await logIn({ role: "patient", phone: newPhone() });
  await page.goto("/patient/settings");
  const beside = await context.newPage();
  await beside.goto("/patient/settings");
  await beside.getByRole("button", { name: LANGUAGE_NAMES.hi }).click();
  await expect(beside.locator("html")).toHaveAttribute("lang", "hi");
  await page.locator('button[name="intent"][value="save"]').click();
  await expect(page.locator("html")).toHaveAttribute("lang", "hi");
  await expect(page.locator("main [role=status]").filter({ hasText: /[\u0900-\u097f]/ })).toBeVisible();
});

test("a window follows when another language is chosen beside it", { tag: "@js" }, async ({ page, context }) => {
  await page.goto("/language?from=/dual-patient");
  const beside = await context.newPage();
  await beside.goto("/choose-role");
  await beside.getByRole("button", { name: LANGUAGE_NAMES.hi }).click();
  await expect(beside.locator("html")).toHaveAttribute("lang", "hi");
  await page.locator('a[href="/dual-patient"]').click();
  await page.waitForURL("**/dual-patient");
  await expect(page.locator("html")).toHaveAttribute("lang", "hi");
});

/** The warning before an idle session ends: a banner with JavaScript, a sentence without. */
import { newPhone, typed } from "../factories/people.ts";
import { expect, test } from "../setup/browser.ts";
import { DEMO } from "../setup/people.ts";

const MINUTES = 60_000;

test("warns a reviewer two minutes before, and extends the session", async ({ page, server, logIn, hasJs }) => {
  const { userId } = await logIn(DEMO.reviewer);
  await server.sql`update sessions set last_seen_at = now() where user_id = ${userId}`;
  if (hasJs) await page.clock.install();
  await page.goto("/reviewer");
  if (!hasJs) {
    // Text locators skip <noscript>.
    await expect(page.locator("noscript p").first()).toHaveText("You are logged out after 30 minutes without activity.");
    return;
  }
  const warning = page.getByText("You will be logged out in less than 2 minutes");
  await page.waitForLoadState("networkidle");
  server.clock.set(28.5 * MINUTES);
  try {
    // The page sets its timer when its script starts, which may be after the first jump of the clock.
    await expect(async () => {
      await page.clock.fastForward(28.5 * MINUTES);
      await expect(warning).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await page.getByRole("button", { name: "Stay logged in" }).click();
    await expect(warning).toBeHidden();
    server.clock.set(40 * MINUTES);
    await page.goto("/reviewer");
    await expect(page).toHaveURL(/\/reviewer$/);
  } finally {
    server.clock.set(0);
  }
});

test("tells a screen reader of the wait for a code each minute and shortly before its end", { tag: "@js" }, async ({ page }) => {
  await page.clock.install();
  await page.goto("/dual-patient");
  await page.getByLabel("Mobile number").fill(typed(newPhone()));
  await page.getByRole("button", { name: "Send code" }).click();
  const spoken = page.getByRole("status").filter({ hasText: / left$/ });
  await expect(page.getByRole("heading", { name: "Enter the 6-digit code" })).toBeVisible();
  const said: string[] = [];
  for (let second = 0; second < 300 && said.at(-1) !== "10 seconds left"; second++) {
    await page.clock.runFor(1_000);
    const [text = ""] = await spoken.allTextContents();
    if (text && said.at(-1) !== text) said.push(text);
  }
  expect(said.slice(-2)).toEqual(["30 seconds left", "10 seconds left"]);
  for (const text of said.slice(0, -2)) expect(text).toMatch(/^\d minutes? left$/);
});

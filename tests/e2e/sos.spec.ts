import type { Page } from "@playwright/test";
import { axeOn } from "../setup/axe.ts";
import { BOTH_WAYS, expect, inTwoProcesses, test } from "../setup/browser.ts";

// SOS must not depend on which process answers.
inTwoProcesses();

const PATH = "/patient/emergency-contact";
const clean = async (page: Page, what: string) => {
  const { violations } = await axeOn(page).analyze();
  expect(violations.map(({ id, nodes }) => `${what} ${id}: ${nodes[0]?.target}`)).toEqual([]);
};
/** The numbers are first, with any other content, and fit the narrowest phone. */
async function expectNumbers(page: Page, what: string, axe: boolean) {
  await expect(page.getByRole("link", { name: /^108/ })).toHaveAttribute("href", "tel:108");
  await expect(page.getByRole("link", { name: /^112/ })).toHaveAttribute("href", "tel:112");
  const first = page.locator("main a, main button").first();
  await expect(first).toHaveAttribute("href", "tel:108");
  if (axe) await clean(page, what);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
}
const place = (page: Page) => page.getByLabel("City, PIN code or area");

for (const tag of BOTH_WAYS)
  test(`from the button to help, and to Start Over ${tag}`, async ({ page, context, server, hasJs }) => {
    if (hasJs) {
      await context.grantPermissions(["geolocation"]);
      await context.setGeolocation({ latitude: 16.507, longitude: 80.646 });
    }
    await page.goto(PATH);
    await expect(page.getByText("Or find a hospital")).toBeVisible();
    await expect(page.getByText("Only for real emergencies.")).toBeVisible();
    await expectNumbers(page, "idle", hasJs);
    await page.getByRole("button", { name: /SOS/ }).click();
    if (!hasJs) {
      await expect(page.getByRole("heading", { name: "Where are you?" })).toBeVisible();
      await expectNumbers(page, "where", false);
      await place(page).fill("Vijayawada");
      await page.getByRole("button", { name: "Find hospitals" }).click();
    }
    await expect(page.getByText("Contacting hospitals: call this one first (1 of 3)")).toBeVisible();
    const call = page.getByRole("link", { name: /^Call \+91/ });
    await expect(call).toHaveAttribute("href", /^tel:\+91\d{10}$/);
    await expect(page.getByText("Next, if no one answers")).toBeVisible();
    await expectNumbers(page, "contacting", hasJs);
    if (!hasJs) expect(await page.content()).toMatch(/http-equiv="refresh" content="\d+;url=\/patient\/emergency-contact"/);

    // The server moves on to the next one, and the page shows it.
    const first = await page.locator("#now").textContent();
    server.clock.advance(31_000);
    await page.reload();
    await expect(page.getByText("Contacting hospitals: now call this one (2 of 3)")).toBeVisible();
    expect(await page.locator("#now").textContent()).not.toBe(first);
    // The one before can be called again.
    const again = page.locator("li", { hasText: "No answer before? Call again." });
    await expect(again).toContainText(first!);
    await expect(again.getByRole("link", { name: `Call ${first}` })).toHaveAttribute("href", /^tel:\+91\d{10}$/);
    await page.getByRole("button", { name: "Stop - I've Received Help" }).click();
    await expect(page.getByRole("heading", { name: "You have received help" })).toBeVisible();
    await expect(page.getByRole("link", { name: /^Call / })).toHaveCount(3);
    await expectNumbers(page, "completed", hasJs);
    await page.getByRole("button", { name: "Start Over" }).click();
    await expect(page.getByText("Or find a hospital")).toBeVisible();
    server.clock.set(0);
  });

test("completes after the last hospital", async ({ page, server }) => {
  await page.goto(PATH);
  await page.request.post(PATH, { form: { intent: "place", place: "Vijayawada" }, headers: { origin: server.url } });
  await page.goto(PATH);
  await expect(page.getByText("Contacting hospitals: call this one first (1 of 3)")).toBeVisible();
  server.clock.advance(91_000);
  await page.reload();
  await expect(page.getByRole("heading", { name: "No answer? Call 108 now" })).toBeVisible();
  server.clock.set(0);
});

test("an unknown place shows a message and another try", { tag: "@no-js" }, async ({ page }) => {
  await page.goto(PATH);
  await page.getByRole("button", { name: /SOS/ }).click();
  await place(page).fill("Zzzqqx");
  await page.getByRole("button", { name: "Find hospitals" }).click();
  await expect(page.getByRole("alert")).toContainText("Place not found.");
  await expectNumbers(page, "error", false);
  await page.getByRole("button", { name: "Try Again" }).click();
  await expect(page.getByText("Or find a hospital")).toBeVisible();
});

test("a denied or unavailable position shows a message, and the typed place continues", { tag: "@js" }, async ({ page }) => {
  for (const [code, text] of [
    [1, "Location access was denied. Please enable location permissions in your browser settings to use this feature."],
    [2, "Could not get your location. Please enable location services in your browser and try again."],
  ] as const) {
    await page.addInitScript((refusal) => {
      navigator.geolocation.getCurrentPosition = (_, no) => no?.({ code: refusal } as GeolocationPositionError);
    }, code);
    await page.goto(PATH);
    await page.getByRole("button", { name: /SOS/ }).click();
    await expect(page.getByRole("alert")).toContainText(text);
    await expectNumbers(page, "denied", true);
    await page.getByRole("button", { name: "Try Again" }).click();
    await expect(page.getByRole("button", { name: /SOS/ })).toBeVisible();
  }
  await page.getByRole("button", { name: /SOS/ }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  await place(page).fill("520010");
  await page.getByRole("button", { name: "Find hospitals" }).click();
  await expect(page.getByText("Contacting hospitals: call this one first (1 of 3)")).toBeVisible();
});

test("ignores the second press of a double tap", { tag: "@js" }, async ({ page }) => {
  await page.addInitScript(() => {
    navigator.geolocation.getCurrentPosition = () => undefined;
  });
  await page.goto(PATH);
  await expect(page.getByRole("button", { name: /SOS/ })).toBeEnabled();
  await page.evaluate(async () => {
    [...document.querySelectorAll("button")].find(({ textContent }) => textContent.includes("SOS"))!.click();
    const find = () => document.querySelector<HTMLElement>("button[value=place]");
    while (!find()) await new Promise(requestAnimationFrame);
    find()?.click();
  });
  await expect(page.getByRole("heading", { name: "Finding your location" })).toBeVisible();
  // The browser would focus the empty field, and the keyboard would cover the numbers.
  await expect(place(page)).not.toBeFocused();
  await expect(place(page)).not.toHaveAttribute("aria-invalid");
});

test("a refusal while the user types preserves the text and the focus", { tag: "@js" }, async ({ page }) => {
  await page.addInitScript(() => {
    navigator.geolocation.getCurrentPosition = (_, no) => {
      document.addEventListener("refuse", () => no?.({ code: 1 } as GeolocationPositionError));
    };
  });
  await page.goto(PATH);
  await page.getByRole("button", { name: /SOS/ }).click();
  await place(page).pressSequentially("Vijaya");
  await page.evaluate(() => document.dispatchEvent(new Event("refuse")));
  await expect(page.getByRole("alert")).toContainText("Location access was denied.");
  await expect(place(page)).toHaveValue("Vijaya");
  await expect(place(page)).toBeFocused();
  await page.keyboard.type("wada");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Contacting hospitals: call this one first (1 of 3)")).toBeVisible();
});

test("a browser that never answers leaves the typed place within reach", { tag: "@js" }, async ({ page }) => {
  await page.addInitScript(() => {
    navigator.geolocation.getCurrentPosition = () => undefined;
  });
  await page.goto(PATH);
  await page.getByRole("button", { name: /SOS/ }).click();
  await expect(page.getByRole("heading", { name: "Finding your location" })).toBeVisible();
  await clean(page, "getting");
  await place(page).fill("Vijayawada");
  await page.getByRole("button", { name: "Find hospitals" }).click();
  await expect(page.getByText("Contacting hospitals: call this one first (1 of 3)")).toBeVisible();
});

test("an answered request to the browser does not shorten the next one", { tag: "@js" }, async ({ page }) => {
  await page.clock.install();
  await page.addInitScript(() => {
    let asked = 0;
    navigator.geolocation.getCurrentPosition = (_, no) => {
      if (++asked === 1) no?.({ code: 1 } as GeolocationPositionError);
    };
  });
  await page.goto(PATH);
  await page.getByRole("button", { name: /SOS/ }).click();
  await expect(page.getByRole("alert")).toContainText("Location access was denied.");
  await page.getByRole("button", { name: "Try Again" }).click();
  await page.clock.runFor(10_000);
  await page.getByRole("button", { name: /SOS/ }).click();
  const getting = page.getByRole("heading", { name: "Finding your location" });
  await expect(getting).toBeVisible();
  await page.clock.runFor(8_000);
  await expect(getting).toBeVisible();
  await expect(page.getByRole("alert")).toBeHidden();
  await page.clock.runFor(8_000);
  await expect(page.getByRole("alert")).toContainText("Could not get your location.");
});

test("the next hospital follows automatically", { tag: "@js" }, async ({ page, server }) => {
  await page.request.post(PATH, { form: { intent: "place", place: "Vijayawada" }, headers: { origin: server.url } });
  server.clock.advance(28_000);
  await page.goto(PATH);
  await expect(page.getByText("Contacting hospitals: call this one first (1 of 3)")).toBeVisible();
  await expect(page.getByText("Contacting hospitals: now call this one (2 of 3)")).toBeVisible();
  server.clock.advance(56_000);
  await page.reload();
  await expect(page.getByText("Contacting hospitals: now call this one (3 of 3)")).toBeVisible();
  await expect(page.getByRole("heading", { name: "No answer? Call 108 now" })).toBeVisible();
  server.clock.set(0);
});

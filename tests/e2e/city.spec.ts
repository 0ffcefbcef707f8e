/** The patient's dashboard: choosing a place, favourites, the enquiry. With JavaScript and without. */
import type { Page } from "@playwright/test";
import { expectAccessible, expectFits, NARROW, WIDE } from "../setup/axe.ts";
import { expect, hydrated, test } from "../setup/browser.ts";
import { DEMO } from "../setup/people.ts";
import { swept } from "../setup/swept.ts";

test.beforeEach(({ page }) => page.setViewportSize({ width: 390, height: 844 }));

const fresh = () => ({ role: "patient", phone: `+9170${String(Math.floor(Math.random() * 1e8)).padStart(8, "0")}` });
/** JavaScript runs: the search is a combobox. */
const ready = (page: Page) => page.getByRole("combobox").waitFor();

test.describe("a place", { tag: "@js" }, () => {
  test("search: from two letters, after a pause, with the keys of the specification", async ({ page, logIn }) => {
    await logIn(fresh());
    await page.goto("/location");
    await expect(page.getByRole("heading", { name: "Location Selection" })).toBeVisible();
    await ready(page);
    const asked: string[] = [];
    page.on(
      "request",
      (request) => request.url().includes("/location/cities?q=") && asked.push(new URL(request.url()).searchParams.get("q") ?? ""),
    );
    const box = page.getByRole("combobox", { name: "Search for a location" });
    await expect(box).toHaveAttribute("placeholder", "Enter city name...");
    const options = page.getByRole("option");
    await box.pressSequentially("guntur", { delay: 20 });
    await expect(options.first()).toHaveText("Guntur, Andhra Pradesh");
    // One request for six letters, after the pause.
    expect(asked).toEqual(["guntur"]);
    await expect(box).toHaveAttribute("aria-expanded", "true");
    expect(await options.count()).toBeLessThanOrEqual(8);
    await box.press("ArrowDown");
    await box.press("ArrowDown");
    await expect(options.nth(1)).toHaveAttribute("aria-selected", "true");
    await expect(box).toHaveAttribute("aria-activedescendant", (await options.nth(1).getAttribute("id"))!);
    await box.press("ArrowUp");
    await expect(options.first()).toHaveAttribute("aria-selected", "true");
    await expectAccessible(page, "suggestions");
    await box.press("Escape");
    await expect(box).toHaveValue("");
    await expect(options).toHaveCount(0);
    await box.fill("g");
    await box.fill("zzzzqq");
    await expect(page.getByText("No locations found")).toBeVisible();
    await expect(page.getByText("Try a different search term")).toBeVisible();
    expect(asked).not.toContain("g");
    // Enter without a mark chooses the first.
    await box.fill("tirupati");
    await expect(options.first()).toHaveText("Tirupati, Andhra Pradesh");
    await box.press("Enter");
    await expect(page.getByText("Location set to Tirupati")).toBeVisible();
    await page.waitForURL("**/patient-dashboard");
    await expect(page.getByRole("link", { name: "Your city Tirupati" })).toBeVisible();
  });

  test("Enter chooses the marked city", async ({ page, logIn }) => {
    await logIn(fresh());
    await page.goto("/location");
    await ready(page);
    const box = page.getByRole("combobox");
    await box.fill("guntur");
    await expect(page.getByRole("option").first()).toHaveText("Guntur, Andhra Pradesh");
    await box.press("ArrowDown");
    await box.press("ArrowDown");
    const second = (await page.getByRole("option").nth(1).textContent())!.split(",")[0]!;
    await box.press("Enter");
    await expect(page.getByText(`Location set to ${second}`)).toBeVisible();
  });

  test("the position of the browser", async ({ page, context, logIn }) => {
    await logIn(fresh());
    await context.grantPermissions(["geolocation"]);
    await context.setGeolocation({ latitude: 16.3051, longitude: 80.4371, accuracy: 30 });
    await page.goto("/location");
    await ready(page);
    await page.getByRole("button", { name: "Use Current Location" }).click();
    await expect(page.getByText("Location detected: Guntur")).toBeVisible();
    await page.waitForURL("**/patient-dashboard");
    await page.goto("/location");
    await page.getByText("Details", { exact: true }).click();
    await expect(page.getByText("30 metres")).toBeVisible();
    await expect(page.getByText("16.3051, 80.4371")).toBeVisible();
  });

  test("denied: tries the IP lookup and shows the alternative", async ({ page, logIn }) => {
    await logIn(fresh());
    let answer = () => {};
    const delayed = new Promise<void>((go) => {
      answer = go;
    });
    await page.route("**/location/cities", async (route) => {
      await delayed;
      await route.continue();
    });
    await page.goto("/location");
    await ready(page);
    await page.getByRole("button", { name: "Use Current Location" }).click();
    await expect(page.getByText("Location access denied. Trying IP detection...")).toBeVisible();
    answer();
    await expect(page.getByText("We could not find your city from your internet connection.")).toBeVisible();
    await expectAccessible(page, "denied");
  });

  for (const [what, code, sentence] of [
    ["unavailable", 2, "Location unavailable"],
    ["too slow", 3, "Location request timed out"],
    ["strange", 9, "Failed to get location"],
  ] as const)
    test(`a position that is ${what}`, async ({ page, logIn }) => {
      await logIn(fresh());
      await page.addInitScript((errorCode) => {
        Object.defineProperty(navigator, "geolocation", {
          value: { getCurrentPosition: (_: unknown, fail: (e: { code: number }) => void) => fail({ code: errorCode }) },
        });
      }, code);
      await page.goto("/location");
      await ready(page);
      await page.getByRole("button", { name: "Use Current Location" }).click();
      await expect(page.getByText(sentence)).toBeVisible();
    });

  test("a browser without geolocation, and a detection that never ends", async ({ page, logIn }) => {
    await logIn(fresh());
    await page.clock.install();
    await page.addInitScript(() => {
      let silent = false;
      Object.defineProperty(window, "silence", {
        value: () => {
          silent = true;
        },
      });
      Object.defineProperty(Navigator.prototype, "geolocation", { configurable: true, get: () => ({ getCurrentPosition: () => silent }) });
    });
    await page.goto("/location");
    await ready(page);
    await page.getByRole("button", { name: "Use Current Location" }).click();
    await expect(page.getByRole("button", { name: "Finding your city..." })).toBeVisible();
    await page.clock.runFor(29_000);
    await expect(page.getByText("Location detection timed out.")).toBeHidden();
    await page.clock.runFor(1_500);
    await expect(page.getByText("Location detection timed out. Please try again.")).toBeVisible();
    await page.evaluate(() => {
      delete (Navigator.prototype as { geolocation?: unknown }).geolocation;
    });
    await page.getByRole("button", { name: "Use Current Location" }).click();
    await expect(page.getByText("Geolocation is not supported by your browser")).toBeVisible();
  });
});

test("the pauses of the specification: 300 ms before a search, 0.8 s after a pick, 1 s after a detection @js", async ({
  page,
  context,
  logIn,
}) => {
  await logIn(fresh());
  await context.grantPermissions(["geolocation"]);
  await context.setGeolocation({ latitude: 16.3051, longitude: 80.4371, accuracy: 30 });
  const open = async () => {
    await page.clock.install();
    await page.goto("/location");
    await ready(page);
    await page.clock.pauseAt(Date.now() + 60_000);
  };
  await open();
  const asked: string[] = [];
  page.on("request", (request) => request.url().includes("/location/cities?q=") && asked.push(request.url()));
  const answered = page.waitForResponse((response) => response.url().includes("/location/cities?q="));
  await page.getByRole("combobox").fill("guntur");
  await page.clock.runFor(280);
  expect(asked).toEqual([]);
  await page.clock.runFor(40);
  await answered;
  expect(asked).toHaveLength(1);
  await page.getByRole("option").first().click();
  await expect(page.getByText("Location set to Guntur")).toBeVisible();
  await page.clock.runFor(750);
  await expect(page).toHaveURL(/\/location$/);
  await page.clock.runFor(100);
  await page.waitForURL("**/patient-dashboard");

  await open();
  await page.getByRole("button", { name: "Use Current Location" }).click();
  await expect(page.getByText("Location detected: Guntur")).toBeVisible();
  await page.clock.runFor(950);
  await expect(page).toHaveURL(/\/location$/);
  await page.clock.runFor(100);
  await page.waitForURL("**/patient-dashboard");
});

test("Contact Support is above the bottom bar, and lower beside the side bar, which folds", async ({ page, logIn, hasJs }) => {
  await logIn(DEMO.patient);
  await page.goto("/patient-dashboard");
  if (hasJs) await hydrated(page);
  // Without scripts it is at the end of the page.
  else await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  const box = async (of: ReturnType<Page["locator"]>) => (await of.boundingBox())!;
  const support = page.getByRole("link", { name: "Contact Support" });
  const button = await box(support);
  const bar = await box(page.locator("nav[data-nav=bar]"));
  expect(button.y + button.height).toBeLessThanOrEqual(bar.y);
  expect(button.x).toBeGreaterThanOrEqual(390 / 2);
  const covered = await page.locator("main :is(a, button)").evaluateAll((links) => {
    const { left, right, top, bottom } = document.getElementById("support")!.getBoundingClientRect();
    const isUnder = (box: DOMRect) => box.right > left && box.left < right && box.bottom > top && box.top < bottom;
    return links.filter((link) => link.id !== "support" && [...link.getClientRects()].some(isUnder)).map((link) => link.textContent);
  });
  expect(covered).toEqual([]);
  expect(Math.abs(button.width - button.height)).toBeLessThanOrEqual(8);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(page.locator("nav[data-nav=bar]")).toBeHidden();
  const lower = await box(support);
  expect(800 - (lower.y + lower.height)).toBeLessThan(844 - (button.y + button.height));
  const side = page.locator("nav[data-nav=side]");
  const wide = (await box(side)).width;
  await page.getByText("Collapse menu").click();
  expect((await box(side)).width).toBeLessThan(wide / 2);
  await expect(side.getByRole("link", { name: "Hospitals" })).toBeVisible();
});

test("a place without JavaScript: a search, a list of buttons, the dashboard at once", { tag: "@no-js" }, async ({ page, logIn }) => {
  await logIn(fresh());
  await page.goto("/patient-dashboard");
  await page.getByRole("link", { name: "Your city Vijayawada" }).click();
  await page.getByRole("searchbox", { name: "Search for a location" }).fill("gunt");
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("button", { name: "Guntur, Andhra Pradesh" }).click();
  await expect(page).toHaveURL(/\/patient-dashboard$/);
  await expect(page.getByRole("status").filter({ hasText: "Location set to Guntur" })).toBeVisible();
  await page.getByRole("link", { name: "Your city Guntur" }).click();
  await page.getByRole("button", { name: "Use Current Location" }).click();
  await expect(page.getByRole("alert")).toContainText("We could not find your city from your internet connection.");
  await page.getByRole("link", { name: "Back" }).click();
  await expect(page).toHaveURL(/\/patient-dashboard$/);
});

test("the dashboard: four doctors and eight hospitals, and links to all of each", async ({ page, logIn }) => {
  await logIn(DEMO.patient);
  await page.goto("/patient-dashboard");
  const doctors = page.getByRole("region", { name: "Nearby Doctors" }).getByRole("article");
  const hospitals = page.getByRole("region", { name: "Nearby Hospitals" });
  const cards = hospitals.getByRole("article");
  await expect(page.getByRole("region", { name: "Categories" }).getByRole("link")).toHaveText([
    "Dentistry",
    "Cardiology",
    "Pulmonary",
    "General",
    "Neurology",
    "Gastroen",
    "Laboratory",
    "Vaccination",
  ]);
  await expect(doctors).toHaveCount(4);
  await expect(cards).toHaveCount(8);
  await expect(hospitals.getByText(/^Showing 8 of \d+ hospitals$/)).toBeVisible();
  // Real distances, nearest first.
  const km = await page.locator(".card.doc .meta").allTextContents();
  const distances = km.map((text) => Number(/([\d.]+) km/.exec(text)?.[1]));
  expect(distances).toEqual([...distances].sort((a, b) => a - b));
  await expect(page.getByRole("link", { name: "Contact Support" })).toHaveAttribute("title", "Contact Support");
  await page.getByRole("link", { name: "Load More", exact: true }).click();
  await expect(doctors).toHaveCount(8);
  await expect(page).toHaveURL(/\?doctors=8#d1$/);
  await page.getByRole("link", { name: "Load More Hospitals" }).click();
  await expect(page).toHaveURL(/\?doctors=8&hospitals=16#h1$/);
  await expect(doctors).toHaveCount(8);
  const total = Number(/of (\d+)/.exec((await hospitals.getByText(/^Showing/).textContent())!)![1]);
  await expect(cards).toHaveCount(Math.min(16, total));
  await expect(hospitals.getByText(`Showing ${Math.min(16, total)} of ${total} hospitals`)).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Main" }).last().getByRole("link")).toHaveText([
    "Home",
    "Hospitals",
    "My Appointments",
    "Profile",
    "Enquiry",
  ]);
});

test("a category: its doctors, their number, the way back, and an empty one", async ({ page, server, logIn }) => {
  await logIn(DEMO.patient);
  await page.goto("/patient-dashboard");
  await page.getByRole("link", { name: "Cardiology", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Cardiology Doctors" })).toBeVisible();
  await expect(page.getByText(/^\d+ doctor\(s\)$/)).toBeVisible();
  expect(await page.locator(".card.doc").count()).toBeLessThanOrEqual(4);
  await page.getByRole("main").getByRole("link", { name: "Back to Dashboard" }).click();
  await expect(page.getByRole("heading", { name: "Categories" })).toBeVisible();
  const { sql } = server;
  await sql`update doctors set category = 'General' where category = 'Vaccination'`;
  await sql`update hospitals set specialties = array_remove(specialties, 'Vaccination')`;
  await page.goto("/patient-dashboard?category=Vaccination");
  await expect(page.getByText("0 doctor(s)")).toBeVisible();
  await expect(page.getByRole("heading", { name: "No Vaccination providers found in Vijayawada" })).toBeVisible();
});

test("the favourite button of a card", async ({ page, server, logIn, hasJs, faults }) => {
  const { userId } = await logIn(fresh());
  await page.goto("/patient-dashboard?doctors=8");
  const heart = page
    .locator(".card.doc")
    .nth(5)
    .getByRole("button", { name: /^Favourite: / });
  const rows = async () => Number((await server.sql`select count(*) as n from favourites where patient_id = ${userId}`)[0]!.n);
  if (hasJs) await hydrated(page);
  await expect(heart).toHaveAttribute("aria-pressed", "false");
  await heart.click();
  await expect(heart).toHaveAttribute("aria-pressed", "true");
  await expect.poll(rows).toBe(1);
  if (!hasJs) {
    await expect(page).toHaveURL(/\/patient-dashboard\?doctors=8#f-/);
    await expect(heart).toBeInViewport();
  }
  await page.reload();
  await expect(heart).toHaveAttribute("aria-pressed", "true");
  if (hasJs) {
    await hydrated(page);
    // Offline: the favourite button returns to its old state, with a message.
    faults.allow(/ERR_FAILED.*\/favourites$/);
    await page.route("**/favourites", (route) => route.abort());
    await heart.click();
    await expect(page.getByText("No internet. Your favourite was not saved. Try again.")).toBeVisible();
    await expect(heart).toHaveAttribute("aria-pressed", "true");
    await page.unroute("**/favourites");
  }
  await heart.click();
  await expect(heart).toHaveAttribute("aria-pressed", "false");
  await expect.poll(rows).toBe(0);
});

test("the enquiry: all three fields, a category, or help at once", async ({ page, logIn, hasJs }) => {
  await logIn(fresh());
  await page.goto("/patient-dashboard");
  if (hasJs) await hydrated(page);
  const open = () => page.getByRole("link", { name: "Enquiry" }).last().click();
  await open();
  if (hasJs) await expect(page.getByRole("dialog", { name: "What is the problem?" })).toBeVisible();
  else await expect(page).toHaveURL(/\/patient\/appointments\/Query$/);
  // axe needs JavaScript.
  if (hasJs) await expectAccessible(page, "enquiry");
  const send = page.getByRole("button", { name: "Find doctors and hospitals" });
  await send.click();
  await expect(page.getByRole("alert")).toContainText("Please fill all fields");
  await page.getByLabel("What are your symptoms?").fill("my elbow tingles");
  await page.getByLabel("When did it start?").fill("yesterday");
  await page.getByLabel("Which medicines do you take?").fill("none");
  await send.click();
  await expect(page.getByText("No matching category found")).toBeVisible();
  await expect(page.getByLabel("When did it start?")).toHaveValue("yesterday");
  await page.getByLabel("What are your symptoms?").fill("stomach ache after meals");
  await send.click();
  await expect(page).toHaveURL(/\/patient-dashboard\?category=Gastroen$/);
  await expect(page.getByText("Doctors & hospitals filtered successfully")).toBeVisible();
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(page.getByRole("heading", { name: "Gastroen Doctors" })).toBeVisible();
  await open();
  await page.getByLabel("What are your symptoms?").fill("crushing chest pain and sweating");
  await page.getByLabel("When did it start?").fill("just now");
  await page.getByLabel("Which medicines do you take?").fill("none");
  await send.click();
  await expect(page).toHaveURL(/\/patient\/emergency-contact\?enquiry=Cardiology$/);
  // A banner of the page, not a toast: it stays, and nothing covers it.
  const banner = page.locator("main .note[role=status]");
  await expect(banner).toContainText("This may be an emergency. Call 108 now.");
  await expect(page.getByText("This may be an emergency.")).toHaveCount(1);
  await expect(page.locator("[data-sonner-toast]")).toHaveCount(0);
  const doctors = banner.getByRole("link", { name: "Cardiology Doctors" });
  await expect(doctors).toBeInViewport();
  await doctors.click();
  await expect(page).toHaveURL(/\/patient-dashboard\?category=Cardiology$/);
});

test("nothing covers the text: the mark of the current place, and the message below the search", async ({ page, logIn }) => {
  await logIn(DEMO.patient);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto("/patient/calendar");
  const overlap = await page
    .getByRole("navigation")
    .getByRole("link", { name: "My Appointments" })
    .filter({ visible: true })
    .evaluate((link) => {
      const words = document.createRange();
      words.selectNodeContents(link.querySelector("span") as Element);
      const mark = (link.querySelector(".beat") as Element).getBoundingClientRect();
      const line = words.getBoundingClientRect();
      // The text is in the middle of the line.
      return Math.min(line.right, mark.right) > Math.max(line.left, mark.left) && mark.top < line.top + line.height * 0.7;
    });
  expect(overlap).toBe(false);
  await page.goto("/location?q=zzzz");
  // Both in one evaluation: a script may replace the list between two.
  const gap = () =>
    page.evaluate(() => {
      const [search, empty] = ["form[role=search] input", "main .card.text-center"].map((of) =>
        document.querySelector(of)?.getBoundingClientRect(),
      );
      return search && empty ? empty.top - search.bottom : -1;
    });
  await expect.poll(gap).toBeGreaterThanOrEqual(8);
});

test("every page of this area passes axe and does not scroll sideways", { tag: "@js" }, async ({ page, logIn }) => {
  await logIn(DEMO.patient);
  const pages = [
    "/patient-dashboard",
    "/patient-dashboard?category=General",
    "/location",
    "/location?q=ra",
    "/location?q=zzzz",
    "/patient/appointments/Query",
  ];
  for (const path of swept(pages)) {
    await page.goto(path);
    await expectFits(page, path, [NARROW, WIDE]);
  }
});

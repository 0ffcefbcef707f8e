/** Feedback of a press: pressed states, the progress line, optimistic chips, nothing moves. */
import type { Page } from "@playwright/test";
import { newFreeSlot, newPhone } from "../factories/people.ts";
import { expect, pauseData, test } from "../setup/browser.ts";
import { DEMO } from "../setup/people.ts";
import { swept } from "../setup/swept.ts";

test("a press on a link, a button or a card shows at once", { tag: "@js" }, async ({ page, logIn }) => {
  await logIn(DEMO.patient);
  await page.goto("/doctorspages/Cards-data");
  const opacityWhilePressed = async (selector: string) => {
    const box = (await page.locator(selector).first().boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    const opacity = await page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).opacity);
    await page.mouse.move(0, 0);
    await page.mouse.up();
    return opacity;
  };
  expect(await opacityWhilePressed("a.chip")).toBe("0.7");
  expect(await opacityWhilePressed("main .card .go")).toBe("0.7");
  expect(await opacityWhilePressed("main .icon-btn")).toBe("0.7");
});

test("a press on a choice shows at once", { tag: "@js" }, async ({ page, logIn }) => {
  await logIn(DEMO.patient);
  await page.goto("/patient/settings");
  const choice = page.locator("main label:has(input)").first();
  const box = (await choice.boundingBox())!;
  await page.mouse.move(box.x + 10, box.y + 10);
  await page.mouse.down();
  expect(await choice.evaluate((element) => getComputedStyle(element).opacity)).toBe("0.7");
  await page.mouse.move(0, 0);
  await page.mouse.up();
});

test("the search for a city shows that suggestions take long", { tag: "@js" }, async ({ page, logIn }) => {
  await logIn(DEMO.patient);
  await page.goto("/location", { waitUntil: "networkidle" });
  let go = () => {};
  const released = new Promise<void>((ok) => {
    go = ok;
  });
  await page.route("**/location/cities**", async (route) => {
    await released;
    await route.continue();
  });
  const field = page.getByLabel("Search for a location");
  await field.fill("gunt");
  await expect(field).toHaveAttribute("aria-busy", "true");
  go();
  await expect(page.getByRole("option").first()).toBeVisible();
  await expect(field).not.toHaveAttribute("aria-busy", "true");
});

test("a line shows that the next page loads, the old page is busy, and the pressed chip is current", { tag: "@js" }, async ({
  page,
  logIn,
}) => {
  await logIn(DEMO.patient);
  await page.goto("/doctorspages/Cards-data");
  const line = page.locator("#progress");
  await expect(line).toHaveCount(0);
  const go = await pauseData(page, "/doctorspages/Cards-data");
  const chip = page.getByRole("link", { name: "Cardiologist", exact: true });
  const before = await page.locator("main").boundingBox();
  await chip.click();
  await expect(line).toBeVisible();
  await expect(chip).toHaveAttribute("aria-current", "true");
  await expect(page.locator("main")).toHaveAttribute("aria-busy", "true");
  expect(await page.locator("main").boundingBox()).toEqual(before);
  expect(page.url()).not.toContain("Cardiologist");
  go();
  await page.waitForURL(/Cardiologist/);
  await expect(line).toHaveCount(0);
  await expect(page.locator("main")).not.toHaveAttribute("aria-busy", "true");
  await expect(chip).toHaveAttribute("aria-current", "true");
});

test("does not animate the line for users who reduce motion", { tag: "@js" }, async ({ page, logIn }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await logIn(DEMO.patient);
  await page.goto("/doctorspages/Cards-data");
  const go = await pauseData(page, "/doctorspages/Cards-data");
  await page.getByRole("link", { name: "Cardiologist", exact: true }).click();
  await expect(page.locator("#progress")).toBeVisible();
  expect(await page.locator("#progress").evaluate((line) => getComputedStyle(line).transform)).toBe("none");
  go();
  await page.waitForURL(/Cardiologist/);
});

test("the dock stays in its place while booking", { tag: "@js" }, async ({ page, server, logIn }) => {
  await logIn({ role: "patient", phone: newPhone() });
  const slot = await newFreeSlot(server.db);
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    const path = "/patient/appointments/patient-detail";
    await page.goto(`${path}?doctorId=${slot.doctor}&date=${slot.date}&time=${slot.time}`);
    await page.getByLabel("Name", { exact: true }).fill("Ravi Kumar");
    const dock = page.locator(".dock");
    const button = dock.getByRole("button");
    const places = () =>
      dock.evaluate((element) =>
        [element, element.querySelector("button")!, element.querySelector("p")!].map((part) => {
          const { x, y, width, height } = part.getBoundingClientRect();
          return [x, y, width, height].map(Math.round);
        }),
      );
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    const before = await places();
    const go = await pauseData(page, path);
    await button.click();
    await expect(button).toHaveText("Booking appointment...");
    expect(await places()).toEqual(before);
    expect(await button.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0);
    go();
    // Refused, because fields are missing.
    await expect(page.getByRole("alert")).toBeVisible();
    await expect(button).toHaveText("Book");
    await page.unrouteAll();
  }
});

test("nothing moves while a page loads", { tag: "@js" }, async ({ page, context, server, logIn }) => {
  await logIn(DEMO.patient);
  await context.addInitScript(() => {
    // What arrives with the last part of the HTML is on the screen two frames after the parser ends.
    let complete = Number.POSITIVE_INFINITY;
    document.addEventListener("readystatechange", () => {
      if (document.readyState !== "interactive") return;
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          complete = performance.now();
        }),
      );
    });
    const seen: { value: number; startTime: number; what: string }[] = [];
    Object.assign(window, {
      shifts: () => ({
        whileHtmlArrives: seen.filter(({ startTime }) => startTime <= complete).reduce((sum, { value }) => sum + value, 0),
        afterwards: seen.filter(({ startTime }) => startTime > complete).map(({ what }) => what),
      }),
    });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
        sources: { node?: Node }[];
      })[])
        if (!entry.hadRecentInput) {
          const nodes = entry.sources.map(({ node }) => (node as Element | undefined)?.className ?? node?.nodeName);
          seen.push({ value: entry.value, startTime: entry.startTime, what: `${entry.value.toFixed(4)} ${nodes}` });
        }
    }).observe({ type: "layout-shift", buffered: true });
  });
  const [doctor] = await server.sql<{ id: string }[]>`select id from users where email = ${DEMO.doctor.email}`;
  const [hospital] = await server.sql<{ id: string }[]>`select id from hospitals limit 1`;
  const pages = [
    "/patient-dashboard",
    "/doctorspages/Cards-data",
    `/details/doctor/${doctor!.id}`,
    `/patient/appointments/datetime?doctorId=${doctor!.id}`,
    "/hospitalpages/Cards-data",
    `/hospital/${hospital!.id}`,
    "/patient/calendar",
    "/patient/notifications",
    "/patient/profile",
    "/patient/family",
    "/patient/wallet",
    "/patient/settings",
    "/patient/ai-chat",
    "/patient/emergency-contact",
  ];
  // Two tabs: one loads while the other waits until its network is quiet.
  const visit = async (tab: Page, width: number) => {
    await tab.setViewportSize({ width, height: 844 });
    for (const path of swept(pages)) {
      await tab.goto(path, { waitUntil: "networkidle" });
      const { whileHtmlArrives, afterwards } = await tab.evaluate(() =>
        (window as unknown as { shifts: () => { whileHtmlArrives: number; afterwards: string[] } }).shifts(),
      );
      expect(afterwards, `${path} at ${width}`).toEqual([]);
      // The browser paints a half-read page too, while its bars still grow. The same limit as in docs/proof.md#matrix.
      expect(whileHtmlArrives, `${path} at ${width}`).toBeLessThanOrEqual(0.02);
    }
  };
  await Promise.all([visit(page, 390), visit(await context.newPage(), 1280)]);
});

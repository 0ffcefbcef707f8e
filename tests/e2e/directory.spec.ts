/** Finding a doctor and a hospital: search, filters, loading more in place, and the link to the booking. */
import { newFreeSlot } from "../factories/people.ts";
import { axeOn } from "../setup/axe.ts";
import { expect, hydrated, test } from "../setup/browser.ts";
import { DEMO } from "../setup/people.ts";

test("a visitor searches with a typing error, loads more and returns to the same place", async ({ page }) => {
  await page.goto("/doctorspages/Cards-data");
  await page.getByRole("searchbox", { name: "Search doctors" }).fill("cardiolgist");
  await page.getByRole("searchbox", { name: "Search doctors" }).press("Enter");
  await expect(page).toHaveURL(/q=cardiolgist/);
  await expect(page.getByText("Showing similar results.")).toBeVisible();
  await expect(page.locator(".card.doc").first()).toContainText("Cardiologist");

  await page.goto("/doctorspages/Cards-data");
  await expect(page.locator(".card.doc")).toHaveCount(8);
  await page.getByRole("link", { name: "Load More" }).click();
  await expect(page.locator(".card.doc")).toHaveCount(16);
  await page.locator(".card.doc .go").nth(12).click();
  await expect(page.getByRole("link", { name: "Book Now" })).toBeVisible();
  await page.goBack();
  await expect(page.locator(".card.doc")).toHaveCount(16);
  await expect(page.locator(".card.doc").nth(12)).toBeInViewport();

  await page.goto("/doctorspages/Cards-data?q=no-such-name");
  await page.getByRole("link", { name: "Reset Filters" }).click();
  await expect(page.locator(".card.doc")).toHaveCount(8);
});

test("a patient is offered suggestions while typing, opens one with the keys, and sees 108 first for danger words", { tag: "@js" }, async ({
  page,
  logIn,
}) => {
  await logIn({ role: "patient", phone: "+919812300063" });
  await page.goto("/patient-dashboard");
  await hydrated(page);
  const field = page.locator("#q");
  await field.pressSequentially("anjali");
  const offered = page.getByRole("option", { name: /Dr\. Anjali Vemuri/ });
  await expect(offered).toBeVisible();
  await field.press("ArrowDown");
  await expect(offered).toHaveAttribute("aria-selected", "true");
  await field.press("Enter");
  await expect(page.getByRole("heading", { name: "Dr. Anjali Vemuri" })).toBeVisible();
  await page.goto("/patient-dashboard");
  await hydrated(page);
  await field.pressSequentially("chest pain");
  const alarm = page.getByRole("alert").getByRole("link", { name: /108/ });
  await expect(alarm).toBeVisible();
  expect((await alarm.boundingBox())!.y).toBeLessThan((await page.getByRole("option").first().boundingBox())!.y);
  await field.press("Escape");
  await field.press("Enter");
  await page.waitForURL("**/doctorspages/Cards-data?q=chest+pain");
});

test("a visitor is offered suggestions too, by a script of the field's own", { tag: "@js" }, async ({ page }) => {
  await page.goto("/find-a-doctor");
  // The app's scripts are not on this page.
  await expect(page.locator("script[src]")).toHaveCount(1);
  const field = page.getByRole("searchbox").or(page.getByRole("combobox"));
  await field.pressSequentially("anjali");
  const offered = page.getByRole("option", { name: /Dr\. Anjali Vemuri/ });
  await expect(offered).toBeVisible();
  await expect(field).toHaveAttribute("aria-expanded", "true");
  await field.press("ArrowDown");
  await expect(offered).toHaveAttribute("aria-selected", "true");
  await expect(field).toHaveAttribute("aria-activedescendant", String(await offered.getAttribute("id")));
  expect((await axeOn(page).analyze()).violations.map((v) => `${v.id} ${v.nodes[0]?.html}`)).toEqual([]);
  await field.press("Enter");
  await expect(page.getByRole("heading", { name: "Dr. Anjali Vemuri" })).toBeVisible();
  await page.goto("/find-a-doctor");
  await field.pressSequentially("chest pain");
  const alarm = page.getByRole("alert").getByRole("link", { name: /108/ });
  await expect(alarm).toBeVisible();
  expect((await alarm.boundingBox())!.y).toBeLessThan((await page.getByRole("option").first().boundingBox())!.y);
  await expect(page.getByRole("alert")).not.toContainText("{name}");
  // A screen reader would read a new warning again.
  const warning = (await page.getByRole("alert").elementHandle())!;
  const answered = page.waitForResponse(/q=chest\+pain\+now$/);
  await field.pressSequentially(" now");
  await answered;
  await expect(alarm).toBeVisible();
  expect(await warning.evaluate((node) => node.isConnected)).toBe(true);
  await field.press("Escape");
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(page.getByRole("option")).toHaveCount(0);
  await field.press("Enter");
  await page.waitForURL("**/doctorspages/Cards-data?q=chest+pain+now");
});

test("what was typed before the scripts arrived stays, with the cursor", { tag: "@js" }, async ({ page, server, logIn }) => {
  const typedEarly = async (path: string) => {
    let release = () => {};
    const isTyped = new Promise<void>((resolve) => {
      release = resolve;
    });
    // Not the style sheets: without them nothing is painted.
    await page.route("**/assets/*.js", async (route) => {
      await isTyped;
      await route.fallback();
    });
    await page.goto(path, { waitUntil: "commit" });
    const fields = page.locator(
      "main :is(input:not([type]), input[type=text], input[type=tel], input[type=search], textarea):not([readonly]):visible",
    );
    await expect(fields.first(), path).toBeVisible();
    const count = await fields.count();
    for (let i = count - 1; i >= 0; i--) {
      await fields.nth(i).fill("");
      await fields.nth(i).pressSequentially("98");
    }
    release();
    await hydrated(page);
    expect(await fields.evaluateAll((all) => all.map((field) => (field as HTMLInputElement).value)), path).toEqual(
      Array.from({ length: count }, () => "98"),
    );
    await expect(fields.first(), path).toBeFocused();
    await page.unroute("**/assets/*.js");
  };
  for (const path of ["/dual-patient", "/dual-doctor"]) await typedEarly(path);
  await logIn(DEMO.patient);
  const slot = await newFreeSlot(server.db);
  for (const path of [
    "/patient-dashboard",
    "/location",
    "/doctorspages/Cards-data",
    "/hospitalpages/Cards-data",
    "/patient/family/add",
    "/patient/profile/edit",
    `/patient/appointments/patient-detail?doctorId=${slot.doctor}&date=${slot.date}&time=${slot.time}`,
  ])
    await typedEarly(path);
});

test("a hospital is filtered, opened, and links to its doctors", async ({ page }) => {
  await page.goto("/hospitalpages/Cards-data");
  await page.getByRole("link", { name: "Available Doctors" }).click();
  await expect(page.getByRole("link", { name: "Available Doctors" })).toHaveAttribute("aria-current", "true");
  await page.getByRole("combobox", { name: "Sort by" }).selectOption("doctors");
  await page.getByRole("button", { name: "Show" }).click();
  await expect(page).toHaveURL(/doctors=available.*sort=doctors/);
  await page.locator(".card.hos .go").first().click();
  await expect(page.getByRole("link", { name: "Directions" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Call" })).toHaveAttribute("href", /^tel:\+91/);
  await page.locator(".card.doc .go").first().click();
  await expect(page).toHaveURL(/\/details\/doctor\//);
  await expect(page.getByRole("link", { name: "Book Now" })).toBeVisible();
});

for (const [path, chip, sort] of [
  ["/doctorspages/Cards-data", "Dentist", "fee"],
  ["/hospitalpages/Cards-data", "Available Doctors", "doctors"],
] as const)
  test(`a chip of ${path} preserves the chosen order, and the fields match the URL`, async ({ page, logIn, hasJs }) => {
    // Pages of visitors run no scripts.
    await logIn({ role: "patient", phone: hasJs ? "+919812300061" : "+919812300062" });
    await page.goto(path);
    if (hasJs) await hydrated(page);
    const order = page.getByRole("combobox", { name: "Sort by" });
    const filters = page.getByText("Filters", { exact: true });
    const open = async () => {
      if ((await filters.count()) && !(await order.isVisible())) await filters.click();
    };
    await open();
    const search = page.getByRole("searchbox");
    await order.focus();
    await order.selectOption(sort);
    if (hasJs) {
      // At once, and the keyboard stays where it was.
      await expect(page).toHaveURL(new RegExp(`sort=${sort}`));
      await expect(order).toBeFocused();
    } else await page.getByRole("button", { name: "Show" }).click();
    // The URL changes a moment before the links of the page do.
    await expect(page.getByRole("link", { name: chip, exact: true })).toHaveAttribute("href", new RegExp(`sort=${sort}`));
    await page.getByRole("link", { name: chip, exact: true }).click();
    await expect(page.getByRole("link", { name: chip, exact: true })).toHaveAttribute("aria-current", "true");
    // A pressed chip is current at once. Text typed before its page is there would belong to the page before.
    await expect(page.locator("#progress")).toHaveCount(0);
    await open();
    expect(new URL(page.url()).searchParams.get("sort")).toBe(sort);
    await expect(order).toHaveValue(sort);
    if (hasJs) {
      // Text that was typed and not searched for is not in the list, so it is not in the field.
      await search.fill("never searched for");
      await page.getByRole("link", { name: "All", exact: true }).first().click();
      await expect(search).toHaveValue("");
      await expect(order).toHaveValue(sort);
      // Going back while the page is still loading would leave two entries.
      await expect(page.locator("#progress")).toHaveCount(0);
      await page.goBack();
      await expect(page.getByRole("link", { name: chip, exact: true })).toHaveAttribute("aria-current", "true");
      await expect(order).toHaveValue(sort);
    }
  });

test("a patient filters the doctors at once, removes one filter and returns", async ({ page, logIn, hasJs }) => {
  await logIn({ role: "patient", phone: hasJs ? "+919812300063" : "+919812300064" });
  await page.goto("/doctorspages/Cards-data");
  if (hasJs) await hydrated(page);
  await page.getByText("Filters", { exact: true }).click();
  await page.getByRole("radio", { name: "Woman" }).check({ force: true });
  if (!hasJs) await page.getByRole("button", { name: "Show doctors" }).click();
  await expect(page).toHaveURL(/gender=female/);
  await expect(page.locator("summary b").first()).toHaveText("1");
  if (!hasJs) await page.getByText("Filters").first().click();
  await page.getByRole("combobox", { name: "Speaks" }).selectOption("Urdu");
  if (!hasJs) await page.getByRole("button", { name: "Show doctors" }).click();
  await expect(page).toHaveURL(/language=Urdu/);
  await expect(page.getByRole("link", { name: "Clear all filters" })).toBeVisible();
  await page.getByRole("link", { name: "Remove filter: Woman" }).click();
  await expect(page.getByRole("link", { name: "Remove filter: Woman" })).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Remove filter: Urdu" })).toBeVisible();
  // Without scripts the filters are folded on each page.
  const unfold = () => (hasJs ? undefined : page.getByText("Filters").first().click());
  await unfold();
  await expect(page.getByRole("radio", { name: "Woman" })).not.toBeChecked();
  await page.goBack();
  await unfold();
  await expect(page.getByRole("radio", { name: "Woman" })).toBeChecked();
});

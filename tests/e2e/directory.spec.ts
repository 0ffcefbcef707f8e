/** Finding a doctor and a hospital: search, filters, loading more in place, and the link to the booking. */
import { expect, hydrated, test } from "../setup/browser.ts";

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

/** Finding a doctor and a hospital: search, filters, more of a list in place, and the way to booking. */
import { expect, test } from "../setup/browser.ts";

test("a visitor searches with a typing error, loads more and returns to the same place", async ({ page, faults }) => {
  await page.goto("/doctorspages/Cards-data");
  await page.getByRole("searchbox", { name: "Search doctors" }).fill("cardiolgist");
  await page.getByRole("button", { name: "Show" }).click();
  await expect(page).toHaveURL(/q=cardiolgist/);
  await expect(page.getByText("These come close.")).toBeVisible();
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

  await page.goto("/doctorspages/Cards-data?q=nobody-of-this-name");
  await page.getByRole("link", { name: "Reset Filters" }).click();
  await expect(page.locator(".card.doc")).toHaveCount(8);
  expect(faults).toEqual([]);
});

test("a hospital is filtered, opened, and links to its doctors", async ({ page, faults }) => {
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
  expect(faults).toEqual([]);
});

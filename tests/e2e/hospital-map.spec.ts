/** Google's map on a hospital's page, with a stub of Google's script: a map that fails leaves the address and the link. */
import type { BrowserContext, Page } from "@playwright/test";
import { expect, hydrated, test } from "../setup/browser.ts";
import { DEMO, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let withKey: TestServer;
test.beforeAll(async () => {
  withKey = await startServer({ env: { GOOGLE_MAPS_BROWSER_KEY: "browser-key" } });
});
test.afterAll(async () => withKey?.stop());

/** Draws a grey map, as Google does, then runs `after`. */
const googleWith = (after: string) => `
  google.maps.importLibrary = async () => ({
    Map: class { constructor(box) { box.innerHTML = '<div class="grey">grey</div>'; ${after} } },
    Marker: class {},
  });
  google.maps.__ib__();`;

async function openHospital(page: Page, context: BrowserContext, google: string | null): Promise<void> {
  const { token } = await loginAs(withKey, DEMO.patient);
  await context.addCookies([{ name: "nadi_session", value: token, url: withKey.url, httpOnly: true, sameSite: "Lax" }]);
  await page.route("https://maps.googleapis.com/**", (route) =>
    google === null ? route.abort() : route.fulfill({ contentType: "text/javascript", body: google }),
  );
  const [hospital] = await withKey.sql<{ id: string }[]>`
    select h.id from hospitals h where h.latitude is not null and h.status = 'active'
    order by (select count(*) from doctors d where d.hospital_id = h.id and d.registration_status = 'verified') desc limit 1`;
  await page.goto(`${withKey.url}/hospital/${hospital!.id}`);
  await hydrated(page);
}
const map = (page: Page) => page.getByRole("region", { name: /^Map: / });
async function expectNoMap(page: Page): Promise<void> {
  await expect(page.getByText("The map did not load. Open it with the link below.")).toBeVisible();
  await expect(map(page)).toHaveCount(0);
  await expect(page.locator(".grey")).toHaveCount(0);
  await expect(page.getByText("Address", { exact: true })).toBeVisible();
  await expect(page.locator('a[href^="https://www.openstreetmap.org/"]')).toBeVisible();
  await expect(page.locator('a[href^="https://www.google.com/maps/dir/"]').first()).toBeVisible();
}

test("shows the map", { tag: "@js" }, async ({ page, context }) => {
  await openHospital(page, context, googleWith(""));
  await map(page).scrollIntoViewIfNeeded();
  await expect(map(page)).toContainText("grey");
});

test("a refused key removes the map, and those of the next pages", { tag: "@js" }, async ({ page, context }) => {
  await openHospital(page, context, googleWith("setTimeout(() => window.gm_authFailure(), 300);"));
  await map(page).scrollIntoViewIfNeeded();
  await expect(page.locator(".grey")).toBeVisible();
  await expectNoMap(page);
  const doctor = page.locator('main a[href^="/details/doctor/"]').first();
  await doctor.click();
  await page.waitForURL("**/details/doctor/**");
  await expect(page.getByText("The map did not load.")).toBeVisible();
  await expect(page.locator(".grey")).toHaveCount(0);
});

test("a script that does not load leaves the link", { tag: "@js" }, async ({ page, context, faults }) => {
  faults.allow(/maps\.googleapis\.com/);
  await openHospital(page, context, null);
  await map(page).scrollIntoViewIfNeeded();
  await expectNoMap(page);
});

test("a map that the policy of the first page refuses leaves the link", { tag: "@js" }, async ({ page, context, faults }) => {
  faults.allow(/maps\.gstatic\.com/);
  const picture = "const tile = new Image(); tile.src = 'https://maps.gstatic.com/tile.png'; box.append(tile);";
  await openHospital(page, context, googleWith(picture));
  await page.goto(`${withKey.url}/hospitalpages/Cards-data`);
  await hydrated(page);
  await page.locator('main a[href^="/hospital/"]').first().click();
  await page.waitForURL("**/hospital/*");
  await map(page).scrollIntoViewIfNeeded();
  await expectNoMap(page);
});

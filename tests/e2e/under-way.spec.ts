/** What a page says while an answer is on its way (specification 001 §4.1, §4.2, §8), and where the next page begins. */
import type { Page } from "@playwright/test";
import { newPhone } from "../factories/people.ts";
import { expect, test } from "../setup/browser.ts";
import { DEMO } from "../setup/people.ts";

/** Holds the page's own requests to this place until they are let go. */
async function hold(page: Page, place: string): Promise<() => void> {
  let go = () => {};
  const held = new Promise<void>((ok) => {
    go = ok;
  });
  await page.route(`**${place}.data**`, async (route) => {
    await held;
    await route.continue();
  });
  return go;
}
async function freeSlot(server: { sql: import("postgres").Sql }) {
  const [slot] = await server.sql<{ doctor: string; date: string; time: string }[]>`
    select s.doctor_id as doctor, s.date::text, to_char(s.time, 'HH24:MI') as time from availability_slots s join users u on u.id = s.doctor_id
    where s.date > current_date + 3 and u.email <> ${DEMO.doctor.email}
      and not exists (select from appointments a where a.doctor_id = s.doctor_id and a.date = s.date and a.time = s.time)
    order by random() limit 1`;
  return slot!;
}

test("sending and checking a code, booking: the button says so until the answer is there @js", async ({ page, server, faults }) => {
  const phone = newPhone();
  await page.goto("/dual-patient");
  await page.getByLabel("Mobile number").fill(phone.slice(3));
  let letGo = await hold(page, "/dual-patient");
  await page.getByRole("button", { name: "Send the code" }).click();
  await expect(page.getByRole("button", { name: "Sending OTP..." })).toBeVisible();
  letGo();
  await expect(page.getByText("OTP Sent!")).toBeVisible();
  await page.getByLabel("Code from the SMS").fill(await server.lastCode(phone));
  letGo = await hold(page, "/dual-patient");
  await page.getByRole("button", { name: "Verify and continue" }).click();
  await expect(page.getByRole("button", { name: "Verifying OTP..." })).toBeVisible();
  letGo();
  await expect(page.getByText("OTP Verified!")).toBeVisible();
  await page.waitForURL("**/patient-dashboard");

  const slot = await freeSlot(server);
  await page.goto(`/patient/appointments/patient-detail?doctorId=${slot.doctor}&date=${slot.date}&time=${slot.time}`);
  await page.getByLabel("Name", { exact: true }).fill("Ravi Kumar");
  await page.getByLabel(/^Age/).fill("46");
  await page.getByLabel("Male", { exact: true }).check();
  letGo = await hold(page, "/patient/appointments/patient-detail");
  await page.getByRole("button", { name: "Book", exact: true }).click();
  const busy = page.getByRole("button", { name: "Booking appointment..." });
  await expect(busy).toBeVisible();
  // A second press does nothing.
  await expect(busy).toHaveAttribute("aria-disabled", "true");
  letGo();
  await page.waitForURL("**/patient/appointments/payment/*");
  expect(faults).toEqual([]);
});

test("Resend wakes when the countdown is over", async ({ page }) => {
  await page.goto("/dual-patient");
  await page.getByLabel("Mobile number").fill(newPhone().slice(3));
  await page.getByRole("button", { name: "Send the code" }).click();
  await expect(page.getByText("No SMS yet? Ask again in")).toBeVisible();
  const pressable = () =>
    page.getByRole("button", { name: "Resend" }).evaluate((button) => getComputedStyle(button).pointerEvents !== "none");
  expect(await pressable()).toBe(false);
  // The countdown is an animation of the style sheet, with scripts and without: it is brought to its end.
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) animation.finish();
  });
  await expect.poll(pressable).toBe(true);
});

test("lists and a hospital say that they are loading; a new page begins at its top @js", async ({ page, logIn, faults }) => {
  await logIn(DEMO.patient);
  await page.goto("/doctorspages/Cards-data");
  let letGo = await hold(page, "/doctorspages/Cards-data");
  await page.getByRole("link", { name: "Cardiologist", exact: true }).click();
  await expect(page.getByText("Loading doctors...")).toBeVisible();
  letGo();
  await page.waitForURL("**/doctorspages/Cards-data?specialty=Cardiologist");
  await expect(page.getByText("Loading doctors...")).toBeHidden();

  await page.goto("/hospitalpages/Cards-data");
  await page.locator(".card.hos .go").nth(6).scrollIntoViewIfNeeded();
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(200);
  letGo = await hold(page, "/hospital/*");
  await page.locator(".card.hos .go").nth(6).click();
  await expect(page.getByText("Loading hospital details...")).toBeVisible();
  letGo();
  await expect(page.getByRole("link", { name: "Directions" })).toBeVisible();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  expect(faults).toEqual([]);
});

test("another day is chosen: the time of the day before is no longer", async ({ page, server, logIn }) => {
  await logIn(DEMO.patient);
  const slot = await freeSlot(server);
  await page.goto(`/patient/appointments/datetime?doctorId=${slot.doctor}&date=${slot.date}`);
  const chosen = page.locator("input[name=time]:checked");
  await page.locator(`input[name=time][value="${slot.time}"]`).check({ force: true });
  await expect(chosen).toHaveCount(1);
  await page.locator("table.cal a:not([aria-current])").last().click();
  await page.waitForURL((url) => url.searchParams.get("date") !== slot.date);
  await expect(chosen).toHaveCount(0);
});

/** A network that fails in the middle of a form: the input remains, and the page shows what to do. */
import type { Page } from "@playwright/test";
import { newPhone } from "../factories/people.ts";
import { expect, test } from "../setup/browser.ts";
import { type Faults, NO_NETWORK } from "../setup/faults.ts";
import { DEMO } from "../setup/people.ts";

const UNSENT = "No internet. Your details are kept. Try again.";
/** Aborts every request to the server. */
const cut = (page: Page, faults: Faults) => {
  faults.allow(NO_NETWORK);
  return page.route("**/*", (route) => route.abort("internetdisconnected"));
};
const restore = (page: Page) => page.unroute("**/*");

test("preserves the booking form when the network fails at Book", { tag: "@js" }, async ({ page, server, logIn, faults }) => {
  await logIn({ role: "patient", phone: newPhone() });
  const [slot] = await server.sql<{ doctor: string; date: string; time: string }[]>`
    select s.doctor_id as doctor, s.date::text, to_char(s.time, 'HH24:MI') as time from availability_slots s join users u on u.id = s.doctor_id
    where s.date > current_date + 3 and u.email <> ${DEMO.doctor.email}
      and not exists (select from appointments a where a.doctor_id = s.doctor_id and a.date = s.date and a.time = s.time)
    order by s.date desc limit 1`;
  await page.goto(`/patient/appointments/patient-detail?doctorId=${slot!.doctor}&date=${slot!.date}&time=${slot!.time}`);
  await page.getByLabel("Name", { exact: true }).fill("Ravi Kumar");
  await page.getByLabel(/^Age/).fill("46");
  await page.getByLabel("Male", { exact: true }).check();
  const book = page.getByRole("button", { name: "Book", exact: true });

  await cut(page, faults);
  for (let press = 0; press < 2; press++) {
    const failed = page.waitForEvent("requestfailed", (request) => request.method() === "POST");
    await book.click();
    await failed;
    await expect(page.getByRole("alert").getByText(UNSENT)).toBeVisible();
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Ravi Kumar");
    await expect(page.getByLabel(/^Age/)).toHaveValue("46");
    await expect(page.getByLabel("Male", { exact: true })).toBeChecked();
  }
  await restore(page);
  await book.click();
  await page.waitForURL("**/patient/appointments/payment/*");
  const booked =
    await server.sql`select from appointments where patient_name = 'Ravi Kumar' and doctor_id = ${slot!.doctor} and date = ${slot!.date}`;
  expect(booked).toHaveLength(1);
});

test("preserves the profile form when the network fails at Save", { tag: "@js" }, async ({ page, logIn, faults }) => {
  await logIn({ role: "patient", phone: newPhone() });
  await page.goto("/patient/profile/edit");
  await page.getByLabel("Full name").fill("Meena Devi");
  await cut(page, faults);
  await page.getByRole("button", { name: /^Save/ }).click();
  await expect(page.getByRole("alert").getByText(UNSENT)).toBeVisible();
  await expect(page.getByLabel("Full name")).toHaveValue("Meena Devi");
});

test("keeps a refused form when the network fails before the page has loaded its data again", { tag: "@js" }, async ({
  page,
  logIn,
  faults,
}) => {
  await logIn({ role: "patient", phone: newPhone() });
  await page.goto("/patient/family/add");
  await page.getByLabel("Name", { exact: true }).fill("Savitri Devi");
  faults.allow(NO_NETWORK);
  // The server answers the form, and nothing after it.
  await page.route("**/*", (route) => (route.request().method() === "POST" ? route.fallback() : route.abort("internetdisconnected")));
  const failed = page.waitForEvent("requestfailed", (request) => request.method() === "GET");
  await page.getByRole("button", { name: /^(Add|Save)/ }).click();
  await failed;
  await expect(page.getByRole("alert")).toContainText("Enter the date of birth or the age.");
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Savitri Devi");
  // A second refused press shows the errors again.
  await restore(page);
  await page.getByRole("button", { name: /^(Add|Save)/ }).click();
  await expect(page.getByRole("alert")).toBeFocused();
  // Also when it has kept the focus, and the page was scrolled.
  // The page scrolls to its errors once, sometimes after this.
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await expect(page.getByRole("alert")).not.toBeInViewport({ timeout: 500 });
  }).toPass();
  await page.getByRole("button", { name: /^(Add|Save)/ }).click();
  await expect(page.getByRole("alert")).toBeInViewport();
});

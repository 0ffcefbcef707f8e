/** A baby on the booking form: a typed age of 0 asks for the birth date, and the appointment names months. */
import { addMonths } from "#app/lib/dates.ts";
import { bookingPage } from "../factories/booking.ts";
import { dayFromNow, makeDoctor, newPhone } from "../factories/people.ts";
import { expectFits, NARROW, PHONE } from "../setup/axe.ts";
import { expect, test } from "../setup/browser.ts";

test("books a baby by its birth date after an age of 0", async ({ page, server, logIn, hasJs }) => {
  await logIn({ role: "patient", phone: newPhone() });
  const slot = { date: dayFromNow(5), time: hasJs ? "10:00" : "10:30" };
  const doctor = await makeDoctor(server.db, { slots: [slot] });
  await page.goto(bookingPage(doctor.id, slot));
  await page.getByLabel("Name", { exact: true }).fill("Anvi Prasanna");
  const birth = page.getByLabel("Date of birth");
  await expect(birth).toBeHidden();
  await page.getByLabel(/^Age/).fill("0");
  await page.getByLabel("Female", { exact: true }).check();
  await page.getByRole("button", { name: "Book", exact: true }).click();
  await expect(page.getByText("Please enter a valid age.").first()).toBeVisible();
  await expect(page.getByText("For a child under 1 year, enter the date of birth.")).toBeVisible();
  await expectFits(page, "a baby", [NARROW, PHONE], hasJs ? [PHONE] : []);
  await birth.fill(addMonths(slot.date, -7));
  await page.getByRole("button", { name: "Book", exact: true }).click();
  await page.waitForURL("**/patient/appointments/payment/*");
  await page.goto(page.url().replace("/payment/", "/"));
  await expect(page.getByText("Anvi Prasanna, 7 months")).toBeVisible();
});

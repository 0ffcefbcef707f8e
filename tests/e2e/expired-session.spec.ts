/** A form sent after the session has expired is filled in again after the login. With JavaScript and without. */
import { dayFromNow, makeDoctor, newPhone } from "../factories/people.ts";
import { expect, test } from "../setup/browser.ts";

test("a booking comes back filled in after the login", async ({ page, server, logIn }, info) => {
  const phone = newPhone();
  const { userId } = await logIn({ role: "patient", phone });
  const slot = { date: dayFromNow(5), time: "10:00" };
  const doctor = await makeDoctor(server.db, { slots: [slot] });
  await page.goto(`/patient/appointments/patient-detail?doctorId=${doctor.id}&date=${slot.date}&time=${slot.time}`);
  await page.getByLabel("Name", { exact: true }).fill("Ravi Kumar");
  await page.getByLabel(/^Age/).fill("46");
  await page.getByLabel("Male", { exact: true }).check();
  await server.sql`update sessions set expires_at = now() - interval '1 hour' where user_id = ${userId}`;
  await page.getByRole("button", { name: "Book", exact: true }).click();

  await expect(page.getByText("Your session ended before the form was sent.")).toBeVisible();
  await page.screenshot({ path: info.outputPath("login.png") });
  await page.getByLabel("Mobile number").fill(phone.slice(3));
  await page.getByRole("button", { name: "Send code" }).click();
  await expect(page.getByText("Your session ended before the form was sent.")).toBeVisible();
  await page.getByLabel("Code from the SMS").fill(await server.lastCode(phone));
  await page.getByRole("button", { name: "Verify and continue" }).click();

  await expect(page.getByText("You are logged in again.")).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Ravi Kumar");
  await expect(page.getByLabel("Male", { exact: true })).toBeChecked();
  await page.screenshot({ path: info.outputPath("restored.png") });
  expect(await server.sql`select 1 from appointments where patient_id = ${userId}`).toHaveLength(0);
  await page.getByRole("button", { name: "Book", exact: true }).click();
  await page.waitForURL("**/patient/appointments/payment/*");
});

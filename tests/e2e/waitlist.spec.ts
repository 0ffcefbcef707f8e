/** A patient joins the waitlist of a full day, and takes the time that another patient gives up. In a browser, with and without scripts. */
import { dayFromNow, makeDoctor, makePatient, makeVisit, newPhone } from "../factories/people.ts";
import { axeOn } from "../setup/axe.ts";
import { expect, test } from "../setup/browser.ts";
import { loginAs } from "../setup/people.ts";

test("gives the freed time to the patient who waits for it", async ({ page, server, logIn, hasJs }) => {
  const day = dayFromNow(4);
  const doctor = await makeDoctor(server.db, { name: "Dr. Full Day", slots: [{ date: day, time: "10:00" }] });
  const other = await makePatient(server.db);
  const visit = await makeVisit(server.db, { patient: other, doctor }, { date: day, time: "10:00", status: "accepted" });

  await logIn({ role: "patient", phone: newPhone() });
  await page.goto(`/patient/appointments/datetime?doctorId=${doctor.id}&date=${day}`);
  await page.getByRole("link", { name: "Join the waitlist" }).click();
  await page.getByLabel("Name").fill("Lakshmi Devi");
  await page.getByLabel("Age").fill("34");
  await page.getByLabel("Female", { exact: true }).check();
  if (hasJs) expect((await axeOn(page).analyze()).violations.map((v) => `${v.id} ${v.nodes[0]?.html}`)).toEqual([]);
  await page.getByRole("button", { name: "Join the waitlist" }).click();
  await expect(page.getByText("You are number 1 on the list.")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Take this time/ })).toBeHidden();

  const them = await loginAs(server, { role: "patient", phone: other.phone });
  expect((await them.post(`/patient/appointments/${visit}/cancel`, {})).status).toBe(303);

  await page.goto("/patient/waitlist");
  await expect(page.getByText(/A time is free: .* 10:00 AM\./)).toBeVisible();
  if (hasJs) expect((await axeOn(page).analyze()).violations.map((v) => `${v.id} ${v.nodes[0]?.html}`)).toEqual([]);
  await page.getByRole("button", { name: /^Take this time/ }).click();
  await expect(page.getByText("The time is yours. Your appointment is booked.")).toBeVisible();
  await expect(page).toHaveURL(/\/patient\/appointments\/[0-9a-f-]{36}/);
  await expect(page.getByText("Lakshmi Devi").first()).toBeVisible();
});

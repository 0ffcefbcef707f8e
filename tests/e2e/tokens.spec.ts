/** A patient books a session, sees the token and moves to another session. In a browser, with and without scripts. */
import { dayFromNow, makeDoctor, newPhone } from "../factories/people.ts";
import { axeOn } from "../setup/axe.ts";
import { expect, test } from "../setup/browser.ts";

test("books a session with a token", async ({ page, server, logIn, hasJs }) => {
  const noFaults = async () => {
    if (hasJs) expect((await axeOn(page).analyze()).violations.map((v) => `${v.id} ${v.nodes[0]?.html}`)).toEqual([]);
  };
  const doctor = await makeDoctor(server.db, { name: "Dr. Evening", fee: 50_000 });
  await server.sql`insert into availability_slots (doctor_id, practice_id, date, time, minutes, seats, tokens)
    select ${doctor.id}, ${doctor.id}, d::date, '17:00', 180, 12, true from unnest(${[dayFromNow(4), dayFromNow(5)]}::text[]) d`;
  await logIn({ role: "patient", phone: newPhone() });
  await page.goto(`/patient/appointments/datetime?doctorId=${doctor.id}&date=${dayFromNow(4)}`);
  await page.getByRole("radio", { name: /^5:00 PM to 8:00 PM 12 tokens left\. The next is token 1, about 5:00 PM/ }).check({ force: true });
  await noFaults();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Lakshmi Devi");
  await page.getByLabel(/Phone/).first().fill("9876543210");
  await page.getByLabel("Age").fill("34");
  await page.getByLabel("Female", { exact: true }).check();
  await page.getByRole("button", { name: "Book", exact: true }).click();
  await expect(page).toHaveURL(/\/patient\/appointments\/payment\//);
  await page.goto("/patient/calendar");
  await page
    .getByRole("link", { name: /Dr\. Evening/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/patient\/appointments\/[0-9a-f-]{36}$/);
  await expect(page.getByRole("heading", { name: /, Token 1$/ })).toBeVisible();
  await expect(page.getByText(/Expected .+ The session starts at 5:00 PM\./)).toBeVisible();
  await noFaults();

  await page.getByRole("link", { name: "Reschedule" }).click();
  await expect(page).toHaveURL(/\/reschedule$/);
  await page.goto(`${page.url()}?date=${dayFromNow(5)}`);
  await page.getByRole("radio", { name: /^5:00 PM to 8:00 PM/ }).check({ force: true });
  await page.getByRole("button", { name: "Confirm new time" }).click();
  await expect(page).toHaveURL(/\/patient\/appointments\/[0-9a-f-]{36}$/);
  await expect(page.getByRole("heading", { name: /, Token 1$/ })).toBeVisible();
});

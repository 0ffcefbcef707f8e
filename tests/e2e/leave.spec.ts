/** An ill doctor closes a day with three booked visits; a patient takes another time. In a browser, with and without scripts. */
import { addSlots, dayFromNow, makeDoctor, makePatient, makeVisit } from "../factories/people.ts";
import { axeOn } from "../setup/axe.ts";
import { expect, test } from "../setup/browser.ts";
import { loginAs } from "../setup/people.ts";

test("offers the patients of a closed day other times, and a patient takes one", async ({ page, server, logIn, newContext, hasJs }) => {
  const [day, next] = [dayFromNow(1), dayFromNow(2)];
  const doctor = await makeDoctor(server.db, { slots: ["09:00", "09:30", "10:00"].map((time) => ({ date: day, time })) });
  await addSlots(
    server.db,
    doctor.id,
    ["09:00", "09:30", "10:00", "10:30"].map((time) => ({ date: next, time })),
  );
  const patient = await makePatient(server.db);
  const visit = await makeVisit(server.db, { patient, doctor }, { date: day, time: "09:00", name: "Bhavani Devi", status: "accepted" });
  for (const time of ["09:30", "10:00"])
    await makeVisit(server.db, { patient: await makePatient(server.db), doctor }, { date: day, time, status: "accepted" });
  await logIn({ role: "doctor", email: doctor.email });
  await page.goto("/doctor/leave/add");
  await page.getByLabel("First day").fill(day);
  await page.getByLabel("Last day").fill(day);
  await page.getByRole("button", { name: "Add leave" }).click();
  await expect(page.getByRole("heading", { name: "3 appointments are booked on these days" })).toBeVisible();
  await expect(page.getByRole("radio", { name: "Offer other times to the patients" })).toBeChecked();
  if (hasJs) expect((await axeOn(page).analyze()).violations.map((v) => `${v.id} ${v.nodes[0]?.html}`)).toEqual([]);
  await page.getByLabel("Reason").selectOption("unwell");
  await page.getByRole("button", { name: "Add leave" }).click();
  await expect(page.getByText("3 patients were offered other times.")).toBeVisible();

  const phone = await newContext();
  const { token } = await loginAs(server, { role: "patient", phone: patient.phone });
  await phone.addCookies([{ name: "nadi_session", value: token, url: server.url, httpOnly: true, sameSite: "Lax" }]);
  const theirs = await phone.newPage();
  await theirs.goto(`/patient/appointments/${visit}`);
  await expect(theirs.getByRole("heading", { name: "Choose a new time" })).toBeVisible();
  if (hasJs) expect((await axeOn(theirs).analyze()).violations.map((v) => `${v.id} ${v.nodes[0]?.html}`)).toEqual([]);
  await theirs
    .getByRole("button", { name: /^Take / })
    .first()
    .click();
  await expect(theirs.getByText("Your appointment moved to the new time.")).toBeVisible();
  await expect(theirs.getByRole("heading", { name: "Choose a new time" })).toBeHidden();
});

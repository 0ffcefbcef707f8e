/** Messages of the previous page: a banner for what has to be read, a toast for what can be missed. */
import { dayFromNow, makeDoctor, makePatient, makeVisit } from "../factories/people.ts";
import { expect, test } from "../setup/browser.ts";
import { DEMO } from "../setup/people.ts";

test("a message to be read stays on the page until the next one", async ({ page, server, logIn, hasJs }) => {
  const doctor = await makeDoctor(server.db, {
    slots: [
      { date: dayFromNow(4), time: "10:00" },
      { date: dayFromNow(4), time: "11:00" },
    ],
  });
  const patient = await makePatient(server.db);
  await logIn({ role: "patient", phone: patient.phone });
  const visit = await makeVisit(server.db, { patient, doctor }, { date: dayFromNow(4), time: "10:00" });
  await page.goto(`/patient/appointments/${visit}/reschedule`);
  await page.locator("input[name=time]:not([disabled])").first().check({ force: true });
  await page.locator(".dock").getByRole("button").click();
  await page.waitForURL(`**/patient/appointments/${visit}`);
  const banner = page.locator("main .note[role=status]", { hasText: "Appointment moved. The doctor must accept the new time." });
  await expect(banner).toBeVisible();
  await expect(page.locator("[data-sonner-toast]")).toHaveCount(0);
  if (hasJs) {
    // A live refresh of the data keeps it.
    await server.sql`select pg_notify('nadi_events', json_build_object('userId', ${patient.id}::text, 'event', 'appointmentChanged', 'data', json_build_object())::text)`;
    await expect(banner).toBeVisible();
  }
  await page.getByRole("link", { name: "Home" }).first().click();
  await page.waitForURL("**/patient-dashboard");
  await expect(banner).toHaveCount(0);
});

test("an error of the previous page is a banner", async ({ page, logIn }) => {
  await logIn(DEMO.patient);
  await page.goto("/patient/appointments/datetime?doctorId=none");
  await expect(page.locator("main .note[role=alert]", { hasText: "Doctor not specified. Please select a doctor." })).toBeVisible();
});

test("a success that can be missed is a toast", { tag: "@js" }, async ({ page, logIn }) => {
  await logIn(DEMO.patient);
  await page.goto("/patient/settings");
  await page.getByRole("button", { name: /Save/ }).first().click();
  await expect(page.locator("[data-sonner-toast]")).toHaveText(/saved/i);
  await expect(page.locator("main .note[role=status]")).toHaveCount(0);
});

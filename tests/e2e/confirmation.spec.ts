/** The confirmation after a booking shows what happens next on the first screen of a phone (specification 001 §4.2). */
import { m } from "#app/paraglide/messages.js";
import { dayFromNow, makeDoctor, makePatient } from "../factories/people.ts";
import { expect, test } from "../setup/browser.ts";

for (const locale of ["en", "te"] as const)
  test(`the confirmation shows its next step without scrolling, in ${locale}`, async ({ page, server, logIn, context }) => {
    const date = dayFromNow(4);
    const doctor = await makeDoctor(server.db, { slots: [{ date, time: "10:00" }] });
    const patient = await makePatient(server.db);
    await server.sql`update users set language = ${locale} where id = ${patient.id}`;
    await logIn({ role: "patient", phone: patient.phone });
    await context.addCookies([{ name: "lang", value: locale, url: server.url }]);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`/patient/appointments/patient-detail?${new URLSearchParams({ doctorId: doctor.id, date, time: "10:00" })}`);
    await page.locator("input[name=name]").fill("Ravi Kumar");
    await page.locator("input[name=age]").fill("46");
    await page.locator("input[name=gender][value=male]").check({ force: true });
    await page.getByRole("button", { name: m.appointments_book({}, { locale }), exact: true }).click();
    await page.waitForURL("**/patient/appointments/payment/*");
    // What happens next, and the ways to pay directly below it.
    for (const line of [
      page.locator("#next"),
      page.locator("#how"),
      page.getByRole("button", { name: m.payments_clinic({}, { locale }) }),
    ]) {
      const box = (await line.boundingBox())!;
      expect(box.y).toBeGreaterThanOrEqual(0);
      expect(box.y + box.height).toBeLessThanOrEqual(844);
    }
    expect(await page.evaluate(() => scrollY)).toBe(0);
    // The ways to pay stay in view to the end of the page.
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await expect(page.getByRole("button", { name: m.payments_clinic({}, { locale }) })).toBeInViewport({ ratio: 1 });
  });

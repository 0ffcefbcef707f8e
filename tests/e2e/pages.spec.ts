/** Every page of the journey on a phone: passes axe, does not scroll sideways, and causes no error. */
import { dayFromNow } from "../factories/people.ts";
import { expectFits, NARROW, PHONE } from "../setup/axe.ts";
import { expect, test } from "../setup/browser.ts";
import { keepSplash, MISSING_PAGE, PAGE_GROUPS, placesOf } from "../setup/pages.ts";
import { DEMO } from "../setup/people.ts";
import { swept } from "../setup/swept.ts";

// Their layout without JavaScript: languages.spec.ts.
for (const { whose, account, pages } of PAGE_GROUPS)
  test(`${whose} pages`, { tag: "@js" }, async ({ page, context, server, logIn, faults }) => {
    if (!account) await keepSplash(context);
    faults.allow(MISSING_PAGE);
    if (account) await logIn(DEMO[account]);
    for (const path of swept(pages(await placesOf(server)))) {
      await page.goto(path);
      await expect(page.locator("h1").first(), path).toBeVisible();
      await expectFits(page, path, [NARROW, PHONE], [PHONE]);
    }
  });

test("a refused form passes axe too", async ({ page, server, hasJs, logIn }) => {
  await logIn(DEMO.patient);
  const { slot } = await placesOf(server);
  await page.goto(`/patient/appointments/patient-detail?${slot}`);
  await page.getByLabel("Name", { exact: true }).fill("");
  await page.getByLabel(/^Age/).fill("900");
  await page.getByRole("button", { name: "Book", exact: true }).click();
  await expect(page.getByText("Please enter a valid age.").first()).toBeVisible();
  await expect(page.getByRole("alert")).toBeFocused();
  await expect(page.getByLabel(/^Age/)).toHaveAttribute("aria-invalid", "true");
  await expectFits(page, "refused", [NARROW, PHONE], hasJs ? [PHONE] : []);
});

test("cancels a visit, and refuses one that is too near", async ({ page, server, logIn, hasJs }) => {
  const phone = hasJs ? "+919812300031" : "+919812300032";
  const { userId } = await logIn({ role: "patient", phone });
  const [doctor] = await server.sql<
    { id: string }[]
  >`select d.id from doctors d join users u on u.id = d.id where u.email = ${DEMO.doctor.email}`;
  const visit = async (days: number, status: string) => {
    const [row] = await server.sql<{ id: string }[]>`
      insert into appointments (patient_id, doctor_id, date, time, patient_name, patient_phone, patient_age, patient_gender, status, payment_reference, idempotency_key)
      values (${userId}, ${doctor!.id}, ${dayFromNow(days)}, ${hasJs ? "00:00" : "00:01"}, 'Cancel Person', ${phone}, 40, 'male', ${status}, ${`C-${phone}-${days}`}, ${`c-${phone}-${days}`}) returning id`;
    return row!.id;
  };
  const far = await visit(6, "pending");
  const near = await visit(1, "accepted");
  await page.goto("/patient/calendar");
  await page.locator(`a[href="/patient/appointments/${far}/cancel"]`).first().click();
  await expect(page.getByRole("heading", { name: "Cancel this appointment?" })).toBeVisible();
  await page.getByRole("button", { name: "Yes, cancel appointment" }).click();
  await page.waitForURL(`**/patient/appointments/${far}`);
  await expect(page.getByText("Appointment cancelled successfully!").first()).toBeVisible();
  await expect.poll(async () => (await server.sql`select status from appointments where id = ${far}`)[0]?.status).toBe("cancelled");
  // The first minutes of tomorrow are always less than a day ahead, and to come.
  await page.goto(`/patient/appointments/${near}/cancel`);
  await expect(page.getByText("Less than 24 hours are left")).toBeVisible();
  await expect(page.getByRole("button", { name: "Yes, cancel appointment" })).toHaveCount(0);
  await expect(page.locator("main a[href^='tel:']")).toBeVisible();
});

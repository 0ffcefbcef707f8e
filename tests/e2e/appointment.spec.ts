/** The patient's page of one appointment in each status, on a phone and on a wide screen. */
import { axeOn } from "../setup/axe.ts";
import { expect, hydrated, test } from "../setup/browser.ts";
import { placesOf } from "../setup/pages.ts";
import { DEMO } from "../setup/people.ts";

for (const [width, height] of [
  [390, 844],
  [1280, 800],
] as const)
  test(`shows an appointment at ${width} px`, async ({ page, server, hasJs, logIn }) => {
    await logIn(DEMO.patient);
    const { changeable, completed } = await placesOf(server);
    await page.setViewportSize({ width, height });
    for (const id of [changeable, completed]) {
      await page.goto(`/patient/appointments/${id}`);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page.getByRole("link", { name: "Reschedule" })).toHaveCount(id === changeable ? 1 : 0);
      // The way there is one of the tiles, once.
      if (id === changeable) await expect(page.getByRole("link", { name: "Directions" })).toHaveCount(1);
      const parts = await page
        .locator("#when, #change, #pay, #documents, #bring, #details")
        .evaluateAll((list) => list.map(({ id: part }) => part));
      expect(parts).toEqual(
        id === changeable ? ["when", "change", "pay", "documents", "bring", "details"] : expect.arrayContaining(["when", "pay", "details"]),
      );
      if (id === changeable) {
        const [cancel, pay] = await Promise.all([
          page.getByRole("link", { name: "Cancel", exact: true }).boundingBox(),
          page.locator("section[aria-labelledby=pay]").boundingBox(),
        ]);
        // Above the payment on a phone, beside it on a wide screen.
        expect(cancel!.y + cancel!.height <= pay!.y || cancel!.x + cancel!.width <= pay!.x).toBe(true);
      }
      await expect(page.getByRole("button", { name: "Copy date, time and place" })).toHaveCount(hasJs && id === changeable ? 1 : 0);
      if (!hasJs) continue;
      const { violations } = await axeOn(page).analyze();
      expect(violations.map(({ id: rule, nodes }) => [rule, nodes.map(({ target }) => target.join(" "))])).toEqual([]);
    }
  });

test("opens from the list, downloads the calendar file and copies the details", async ({ page, server, hasJs, logIn, context }) => {
  await logIn(DEMO.patient);
  const { changeable } = await placesOf(server);
  await page.goto("/patient/calendar");
  await page.locator(`a.go[href="/patient/appointments/${changeable}"]`).first().click();
  await page.waitForURL(`**/patient/appointments/${changeable}`);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Add to calendar" }).click();
  expect((await download).suggestedFilename()).toBe("nadi-appointment.ics");
  if (!hasJs) return;
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy date, time and place" }).click();
  await expect(page.getByText("Copied", { exact: true })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("Appointment with Dr.");
});

test("shows India's time in a browser of any time zone", { tag: "@js" }, async ({ page, server, logIn, newContext }) => {
  const { userId } = await logIn(DEMO.patient);
  const [visit] = await server.sql<{ id: string; doctor: string }[]>`
    select id, doctor_id as doctor from appointments where patient_id = ${userId} and status in ('pending', 'accepted') order by date desc limit 1`;
  const far = await newContext({ timezoneId: "America/Los_Angeles" });
  await far.addCookies(await page.context().cookies());
  const abroad = await far.newPage();
  for (const path of [
    "/patient-dashboard",
    "/patient/calendar",
    `/patient/appointments/${visit!.id}`,
    `/patient/appointments/datetime?doctorId=${visit!.doctor}`,
  ]) {
    const textOf = async (one: typeof page) => {
      await one.goto(path);
      await hydrated(one);
      return one.locator("main").innerText();
    };
    const here = await textOf(page);
    expect(here, path).toMatch(/\d:\d\d [AP]M/);
    expect(await textOf(abroad), path).toBe(here);
  }
});

test("shows the newest document of an appointment first @no-js", async ({ page, server, logIn }) => {
  const { userId } = await logIn(DEMO.patient);
  const files = await server.sql<{ visit: string; file: string }[]>`
    select r.appointment_id as visit, r.file_id as file from medical_records r join appointments a on a.id = r.appointment_id
    where a.patient_id = ${userId} and (select count(*) from medical_records m where m.appointment_id = a.id) > 2 order by 1, 2 limit 3`;
  for (const [hours, { file }] of files.entries())
    await server.sql`update medical_records set created_at = now() - make_interval(hours => ${hours}) where file_id = ${file}`;
  await page.goto(`/patient/appointments/${files[0]!.visit}`);
  const shown = await page.locator('main a[href^="/files/"]').evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  expect(shown).toEqual(files.map(({ file }) => `/files/${file}`));
});

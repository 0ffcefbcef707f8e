/** Every page of the journey as a person on a phone meets it: readable for everybody, nothing sideways, nothing refused. */
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, test } from "../setup/browser.ts";
import { DEMO } from "../setup/people.ts";

type Places = { doctor: string; hospital: string; slot: string; visit: string; changeable: string; desk: string };
async function placesOf(server: { sql: import("postgres").Sql }): Promise<Places> {
  const { sql } = server;
  const [doctor] = await sql<{ id: string }[]>`select id from doctors where registration_status = 'verified' order by full_name limit 1`;
  const [slot] = await sql<{ date: string; time: string }[]>`
    select s.date::text, to_char(s.time, 'HH24:MI') as time from availability_slots s where s.doctor_id = ${doctor!.id} and s.date > current_date + 2
    and not exists (select from appointments a where a.doctor_id = s.doctor_id and a.date = s.date and a.time = s.time) order by 1, 2 limit 1`;
  const mine = sql`patient_id = (select id from users where role = 'patient' and phone = ${DEMO.patient.phone})`;
  const [visit] = await sql<{ id: string }[]>`select id from appointments where ${mine} order by date desc limit 1`;
  const [changeable] = await sql<{ id: string }[]>`
    select id from appointments where ${mine} and status in ('pending', 'accepted') and date > current_date + 2 order by date limit 1`;
  const [desk] = await sql<{ id: string }[]>`
    select a.id from appointments a join users u on u.id = a.doctor_id join medical_records r on r.appointment_id = a.id
    where u.email = ${DEMO.doctor.email} and a.status in ('pending', 'accepted') limit 1`;
  const [hospital] = await sql<{ id: string }[]>`select hospital_id as id from doctors where id = ${doctor!.id}`;
  return {
    doctor: doctor!.id,
    hospital: hospital!.id,
    slot: `doctorId=${doctor!.id}&date=${slot!.date}&time=${slot!.time}`,
    visit: visit!.id,
    changeable: changeable!.id,
    desk: desk!.id,
  };
}

/** WCAG 2.2 A and AA. */
async function expectAccessible(page: Page, where: string) {
  const { violations } = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]).analyze();
  const found = violations.map(
    (v) => `${v.id}: ${v.nodes.map((n) => `${n.target.join(" ")} (${n.failureSummary?.split("\n")[1]?.trim()})`).join("; ")}`,
  );
  expect(found, where).toEqual([]);
}
/** Widths a phone really has; without scripts the picture of the whole page tells how wide it is. */
async function expectNoSideways(page: Page, where: string) {
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 800 });
    const metrics = await page.context().newCDPSession(page);
    // The page is laid out anew a moment after the screen has its new size.
    const contentWidth = async () => (await metrics.send("Page.getLayoutMetrics")).cssContentSize.width;
    await expect.poll(contentWidth, `${where} at ${width}`).toBeLessThanOrEqual(width);
    await metrics.detach();
  }
  await page.setViewportSize({ width: 390, height: 844 });
}
const GROUPS: [string, keyof typeof DEMO | null, (p: Places) => string[]][] = [
  [
    "a visitor's",
    null,
    ({ doctor, hospital }) => [
      "/",
      "/choose-role",
      "/dual-patient",
      "/dual-doctor",
      "/dual-doctor?mode=register",
      "/patient/emergency-contact",
      "/doctorspages/Cards-data",
      "/doctorspages/Cards-data?q=nobody-of-this-name",
      "/doctorspages/Cards-data?q=cardiolgist",
      "/hospitalpages/Cards-data",
      "/hospitalpages/Cards-data?q=nothing-of-this-name",
      `/hospital/${hospital}`,
      `/hospital/${hospital}/doctors`,
      "/details/00000000-0000-4000-8000-000000000000",
      `/details/doctor/${doctor}`,
      "/details/doctor/00000000-0000-4000-8000-000000000000",
      "/nowhere",
      "/dev/ui",
    ],
  ],
  [
    "a patient's",
    "patient",
    ({ doctor, slot, visit, changeable }) => [
      "/patient-dashboard",
      "/patient-dashboard?category=Cardiology",
      `/patient/appointments/datetime?doctorId=${doctor}`,
      `/patient/appointments/patient-detail?${slot}`,
      `/patient/appointments/payment/${visit}`,
      "/patient/calendar",
      `/patient/appointments/${changeable}/cancel`,
      `/patient/appointments/${changeable}/reschedule`,
      "/patient/profile",
      "/patient/profile/edit",
      "/patient/settings",
      "/patient/help",
      "/patient/help?q=nothing-like-this",
      "/patient/terms",
      "/patient/contact-us",
      "/patient/data",
      "/patient/data/opened",
      "/patient/data/delete",
      "/patient/family",
      "/patient/family/add",
      "/patient/notifications",
      "/logout",
    ],
  ],
  [
    "a doctor's",
    "doctor",
    ({ desk }) => [
      "/doctor-dashboard",
      "/doctor/appointments",
      "/doctor/appointments?tab=completed",
      "/doctor/appointments?tab=cancelled",
      `/doctor/patient/${desk}`,
      `/doctor/appointments/${desk}/cancel`,
      "/doctor/notifications",
      "/doctor/profile",
    ],
  ],
];
for (const [whose, account, pathsOf] of GROUPS)
  test(`${whose} pages`, async ({ page, server, hasJs, logIn, faults }) => {
    test.setTimeout(180_000);
    if (account) await logIn(DEMO[account]);
    for (const path of pathsOf(await placesOf(server))) {
      await page.goto(path);
      await expect(page.locator("h1").first(), path).toBeVisible();
      await expectNoSideways(page, path);
      if (hasJs) await expectAccessible(page, path);
    }
    expect(faults).toEqual([]);
  });

test("a refused form is as readable", async ({ page, server, hasJs, logIn, faults }) => {
  await logIn(DEMO.patient);
  const { slot } = await placesOf(server);
  await page.goto(`/patient/appointments/patient-detail?${slot}`);
  await page.getByLabel("Name", { exact: true }).fill("");
  await page.getByLabel(/^Age/).fill("900");
  await page.getByRole("button", { name: "Book", exact: true }).click();
  await expect(page.getByText("Please enter a valid age.").first()).toBeVisible();
  await expect(page.getByRole("alert")).toBeFocused();
  await expect(page.getByLabel(/^Age/)).toHaveAttribute("aria-invalid", "true");
  await expectNoSideways(page, "refused");
  if (hasJs) await expectAccessible(page, "refused");
  expect(faults).toEqual([]);
});

test("cancelling a visit, and a visit that is too near to cancel", async ({ page, server, logIn, hasJs, faults }) => {
  const phone = hasJs ? "+919812300031" : "+919812300032";
  const { userId } = await logIn({ role: "patient", phone });
  const [doctor] = await server.sql<
    { id: string }[]
  >`select id from doctors where registration_status = 'verified' order by full_name limit 1`;
  const visit = async (days: number) => {
    const [row] = await server.sql<{ id: string }[]>`
      insert into appointments (patient_id, doctor_id, date, time, patient_name, patient_phone, patient_age, patient_gender, payment_reference, idempotency_key)
      values (${userId}, ${doctor!.id}, current_date + ${days}::int, ${hasJs ? "03:00" : "03:30"}, 'Cancel Person', ${phone}, 40, 'male', ${`C-${phone}-${days}`}, ${`c-${phone}-${days}`}) returning id`;
    return row!.id;
  };
  const far = await visit(6);
  const near = await visit(1);
  await page.goto("/patient/calendar");
  await page.locator(`a[href="/patient/appointments/${far}/cancel"]`).first().click();
  await expect(page.getByRole("heading", { name: "Cancel this visit?" })).toBeVisible();
  await page.getByRole("button", { name: "Yes, cancel visit" }).click();
  await page.waitForURL("**/patient/calendar");
  await expect(page.getByText("Appointment cancelled successfully!").first()).toBeVisible();
  await expect.poll(async () => (await server.sql`select status from appointments where id = ${far}`)[0]?.status).toBe("cancelled");
  // 3 AM tomorrow is never a day away.
  await page.goto(`/patient/appointments/${near}/cancel`);
  await expect(page.getByText("Less than 24 hours are left")).toBeVisible();
  await expect(page.getByRole("button", { name: "Yes, cancel visit" })).toHaveCount(0);
  expect(faults).toEqual([]);
});

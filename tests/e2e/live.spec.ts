import { dayFromNow, makeDoctor, makePatient, makeVisit } from "../factories/people.ts";
import { expect, test } from "../setup/browser.ts";
import { DEMO, loginAs } from "../setup/people.ts";

test("an accepted visit reaches the patient's open page", { tag: "@js" }, async ({ server, logIn, page }) => {
  await logIn(DEMO.patient);
  await page.goto("/patient/notifications");
  // A pending visit of the patient, accepted by the command behind the doctor's page.
  const [visit] = await server.sql<{ id: string; doctor: string }[]>`
    select a.id, u.email as doctor from appointments a join users u on u.id = a.doctor_id join users p on p.id = a.patient_id
    where p.phone = ${DEMO.patient.phone} and a.status = 'pending' and a.date > current_date limit 1`;
  const doctor = await loginAs(server, { role: "doctor", email: visit!.doctor });
  // The metrics show when the page's socket is connected.
  await expect.poll(async () => (await (await fetch(`${server.url}/metrics`)).text()).match(/^realtime_sockets (\d+)/m)?.[1]).not.toBe("0");
  expect((await doctor.post(`/doctor/appointments/${visit!.id}/accept`)).location).toBe("/doctor/appointments");
  await expect(page.locator("[data-sonner-toast]")).toContainText("will see");
  // Phones show the bell on the first page only.
  await expect(page.getByRole("link", { name: /Notifications, \d+ new/, includeHidden: true })).toHaveCount(1);
  await expect(page.getByRole("heading", { name: /Appointment accepted/ }).first()).toBeVisible();
});

test("a visit changed in one tab changes in the doctor's other tabs @js", async ({ server, logIn, page, context }) => {
  const doctor = await makeDoctor(server.db);
  const patient = await makePatient(server.db);
  await makeVisit(server.db, { patient, doctor }, { date: dayFromNow(0), time: "00:00", name: "Ravi Kumar" });
  await logIn({ role: "doctor", email: doctor.email });
  const list = await context.newPage();
  await list.goto("/doctor/appointments");
  await page.goto("/doctor-dashboard");
  const sockets = async () => Number((await (await fetch(`${server.url}/metrics`)).text()).match(/^realtime_sockets (\d+)/m)?.[1] ?? 0);
  await expect.poll(sockets).toBeGreaterThan(1);

  const card = list.getByRole("article").filter({ hasText: "Ravi Kumar" });
  await card.getByRole("link", { name: "Accept" }).click();
  await list.getByRole("button", { name: "Yes" }).click();
  // The dashboard has reloaded its data: the visit is the current one.
  const rows = page.getByRole("listitem").filter({ hasText: "Ravi Kumar" });
  await expect(rows.getByRole("link", { name: "Complete" })).toBeVisible();
  await expect(rows.getByRole("link", { name: "Accept" })).toHaveCount(0);

  await rows.getByRole("link", { name: "Complete" }).click();
  await page.getByRole("button", { name: "Yes" }).click();
  await expect(card).toHaveCount(0);
});

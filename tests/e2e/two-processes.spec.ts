/** Browsers with two server processes in turn; the long journey is journey.spec.ts. */
import { newFreeSlot } from "../factories/people.ts";
import { expect, test } from "../setup/browser.ts";
import type { Pair } from "../setup/pair.ts";
import { DEMO, loginAs } from "../setup/people.ts";

test.use({ processes: 2 });

test("a visit is accepted and then cancelled, and the patient's open page shows both", { tag: "@js" }, async ({ page, server, logIn }) => {
  const { userId } = await logIn(DEMO.patient);
  await page.goto("/patient/notifications");
  const listening = async () => {
    const metrics = await Promise.all((server as Pair).processes.map(async ({ url }) => (await fetch(`${url}/metrics`)).text()));
    return metrics.reduce((sum, text) => sum + Number(/^realtime_sockets (\d+)/m.exec(text)?.[1]), 0);
  };
  await expect.poll(listening).toBe(1);
  const [visit] = await server.sql<{ id: string; email: string }[]>`
    select a.id, u.email from appointments a join users u on u.id = a.doctor_id
    where a.patient_id = ${userId} and a.status = 'pending' and a.date > current_date + 2 order by a.date limit 1`;
  const doctor = await loginAs(server, { role: "doctor", email: visit!.email });
  expect((await doctor.post(`/doctor/appointments/${visit!.id}/accept`)).location).toBe("/doctor/appointments");
  await expect(page.locator("[data-sonner-toast]").filter({ hasText: "will see" })).toBeVisible();
  await expect(page.getByRole("heading", { name: /Appointment accepted/ }).first()).toBeVisible();
  expect((await doctor.post(`/doctor/appointments/${visit!.id}/cancel`, { reason: "unwell" })).status).toBe(303);
  await expect(page.getByRole("heading", { name: /Appointment cancelled/ }).first()).toBeVisible();
});

test("a patient cancels, and the slot is free for the next one", async ({ page, server, logIn, hasJs }) => {
  const { userId } = await logIn({ role: "patient", phone: hasJs ? "+919812300031" : "+919812300032" });
  const slot = await newFreeSlot(server.db);
  const form = `/patient/appointments/patient-detail?${new URLSearchParams({ doctorId: slot.doctor, date: slot.date, time: slot.time })}`;
  const book = async () => {
    await page.goto(form);
    await page.getByLabel("Name", { exact: true }).fill("Either Process");
    await page.getByLabel(/^Age/).fill("30");
    await page.getByLabel("Female").check();
    await page.getByRole("button", { name: "Book", exact: true }).click();
    await page.waitForURL("**/patient/appointments/payment/*");
  };
  await book();
  const [first] = await server.sql<{ id: string }[]>`select id from appointments where patient_id = ${userId}`;
  await page.goto(`/patient/appointments/${first!.id}/cancel`);
  await page.getByRole("button", { name: "Yes, cancel appointment" }).click();
  await expect.poll(async () => (await server.sql`select status from appointments where id = ${first!.id}`)[0]?.status).toBe("cancelled");
  await book();
});

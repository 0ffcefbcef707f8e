/** Paying online in a browser, with and without scripts: what a patient sees when a network, a tab, an appointment or the provider is lost. */
import type { Page } from "@playwright/test";
import { book, bookedId } from "../factories/booking.ts";
import { dayFromNow, makeDoctor, newPhone } from "../factories/people.ts";
import { axeOn } from "../setup/axe.ts";
import { expect, test } from "../setup/browser.ts";
import { calmed } from "../setup/gateway.ts";
import { loginAs } from "../setup/people.ts";

test.use({ payments: true });

test("every paisa is applied or returned, and each page says so", async ({ page, context, server, gateway, logIn, hasJs, faults }) => {
  const provider = gateway!;
  const own = calmed(provider);
  const slots = ["09:00", "10:00", "11:00"].map((time) => ({ date: dayFromNow(4), time }));
  const doctor = await makeDoctor(server.db, { name: "Dr. Asha Rao", slots });
  const asDoctor = await loginAs(server, { role: "doctor", email: doctor.email });
  const phone = newPhone();
  await logIn({ role: "patient", phone });
  const patient = await loginAs(server, { role: "patient", phone });
  const visits: string[] = [];
  for (const slot of slots) visits.push(bookedId(await book(patient, doctor.id, slot))!);
  const [twice, gone, down] = visits as [string, string, string];
  const payPage = (visit: string) => `/patient/appointments/payment/${visit}`;
  const visitPage = (visit: string) => `/patient/appointments/${visit}`;
  const toProvider = async (on: Page, visit: string) => {
    await on.goto(payPage(visit));
    const start = on.getByRole("button", { name: /^Pay ₹500 now/ });
    const go = on.getByRole("button", { name: "Continue and pay ₹500" });
    await expect(start.or(go)).toBeVisible();
    const isNew = await start.isVisible();
    if (isNew) await start.click();
    // With scripts one press leads to the provider.
    if (!isNew || !hasJs) await go.click();
    await expect(on.getByRole("heading", { name: "Test payment" })).toBeVisible();
  };
  const payAt = async (on: Page) => {
    await on.getByRole("button", { name: "Pay", exact: true }).click();
    await on.getByRole("button", { name: "Back to Nadi" }).click();
  };
  /** Opens a page again until it says so: the messages of the provider arrive on their own. */
  const says = (path: string, text: string | RegExp) =>
    expect(async () => {
      await page.goto(path);
      await expect(page.getByText(text).first()).toBeVisible({ timeout: 500 });
    }).toPass({ timeout: 60_000 });

  // Two tabs at the provider. The first pays and loses the network, the second pays too.
  await toProvider(page, twice);
  const second = await context.newPage();
  await toProvider(second, twice);
  await page.getByRole("button", { name: "Pay, then lose the network" }).click();
  await says(payPage(twice), "Your payment is recorded.");
  await payAt(second);
  await expect(second.getByText("Your payment is recorded.")).toBeVisible();
  await second.close();
  await says(visitPage(twice), /Refund of ₹500 was sent to your bank on .* Bank reference: RRN/);
  if (hasJs) expect((await axeOn(page).analyze()).violations.map((v) => `${v.id} ${v.nodes[0]?.html}`)).toEqual([]);

  // The doctor cancels while the patient is at the provider.
  await toProvider(page, gone);
  expect((await asDoctor.post(`/doctor/appointments/${gone}/cancel`, {})).status).toBe(303);
  await payAt(page);
  await expect(page.getByRole("heading", { name: "This appointment is cancelled" })).toBeVisible();
  await says(visitPage(gone), "Refund of ₹500 was sent to your bank");

  // Paid. Then the provider is down, the doctor cancels, and the refund waits until the provider is back.
  await toProvider(page, down);
  await payAt(page);
  await says(payPage(down), "Your payment is recorded.");
  provider.behaviour.down = true;
  expect((await asDoctor.post(`/doctor/appointments/${down}/cancel`, {})).status).toBe(303);
  await says(visitPage(down), "Refund of ₹500 started on");
  const ofDown = () => own.refunds().filter(({ amount }) => amount === 50_000).length;
  expect(ofDown()).toBe(2);
  provider.behaviour.down = false;
  await says(visitPage(down), "Refund of ₹500 was sent to your bank");
  expect(ofDown()).toBe(3);

  // The clinic refunds a part of the first appointment in the provider's dashboard.
  const kept = own.payments().find(({ refunded, status }) => status === "captured" && refunded === 0)!;
  provider.dashboardRefund(kept.id, 12_345);
  await says(visitPage(twice), "Refund of ₹123.45 was sent to your bank");
  await page.goto("/patient/payments");
  await expect(page.getByText(/₹123\.45/)).toBeVisible();

  await provider.quiet();
  const [ledger] =
    await server.sql`select sum(amount) filter (where account = 'online')::int as online, sum(amount)::int as all from ledger_entries
    where doctor_id = ${doctor.id}`;
  expect(ledger).toEqual({ online: 50_000 - 12_345, all: 0 });
  const theirs = own.payments().reduce((sum, { amount, refunded }) => sum + amount - refunded, 0);
  expect(theirs).toBe(50_000 - 12_345);
  faults.allow(/503/);
});

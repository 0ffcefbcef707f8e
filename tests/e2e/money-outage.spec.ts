/** The payment provider is down for ten minutes, with and without scripts: before an order, and between the payment and its result. */
import { book, bookedId } from "../factories/booking.ts";
import { dayFromNow, makeDoctor, newPhone } from "../factories/people.ts";
import { expect, test } from "../setup/browser.ts";
import { calmed } from "../setup/gateway.ts";
import { loginAs } from "../setup/people.ts";

test.use({ payments: true });

const TEN_MINUTES = 10 * 60_000;

test("says what is missing during an outage of ten minutes, and records the payment once afterwards", async ({
  page,
  server,
  gateway,
  logIn,
  faults,
  hasJs,
}) => {
  const provider = gateway!;
  const own = calmed(provider);
  const slot = { date: dayFromNow(4), time: "09:00" };
  const doctor = await makeDoctor(server.db, { name: "Dr. Asha Rao", slots: [slot] });
  const phone = newPhone();
  await logIn({ role: "patient", phone });
  const visit = bookedId(await book(await loginAs(server, { role: "patient", phone }), doctor.id, slot))!;
  const payPage = `/patient/appointments/payment/${visit}`;

  // No order can be made. The page says so, and what the patient may do.
  provider.behaviour.down = true;
  await page.goto(payPage);
  await page.getByRole("button", { name: /^Pay ₹500 now/ }).click();
  await expect(
    page.getByText("Our payment partner is not available right now. Your appointment is booked, and no money was taken.").first(),
  ).toBeVisible();
  expect(own.payments()).toEqual([]);

  // It is back after ten minutes. The same button pays.
  server.clock.advance(TEN_MINUTES);
  provider.behaviour.down = false;
  await page.getByRole("button", { name: /^Pay ₹500 now/ }).click();
  if (!hasJs) await page.getByRole("button", { name: "Continue and pay ₹500" }).click();
  await page.getByRole("button", { name: "Pay", exact: true }).click();

  // Paid, and down again before the patient is back: neither a question nor a message tells Nadi.
  provider.behaviour.down = true;
  provider.behaviour.held = true;
  await page.getByRole("button", { name: "Back to Nadi" }).click();
  await expect(page.getByText("Your bank is still confirming the payment.").first()).toBeVisible();
  server.clock.advance(TEN_MINUTES);
  await page.goto(payPage);
  await expect(page.getByText("Your bank is still confirming the payment.").first()).toBeVisible();
  await expect(page.getByRole("button", { name: /^Pay ₹500/ })).toHaveCount(0);
  expect(await server.sql`select id from payments where appointment_id = ${visit}`).toEqual([]);

  provider.behaviour.down = false;
  await provider.release();
  await expect(async () => {
    await page.goto(payPage);
    await expect(page.getByText("Your payment is recorded.").first()).toBeVisible({ timeout: 500 });
  }).toPass({ timeout: 60_000 });
  await provider.quiet();
  expect(await server.sql`select amount::int, refunded::int from payments where appointment_id = ${visit}`).toMatchObject([
    { amount: 50_000, refunded: 0 },
  ]);
  expect(own.payments().map(({ amount, refunded }) => amount - refunded)).toEqual([50_000]);
  faults.allow(/503/);
});

/** Money that goes back, in browsers of patient and doctor, with and without scripts: a part by the doctor, and all of it when the time is gone. */
import { book, bookedId } from "../factories/booking.ts";
import { dayFromNow, makeDoctor, newPhone } from "../factories/people.ts";
import { expect, test } from "../setup/browser.ts";
import { calmed } from "../setup/gateway.ts";
import { loginAs } from "../setup/people.ts";

test.use({ payments: true });

test("the doctor refunds a part, and a payment for a time that another patient took is returned", async ({
  page,
  server,
  gateway,
  logIn,
  newContext,
  hasJs,
}) => {
  const provider = gateway!;
  const own = calmed(provider);
  const [kept, taken] = ["09:00", "10:00"].map((time) => ({ date: dayFromNow(4), time })) as [
    { date: string; time: string },
    { date: string; time: string },
  ];
  const doctor = await makeDoctor(server.db, { name: "Dr. Asha Rao", slots: [kept, taken] });
  const asDoctor = await loginAs(server, { role: "doctor", email: doctor.email });
  const phone = newPhone();
  await logIn({ role: "patient", phone });
  const patient = await loginAs(server, { role: "patient", phone });
  const other = await loginAs(server, { role: "patient", phone: newPhone() });
  const part = bookedId(await book(patient, doctor.id, kept))!;
  const gone = bookedId(await book(patient, doctor.id, taken))!;
  const toProvider = async (visit: string) => {
    await page.goto(`/patient/appointments/payment/${visit}`);
    await page.getByRole("button", { name: /^Pay ₹500 now/ }).click();
    if (!hasJs) await page.getByRole("button", { name: "Continue and pay ₹500" }).click();
    await expect(page.getByRole("heading", { name: "Test payment" })).toBeVisible();
  };
  const payAndReturn = async () => {
    await page.getByRole("button", { name: "Pay", exact: true }).click();
    await page.getByRole("button", { name: "Back to Nadi" }).click();
  };
  /** Opens a page again until it has the text: the messages of the provider arrive on their own. */
  const says = (path: string, text: string | RegExp, on = page) =>
    expect(async () => {
      await on.goto(path);
      await expect(on.getByText(text).first()).toBeVisible({ timeout: 500 });
    }).toPass({ timeout: 60_000 });

  // The doctor returns a part with the form, as the patient paid.
  await toProvider(part);
  await payAndReturn();
  await says(`/patient/appointments/payment/${part}`, "Your payment is recorded.");
  const [payment] = await server.sql<{ id: string }[]>`select id from payments where appointment_id = ${part}`;
  const practice = await newContext();
  await practice.addCookies([{ name: "nadi_session", value: asDoctor.token, url: server.url, httpOnly: true, sameSite: "Lax" }]);
  const desk = await practice.newPage();
  await desk.goto(`/doctor/payments/${payment!.id}/refund`);
  await desk.getByLabel("Refund in rupees").fill("500.01");
  await desk.getByLabel("Agreed with the patient").check();
  await desk.getByRole("button", { name: hasJs ? "Send ₹500.01 to the patient" : "Record refund" }).click();
  await expect(desk.getByText("Only ₹500 of this payment is left. Enter that amount or less.").first()).toBeVisible();
  await desk.getByLabel("Refund in rupees").fill("123.45");
  await desk.getByRole("button", { name: hasJs ? "Send ₹123.45 to the patient" : "Record refund" }).click();
  await expect(desk).toHaveURL(new RegExp(`/doctor/payments/${payment!.id}$`));
  await expect(desk.getByText(/₹123\.45/).first()).toBeVisible();
  await says(`/patient/appointments/${part}`, /Refund of ₹123\.45 was sent to your bank on .* Bank reference: RRN/);
  // On each paper and in each language the receipt with its refund is one page.
  for (const language of ["te", "hi", "en"]) {
    await page.goto(`/patient/payments/${payment!.id}?lang=${language}`);
    for (const format of ["A5", "A4", "Letter"]) {
      const printed = await page.pdf({ format, margin: { top: "10mm", bottom: "10mm", left: "10mm", right: "10mm" } });
      expect(printed.toString("latin1").match(/\/Type\s*\/Page\b(?!s)/g), `${language} ${format}`).toHaveLength(1);
    }
  }
  await page.goto(`/patient/payments/${payment!.id}`);
  await expect(page.getByText(/₹123\.45/).first()).toBeVisible();
  await expect(page.getByText("Agreed with the patient").first()).toBeVisible();

  // While the patient is at the provider, the doctor cancels. Another patient books the time before the money comes.
  await toProvider(gone);
  expect((await asDoctor.post(`/doctor/appointments/${gone}/cancel`, {})).status).toBe(303);
  const theirs = bookedId(await book(other, doctor.id, taken));
  expect(theirs).not.toBeNull();
  await payAndReturn();
  await expect(page.getByRole("heading", { name: "This appointment is cancelled" })).toBeVisible();
  await says(`/patient/appointments/${gone}`, /Refund of ₹500 was sent to your bank on .* Bank reference: RRN/);
  expect(await server.sql`select status from appointments where id = ${theirs}`).toMatchObject([{ status: "pending" }]);
  expect(await server.sql`select id from payments where appointment_id = ${theirs}`).toEqual([]);

  await provider.quiet();
  const [ledger] = await server.sql`select sum(amount) filter (where account = 'online')::int as online, sum(amount)::int as all
    from ledger_entries where doctor_id = ${doctor.id}`;
  expect(ledger).toEqual({ online: 50_000 - 12_345, all: 0 });
  expect(own.payments().reduce((sum, { amount, refunded }) => sum + amount - refunded, 0)).toBe(50_000 - 12_345);
});

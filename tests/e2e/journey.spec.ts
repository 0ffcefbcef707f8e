import sharp from "sharp";
import { newFreeSlot } from "../factories/people.ts";
import { BOTH_WAYS, expect, inTwoProcesses, test } from "../setup/browser.ts";
import { openFreeDay } from "../setup/calendar.ts";

// The journey goes through two processes in turn, so no state may be in the memory of one.
inTwoProcesses();

/** Returns a photo of a prescription, as a phone sends it. */
const photo = () =>
  sharp({ create: { width: 900, height: 1200, channels: 3, background: "#e8e4da" } })
    .jpeg()
    .toBuffer();
const errors = (text: string) => ({ hasText: text });

for (const tag of BOTH_WAYS)
  test(`a patient books a doctor, who accepts and completes the visit ${tag}`, async ({ page, server, hasJs, newContext, faults }) => {
    // This machine has no UPI app.
    faults.allow(/registered handler/);
    const phone = hasJs ? "9812300001" : "9812300002";
    // Choose a role, log in with a code.
    await page.goto("/choose-role");
    await expect(page.getByRole("heading", { name: "Let's get started" })).toBeVisible();
    await page.getByRole("link", { name: /Patient/ }).click();
    await page.getByLabel("Mobile number").fill("12345");
    await page.getByRole("button", { name: "Send code" }).click();
    await expect(page.locator(".err", errors("Please enter a valid 10-digit mobile number"))).toBeVisible();
    await expect(page.getByLabel("Mobile number")).toHaveValue("12345");
    await page.getByLabel("Mobile number").fill(phone);
    await page.getByRole("button", { name: "Send code" }).click();
    await page.getByLabel("Code from the SMS").fill("000000");
    await page.getByRole("button", { name: "Verify and continue" }).click();
    await expect(page.locator(".err", errors("OTP verification failed"))).toBeVisible();
    await page.getByLabel("Code from the SMS").fill(await server.lastCode(`+91${phone}`));
    await page.getByRole("button", { name: "Verify and continue" }).click();
    await page.waitForURL("**/patient-dashboard");

    // Find a doctor.
    await page.getByRole("link", { name: "See all" }).click();
    await page.getByRole("link", { name: "Cardiologist", exact: true }).click();
    await page.waitForURL("**/doctorspages/Cards-data?specialty=Cardiologist&sort=distance");
    await page.getByRole("link", { name: "Dr. Anjali Vemuri" }).click();
    await expect(page.getByRole("heading", { name: "Dr. Anjali Vemuri" })).toBeVisible();
    await page.getByRole("link", { name: "Book Now" }).click();

    // Choose a day and a time at least two days later, so that it can still be changed.
    await page.waitForURL("**/patient/appointments/datetime?doctorId=*");
    await openFreeDay(page, hasJs ? 3 : 4);
    await page.waitForURL(/date=/);
    await page.locator("input[name=time]:not([disabled])").nth(2).check({ force: true });
    await expect(
      page
        .locator(".dock")
        .getByText(/^You can change it until/)
        .filter({ visible: true }),
    ).toHaveCount(1);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.waitForURL("**/patient/appointments/patient-detail?*");

    // Details with a photo. A refusal preserves the input and the upload.
    await page.getByText("Add medical history or reports").click();
    await page.getByLabel("Description").fill("Old prescription");
    await page.locator("input[type=file]").setInputFiles({ name: "document.jpg", mimeType: "image/jpeg", buffer: await photo() });
    if (!hasJs) await page.getByRole("button", { name: "Add these medical records" }).click();
    await expect(page.getByText("received")).toBeVisible();
    await page.getByLabel("Name", { exact: true }).fill("Ravi Kumar");
    await page.getByRole("button", { name: "Book", exact: true }).click();
    await expect(page.getByRole("alert")).toContainText("Please fill all required fields");
    // Below its field each says what to do.
    await expect(page.locator(".err", errors("Enter the date of birth or the age.")).first()).toBeVisible();
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Ravi Kumar");
    await expect(page.getByText("received")).toBeVisible();
    await page.getByLabel(/^Age/).fill("46");
    await page.getByLabel("Male", { exact: true }).check();
    await page.getByRole("button", { name: "Book", exact: true }).click();

    // The payment step and the calendar.
    await page.waitForURL("**/patient/appointments/payment/*");
    await expect(page.getByRole("heading", { name: "Appointment booked in progress!" })).toBeVisible();
    await page.getByRole("button", { name: /by UPI/ }).click();
    await expect(page.getByRole("heading", { name: "Finish in your UPI app", level: 1 })).toBeVisible();
    await expect(page.getByRole("link", { name: "Open the UPI app" })).toHaveAttribute("href", /^upi:\/\/pay\?pa=/);
    await page.getByRole("button", { name: "I have paid: check now" }).click();
    await expect(page.getByText(/^Checked at .*: your payment is not confirmed yet\.$/)).toBeVisible();
    await page.getByRole("button", { name: "Pay at the clinic instead" }).click();
    await page.waitForURL(/\/patient\/appointments\/[0-9a-f-]{36}$/);
    await expect(page.getByText("Pay at the clinic. Show reference number")).toBeVisible();
    await page.goto("/patient/calendar");
    const booking = page.locator("section", { has: page.getByRole("heading", { name: "Your Bookings" }) }).getByRole("listitem");
    await expect(booking).toHaveCount(1);
    await expect(booking).toContainText("Pending");
    await expect(booking).toContainText("Dr. Anjali Vemuri");

    // Another time of the same doctor.
    await booking.getByRole("link", { name: "Reschedule" }).click();
    await page.waitForURL(/\/reschedule/);
    await openFreeDay(page, 5);
    await page.waitForURL(/reschedule\?.*date=/);
    await page
      .locator("input[name=time]:not([disabled])")
      .nth(hasJs ? 3 : 4)
      .check({ force: true });
    await page.getByRole("button", { name: "Confirm new time" }).click();
    await page.waitForURL(/\/patient\/appointments\/[0-9a-f-]{36}$/);

    // The doctor logs in elsewhere, opens the visit with its document, accepts and completes it.
    const context = await newContext({ viewport: { width: 390, height: 844 } });
    const doctorPage = await context.newPage();
    // The doctor's next code, half a minute after that of the journey with scripts.
    if (!hasJs) server.clock.advance(31_000);
    await doctorPage.goto("/dual-doctor");
    await doctorPage.getByLabel("Email").fill("doctor@demo.test");
    await doctorPage.getByLabel("Password", { exact: true }).fill("demo1234");
    await doctorPage.getByLabel(/Mobile number/).fill("9000000101");
    await doctorPage.getByRole("button", { name: "Send OTP" }).click();
    await expect(doctorPage.getByLabel("Code from the SMS")).toBeVisible();
    await doctorPage.getByLabel("Code from the SMS").fill(await server.lastCode("+919000000101"));
    await doctorPage.getByRole("button", { name: "Verify OTP" }).click();
    await doctorPage.getByRole("button", { name: "Continue" }).click();
    await doctorPage.waitForURL("**/doctor-dashboard");
    const [row] = await server.sql<{ id: string }[]>`select id from appointments where patient_phone = ${`+91${phone}`}`;
    await doctorPage.goto(`/doctor/patient/${row!.id}`);
    await expect(doctorPage.getByRole("heading", { name: "Ravi Kumar" })).toBeVisible();
    await expect(doctorPage.getByRole("heading", { name: "Old prescription" })).toBeVisible();
    const document = await context.request.get(
      new URL((await doctorPage.getByRole("link", { name: "View", exact: true }).getAttribute("href"))!, server.url).href,
    );
    expect(document.headers()["content-type"]).toBe("image/jpeg");
    for (const [action, status] of [
      ["accept", "accepted"],
      ["complete", "completed"],
    ] as const) {
      // Completing waits for the start of the visit, and the doctor's session would expire before.
      if (action === "complete") await server.sql`update appointments set date = date - 30 where id = ${row!.id}`;
      await doctorPage.goto(`/doctor/appointments/${row!.id}/${action}`);
      await doctorPage.getByRole("button", { name: "Yes" }).click();
      await doctorPage.waitForURL("**/doctor/appointments");
      await expect.poll(async () => (await server.sql`select status from appointments where id = ${row!.id}`)[0]?.status).toBe(status);
    }
    await context.close();

    // The patient sees it, and logs out.
    await page.goto("/patient/calendar?tab=past");
    await expect(booking).toContainText("Completed");
    await page.goto("/logout");
    await page.getByRole("button", { name: "Yes" }).click();
    await page.waitForURL("**/choose-role");
    await page.goto("/patient/calendar");
    await expect(page).toHaveURL(/dual-patient/);
  });

test("a code expires after two minutes, and the page shows it", async ({ page, server, hasJs }) => {
  const phone = hasJs ? "9812300011" : "9812300012";
  await page.goto("/dual-patient");
  await page.getByLabel("Mobile number").fill(phone);
  await page.getByRole("button", { name: "Send code" }).click();
  await expect(page.getByLabel("Code from the SMS")).toBeVisible();
  const code = await server.lastCode(`+91${phone}`);
  server.clock.advance(121_000);
  await page.getByLabel("Code from the SMS").fill(code);
  await page.getByRole("button", { name: "Verify and continue" }).click();
  await expect(page.getByText("OTP expired. Please request a new code.").first()).toBeVisible();
});

test("a slot that was just taken offers the nearest ones", async ({ page, server, logIn, hasJs }) => {
  await logIn({ role: "patient", phone: hasJs ? "+919812300021" : "+919812300022" });
  const slot = await newFreeSlot(server.db);
  await page.goto(
    `/patient/appointments/patient-detail?${new URLSearchParams({ doctorId: slot.doctor, date: slot.date, time: slot.time })}`,
  );
  await page.getByLabel("Name", { exact: true }).fill("Second Person");
  await page.getByLabel(/^Age/).fill("30");
  await page.getByLabel("Female").check();
  const [other] = await server.sql<
    { id: string }[]
  >`select id from patients where id <> (select user_id from sessions order by created_at desc limit 1) limit 1`;
  await server.sql`insert into appointments (patient_id, doctor_id, date, time, patient_name, patient_phone, patient_age, patient_gender, payment_reference, idempotency_key)
    values (${other!.id}, ${slot.doctor}, ${slot.date}, ${slot.time}, 'First', '+919812300099', 40, 'male', ${`T-${slot.date}-${Math.random()}`}, ${`k-${Math.random()}`})`;
  await page.getByRole("button", { name: "Book", exact: true }).click();
  await expect(page.getByText("This slot was just taken. Please choose another.").first()).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Second Person");
  const nearest = page.getByRole("navigation", { name: "Nearest free times" }).getByRole("button");
  expect(await nearest.count()).toBeGreaterThan(1);
  // Typed after the refusal.
  await page.getByLabel("Reason").fill("Fever since Monday");
  const old = page.url();
  await nearest.first().click();
  await page.waitForURL((url) => url.href !== old);
  await expect(page.getByRole("navigation", { name: "Nearest free times" })).toHaveCount(0);
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Second Person");
  await expect(page.getByLabel("Reason")).toHaveValue("Fever since Monday");
  await page.getByRole("button", { name: "Book", exact: true }).click();
  await page.waitForURL("**/patient/appointments/payment/*");
});

/** What a page shows while a response is pending (specification 001 §4.1, §4.2, §8; 000 §2, §4, §8), and where the next page starts. */
import { dayFromNow, makeDoctor, newFreeSlot, newPhone } from "../factories/people.ts";
import { allPictures, bank, manualHospital, multipart, newDoctor, professional } from "../setup/applications.ts";
import { expect, pauseData, test } from "../setup/browser.ts";
import { DEMO, loginAs } from "../setup/people.ts";

test("sending and checking a code, and booking: the button shows the action until the response arrives", { tag: "@js" }, async ({
  page,
  server,
}) => {
  const phone = newPhone();
  await page.goto("/dual-patient");
  await page.getByLabel("Mobile number").fill(phone.slice(3));
  let resume = await pauseData(page, "/dual-patient");
  await page.getByRole("button", { name: "Send code" }).click();
  await expect(page.getByRole("button", { name: "Sending OTP..." })).toBeVisible();
  resume();
  await expect(page.getByText("OTP Sent!")).toBeVisible();
  await page.getByLabel("Code from the SMS").fill(await server.lastCode(phone));
  resume = await pauseData(page, "/dual-patient");
  await page.getByRole("button", { name: "Verify and continue" }).click();
  await expect(page.getByRole("button", { name: "Verifying OTP..." })).toBeVisible();
  resume();
  await expect(page.getByText("OTP Verified!")).toBeVisible();
  await page.waitForURL("**/patient-dashboard");

  const slot = await newFreeSlot(server.db);
  await page.goto(`/patient/appointments/patient-detail?doctorId=${slot.doctor}&date=${slot.date}&time=${slot.time}`);
  await page.getByLabel("Name", { exact: true }).fill("Ravi Kumar");
  await page.getByLabel(/^Age/).fill("46");
  await page.getByLabel("Male", { exact: true }).check();
  resume = await pauseData(page, "/patient/appointments/patient-detail");
  await page.getByRole("button", { name: "Book", exact: true }).click();
  const busy = page.getByRole("button", { name: "Booking appointment..." });
  await expect(busy).toBeVisible();
  // A second press does nothing.
  await expect(busy).toHaveAttribute("aria-disabled", "true");
  resume();
  await page.waitForURL("**/patient/appointments/payment/*");
});

test("Resend is enabled when the countdown ends", async ({ page }) => {
  await page.goto("/dual-patient");
  await page.getByLabel("Mobile number").fill(newPhone().slice(3));
  await page.getByRole("button", { name: "Send code" }).click();
  await expect(page.getByText("No SMS yet? You can resend it in")).toBeVisible();
  const pressable = () =>
    page.getByRole("button", { name: "Resend" }).evaluate((button) => getComputedStyle(button).pointerEvents !== "none");
  expect(await pressable()).toBe(false);
  // The countdown is a CSS animation, with JavaScript and without. The test finishes it.
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) animation.finish();
  });
  await expect.poll(pressable).toBe(true);
});

test("lists and a hospital show that they are loading, and a new page starts at its top", { tag: "@js" }, async ({ page, logIn }) => {
  await logIn(DEMO.patient);
  await page.goto("/doctorspages/Cards-data");
  let resume = await pauseData(page, "/doctorspages/Cards-data");
  await page.getByRole("link", { name: "Cardiologist", exact: true }).click();
  await expect(page.getByText("Loading doctors...")).toBeVisible();
  resume();
  await page.waitForURL("**/doctorspages/Cards-data?specialty=Cardiologist");
  await expect(page.getByText("Loading doctors...")).toBeHidden();

  await page.goto("/hospitalpages/Cards-data");
  await page.locator(".card.hos .go").nth(6).scrollIntoViewIfNeeded();
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(200);
  resume = await pauseData(page, "/hospital/*");
  await page.locator(".card.hos .go").nth(6).click();
  await expect(page.getByText("Loading hospital details...")).toBeVisible();
  resume();
  await expect(page.getByRole("link", { name: "Directions" })).toBeVisible();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
});

test("choosing another day removes the time of the day before", async ({ page, server, logIn }) => {
  await logIn(DEMO.patient);
  const slot = await newFreeSlot(server.db);
  await page.goto(`/patient/appointments/datetime?doctorId=${slot.doctor}&date=${slot.date}`);
  const chosen = page.locator("input[name=time]:checked");
  await page.locator(`input[name=time][value="${slot.time}"]`).check({ force: true });
  await expect(chosen).toHaveCount(1);
  await page.locator('[data-strip] a[href*="&date="]:not([aria-current]):not([href*="month="])').last().click();
  await page.waitForURL((url) => url.searchParams.get("date") !== slot.date);
  await expect(chosen).toHaveCount(0);
});

test("a doctor's application and slots: the button shows the action", { tag: "@js" }, async ({ page, server, context }) => {
  const signIn = (token: string) =>
    context.addCookies([{ name: "nadi_session", value: token, url: server.url, httpOnly: true, sameSite: "Lax" }]);
  const draft = await newDoctor(server);
  await signIn(draft.token);
  /** Presses the button, checks its new text, and releases the response. */
  const press = async (name: string, doing: string, place: string) => {
    const resume = await pauseData(page, place);
    await page.getByRole("button", { name, exact: true }).click();
    await expect(page.getByRole("button", { name: doing, exact: true })).toBeVisible();
    resume();
  };
  await page.goto("/hospital-form?mode=manual");
  const { hospitalName, hospitalAddress, contactNumber } = manualHospital();
  await page.getByLabel("Hospital Name *").fill(hospitalName);
  await page.getByLabel("Full Hospital Address *").fill(hospitalAddress);
  await page.getByLabel("Contact Number (Landline or Mobile) *").fill(contactNumber);
  await press("Next → Doctor Verification", "Processing...", "/hospital-form");
  await page.waitForURL("**/doctor-verification");
  await draft.postFiles("/doctor-verification", multipart(professional(), await allPictures()));
  await page.goto("/banking-information");
  for (const [name, value] of Object.entries(bank())) await page.locator(`input[name=${name}]`).fill(String(value));
  await press("Submit", "Submitting...", "/banking-information");
  await page.waitForURL("**/doctor-verify");

  const doctor = await makeDoctor(server.db);
  await signIn((await loginAs(server, { role: "doctor", email: doctor.email })).token);
  const day = dayFromNow(3);
  await page.goto(`/doctor/availability/add?date=${day}&select=all`);
  await press("Add Availability", "Adding availability...", "/doctor/availability/add");
  await page.waitForURL("**/doctor/availability");
  await page.goto(`/doctor/availability/change/${day}`);
  await press("Confirm Changes", "Updating availability...", `/doctor/availability/change/${day}`);
  await page.waitForURL("**/doctor/availability");
  await page.goto(`/doctor/availability/delete/${day}`);
  await press("Yes", "Deleting...", `/doctor/availability/delete/${day}`);
  await page.waitForURL("**/doctor/availability");
  await expect(page.getByText("No data is available")).toBeVisible();
});

test("older notifications show that they are loading", { tag: "@js" }, async ({ page, server, logIn }) => {
  const doctor = await makeDoctor(server.db);
  await logIn({ role: "doctor", email: doctor.email });
  await server.sql`insert into notifications (user_id, kind, type, params, created_at) select ${doctor.id}, 'doctor-verified', 'success', '{}', now() - n * interval '1 day'
    from generate_series(1, 45) n`;
  await page.goto("/doctor/notifications");
  const resume = await pauseData(page, "/doctor/notifications");
  await page.getByRole("link", { name: "More" }).click();
  await expect(page.getByText("Loading...", { exact: true })).toBeAttached();
  resume();
  await expect(page.getByText("Loading...", { exact: true })).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Newest" })).toBeVisible();
});

test("a doctor's question is shown at once, and sending is disabled until the response arrives", { tag: "@js" }, async ({
  page,
  server,
  logIn,
}) => {
  const doctor = await makeDoctor(server.db);
  await logIn({ role: "doctor", email: doctor.email });
  await page.goto("/doctor/ai-chat");
  let resume = () => {};
  const delayed = new Promise<void>((ok) => {
    resume = ok;
  });
  await page.route("**/doctor/ai-chat/ask", async (route) => {
    await delayed;
    await route.continue();
  });
  const words = page.getByLabel("Your message");
  await words.fill("visits today");
  await words.press("Enter");
  await expect(page.getByRole("log").getByText("visits today")).toBeVisible();
  await expect(page.getByRole("log").getByText("Writing an answer …")).toBeAttached();
  await expect(words).toHaveValue("");
  // The focus, and with it the keyboard of a phone, stays in the field.
  await expect(words).not.toBeEditable();
  await expect(words).toBeFocused();
  await expect(page.getByRole("button", { name: "Send" })).toBeDisabled();
  resume();
  await expect(page.getByText("Appointments today: 0.")).toBeVisible();
  await expect(words).toBeEditable();
});

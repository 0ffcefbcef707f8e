import type { Page } from "@playwright/test";
import sharp from "sharp";
import { expect, test } from "../setup/browser.ts";
import type { TestServer } from "../setup/server.ts";

/** Returns a photo of a document. Each shade is a different image, because the same image is stored once. */
const photo = async (name: string, shade: string) => ({
  name,
  mimeType: "image/jpeg",
  buffer: await sharp({ create: { width: 800, height: 1000, channels: 3, background: shade } })
    .jpeg()
    .toBuffer(),
});

/** Doctors, reviewers and administrators log in on the same page, with password and code. */
async function comeIn(page: Page, server: TestServer, who: { email: string; password: string; phone: string }, register = false) {
  server.clock.advance(60_000); // a phone gets one code in 30 seconds
  await page.goto(`/dual-doctor${register ? "?mode=register" : ""}`);
  await page.getByLabel("Email").fill(who.email);
  await page.getByLabel("Password", { exact: true }).fill(who.password);
  await page.getByLabel(/Mobile number/).fill(who.phone);
  await page.getByRole("button", { name: "Send OTP" }).click();
  await expect(page.getByLabel("Code from the SMS")).toBeVisible();
  await page.getByLabel("Code from the SMS").fill(await server.lastCode(`+91${who.phone}`));
  await page.getByRole("button", { name: "Verify OTP" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL((url) => !url.pathname.startsWith("/dual-doctor"));
}
async function leave(page: Page) {
  await page.goto("/logout");
  await page.getByRole("button", { name: "Yes" }).click();
  await page.waitForURL("**/choose-role");
}

/** Opens each document of the case on the page: an approval needs them opened by this user. Ends on the case. */
async function openDocuments(page: Page): Promise<void> {
  const case_ = page.url();
  const documents = await page.locator('a[href^="/documents/"]').evaluateAll((links) => links.map((link) => link.getAttribute("href")!));
  for (const path of new Set(documents)) {
    await page.goto(path);
    await page.locator('img[src^="/files/"]').first().waitFor();
  }
  await page.goto(case_);
}

test("a new doctor becomes verified through a reviewer and an administrator, with bookable slots", async ({ page, server, hasJs }) => {
  const doctor = {
    email: hasJs ? "new.js@demo.test" : "new.nojs@demo.test",
    password: "a long secret",
    phone: hasJs ? "9812400001" : "9812400002",
  };
  const name = hasJs ? "Dr. Nava Kumari" : "Dr. Naveen Rao";
  const staff = async (role: string) => {
    const [row] = await server.sql<
      { email: string; phone: string }[]
    >`select email, phone from users where role = ${role} and email = ${`${role}@demo.test`}`;
    return { email: row!.email, password: "demo1234", phone: row!.phone.slice(3) };
  };

  await page.goto("/choose-role");
  await page.getByRole("link", { name: /Doctor/ }).click();
  await page.getByRole("link", { name: "Register" }).click();
  await page.waitForURL("**/dual-doctor?mode=register");
  await comeIn(page, server, doctor, true);

  // Step 1: a hospital of the list, found by name.
  await page.waitForURL(/\/hospital-form/);
  await expect(page.getByText("Your account is created.")).toBeVisible();
  await page.goto("/hospital-form?q=Krishna");
  await page
    .getByLabel("Select Hospital *")
    .selectOption({ label: await page.getByRole("option", { name: /Krishna Heart Centre/ }).innerText() });
  if (!hasJs) await page.getByRole("button", { name: "Choose this hospital" }).click();
  await expect(page.getByLabel("Hospital Name *")).toHaveValue("Krishna Heart Centre");
  await page.getByRole("button", { name: "Next → Doctor Verification" }).click();

  // Step 2: errors are beside their fields, and the input remains.
  await page.waitForURL("**/doctor-verification");
  await page.getByLabel("Full name").fill(name);
  await page.getByRole("button", { name: "Next → Banking Information" }).click();
  await expect(page.locator(".err", { hasText: "Please provide information in the About section" })).toBeVisible();
  await expect(page.locator(".err", { hasText: "Profile image is required" })).toBeVisible();
  await expect(page.getByLabel("Full name")).toHaveValue(name);
  await page.getByLabel("Female", { exact: true }).check();
  await page.getByLabel("Date of birth").fill("1985-04-12");
  await page.getByLabel("Medical council registration number").fill(hasJs ? "APMC/2012/70001" : "APMC/2012/70002");
  await page.getByLabel("Medical council name").fill("Andhra Pradesh Medical Council");
  await page.getByLabel("Year of registration").fill("2012");
  await page.getByLabel("Primary specialization").fill("Cardiologist");
  await page.getByLabel("Category").selectOption("Cardiology");
  await page.getByLabel("Years of experience").fill("12");
  await page.getByLabel("Consultation fee (₹)").fill("450");
  await page.getByLabel("About", { exact: true }).fill("Looks after hearts, in plain words.");
  await page.getByLabel("Degree").first().fill("MBBS");
  await page.getByLabel("City", { exact: true }).fill("Vijayawada");
  await page.getByLabel("State", { exact: true }).fill("Andhra Pradesh");
  for (const [kind, shade] of [
    ["profileImage", "#caa"],
    ["identityDocument", "#aca"],
    ["medicalCouncilCertificate", "#aac"],
    ["qualificationCertificates", "#cca"],
  ] as const) {
    await page
      .locator(`input[type=file][name=${kind}]`)
      .setInputFiles(await photo(`${kind}.jpg`, hasJs ? shade : shade.replace("#", "#e")));
    // With JavaScript a chosen image is uploaded at once.
    if (hasJs)
      await expect(page.getByText("Received")).toHaveCount(
        ["profileImage", "identityDocument", "medicalCouncilCertificate", "qualificationCertificates"].indexOf(kind) + 1,
      );
  }
  if (!hasJs) await page.getByRole("button", { name: "Upload the selected pictures" }).click();
  await expect(page.getByText("Received")).toHaveCount(4);
  await page.getByRole("button", { name: "Next → Banking Information" }).click();

  // Step 3.
  await page.waitForURL("**/banking-information");
  await page.getByLabel("Bank Name").fill("State Bank of India");
  await page.getByLabel("Account Number").fill("123456789012");
  await page.getByLabel("IFSC Code").fill("SBIN0001234");
  await page.getByLabel("Account Holder Name").fill(name);
  await page.getByLabel("Bank Branch").fill("Governorpet");
  await page.getByRole("button", { name: "Submit", exact: true }).click();
  await page.waitForURL("**/doctor-verify");
  await expect(page.getByText("Verification submitted successfully!").first()).toBeVisible();
  await expect(page.getByText("Registration Submitted")).toBeVisible();
  await leave(page);

  // The hospital's reviewer.
  await comeIn(page, server, await staff("reviewer"));
  await page.waitForURL("**/reviewer");
  await page.getByRole("link", { name }).first().click();
  await page.waitForURL("**/reviewer/cases/*");
  await openDocuments(page);
  await expect(page.getByLabel("Matches")).toHaveCount(4);
  for (const matches of await page.getByLabel("Matches").all()) await matches.check();
  await page.getByRole("button", { name: "Approve for the hospital" }).click();
  await expect(page.getByText(`Approved for the hospital. An administrator decides next on ${name}.`).first()).toBeVisible();
  await leave(page);

  // The administrator, a different user.
  const [row] = await server.sql<
    { id: string; registration_status: string }[]
  >`select id, registration_status from doctors where full_name = ${name}`;
  expect(row?.registration_status).toBe("pending admin approval");
  await comeIn(page, server, await staff("admin"));
  await page.waitForURL("**/admin");
  await page.goto(`/admin/doctors/${row!.id}`);
  await expect(page.getByLabel("Matches")).toHaveCount(4);
  await openDocuments(page);
  for (const matches of await page.getByLabel("Matches").all()) await matches.check();
  await page.getByRole("button", { name: "Approve doctor" }).click();
  await expect(page.getByText(`${name} is verified and in the directory.`).first()).toBeVisible();
  await leave(page);

  // The doctor adds slots, and a visitor finds them.
  await comeIn(page, server, doctor);
  await page.waitForURL("**/doctor-dashboard");
  const date = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
  await page.goto("/doctor/availability/add");
  await page.getByLabel("Date").fill(date);
  await page.locator("input[name=slots]").nth(2).check({ force: true });
  await page.getByRole("button", { name: "Add Availability" }).click();
  await page.waitForURL("**/doctor/availability");
  await leave(page);
  await page.goto(`/doctorspages/Cards-data?q=${encodeURIComponent(name)}`);
  await expect(page.getByRole("link", { name })).toBeVisible();
  await expect(page.getByText(/Next slot: .*10:00 AM/)).toBeVisible();

  // What was sent: emails to the doctor, and an SMS that states only that there is a decision.
  await expect
    .poll(async () => (await server.outbox(doctor.email)).map((email) => email.subject))
    .toEqual(["You are verified · Nadi", "Approved by your hospital · Nadi", "Application received · Nadi"]);
});

test("a refused form starts with a summary that links to each field", async ({ page }) => {
  await page.goto("/dual-doctor");
  const summary = page.getByRole("alert");
  await page.getByRole("button", { name: "Send OTP" }).click();
  await expect(summary).toContainText("Please fill in all required fields correctly");
  await expect(summary).toBeFocused();
  await expect(summary.getByRole("link", { name: "Password is required" })).toBeVisible();

  // Every field filled in, and still invalid.
  await page.getByLabel("Email").fill("not an address");
  await page.getByLabel("Password", { exact: true }).fill("short");
  await page.getByLabel(/Mobile number/).fill("123");
  await page.getByRole("button", { name: "Send OTP" }).click();
  await expect(summary).toContainText("Please fix all validation errors");
  await expect(summary.getByRole("link")).toHaveCount(3);
  await expect(summary).toBeFocused();
  await summary.getByRole("link").first().click();
  await expect(page.getByLabel("Email")).toBeFocused();
});

test("an invalid field shows its error when it loses focus, and the focus is not moved", { tag: "@js" }, async ({ page }) => {
  await page.goto("/dual-doctor");
  const email = page.getByLabel("Email");
  const password = page.getByLabel("Password", { exact: true });
  await email.fill("x");
  await password.focus();
  await expect(page.locator(".err").first()).toBeVisible();
  await expect(password).toBeFocused();
  await expect(page.getByRole("alert")).toHaveCount(0);

  // Correcting a refused form does not move the focus either.
  await page.getByRole("button", { name: "Send OTP" }).click();
  await expect(page.getByRole("alert")).toBeFocused();
  await email.fill("asha@example.in");
  await expect(page.getByRole("alert").getByRole("link")).toHaveCount(2);
  await expect(email).toBeFocused();
  await password.fill("a long secret");
  await page.getByLabel(/Mobile number/).fill("9812400009");
  await expect(page.getByRole("alert")).toHaveCount(0);
  await email.fill("x");
  await password.focus();
  await expect(page.locator(".err")).toHaveCount(1);
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(password).toBeFocused();
});

test("a password can be shown while it is typed", { tag: "@js" }, async ({ page }) => {
  await page.goto("/dual-doctor");
  const password = page.getByLabel("Password", { exact: true });
  await password.fill("a long secret");
  await expect(password).toHaveAttribute("type", "password");
  await page.getByRole("button", { name: "Show password" }).click();
  await expect(password).toHaveAttribute("type", "text");
  await page.getByRole("button", { name: "Hide password" }).click();
  await expect(password).toHaveAttribute("type", "password");
  await expect(password).toHaveValue("a long secret");
});

/** The admin pages in a browser, with JavaScript and without. */
import { makeCase, makeHospital } from "../factories/cases.ts";
import { makeDoctor, makePatient, makeVisit, newPhone, typed } from "../factories/people.ts";
import { expect, test } from "../setup/browser.ts";
import { DEMO_KEY } from "../setup/database.ts";
import { DEMO } from "../setup/people.ts";
import { expectText, statusOf } from "../setup/staff-steps.ts";

test("an administrator invites a reviewer, who creates an account and logs in", async ({ page, server, logIn, hasJs, context }) => {
  const hospital = await makeHospital(server.db, { name: `Invited House ${hasJs ? "One" : "Two"}` });
  const it = await makeCase(server.db, { key: DEMO_KEY, hospital, name: "Dr. First Of Many" });
  const [email, phone] = [hasJs ? "grace.js@invited.test" : "grace@invited.test", newPhone()];
  await logIn(DEMO.admin);
  await page.goto(`/admin/hospitals/${hospital.id}`);
  await page.getByLabel("Reviewer's email").fill(email);
  await page.getByRole("button", { name: "Send invitation" }).click();
  await expectText(page, `Invitation sent to ${email}.`);
  await expect(page.getByText("Valid until")).toBeVisible();

  await expect.poll(async () => (await server.outbox(email)).length).toBe(1);
  const link = /\/invitation\/[\w-]+/.exec((await server.outbox(email))[0]!.body)![0];
  await context.clearCookies();
  await page.goto(link);
  await page.getByLabel("Your name").fill("Sister Grace");
  await page.getByLabel(/Mobile number/).fill(typed(phone));
  await page.getByLabel("Password", { exact: true }).fill("a long secret");
  await page.getByRole("button", { name: "Create my account" }).click();
  await page.waitForURL("**/dual-doctor");
  await expectText(page, `You can now review doctors of ${hospital.name}. Log in to start.`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill("a long secret");
  await page.getByLabel(/Mobile number/).fill(typed(phone));
  await page.getByRole("button", { name: "Send OTP" }).click();
  await expect(page.getByLabel("Code from the SMS")).toBeVisible();
  await page.getByLabel("Code from the SMS").fill(await server.lastCode(phone));
  await page.getByRole("button", { name: "Verify OTP" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL("**/reviewer");
  await page.getByRole("link", { name: "Dr. First Of Many" }).click();
  await page.waitForURL(`**/reviewer/cases/${it.id}`);
});

test("an administrator confirms a hospital, and suspends and reinstates a doctor", async ({ page, server, logIn, hasJs }) => {
  const hospital = await makeHospital(server.db, { name: `Entered House ${hasJs ? "One" : "Two"}`, status: "pending" });
  const it = await makeCase(server.db, { key: DEMO_KEY, hospital, status: "verified", name: `Dr. Suspended ${hasJs ? "One" : "Two"}` });
  await logIn(DEMO.admin);
  await page.goto("/admin/hospitals?status=pending");
  await page.getByRole("link", { name: hospital.name }).click();
  await page.getByRole("button", { name: "Confirm the hospital" }).click();
  await expectText(page, `${hospital.name} is confirmed.`);

  await page.goto(`/admin/doctors/${it.id}`);
  await page.getByRole("link", { name: "Suspend doctor" }).click();
  await page.getByLabel(/Reason for the doctor/).fill("A complaint is looked into.");
  await page.getByRole("button", { name: "Suspend doctor" }).click();
  await expectText(page, /is suspended and logged out everywhere\./);
  await expectText(page, "A complaint is looked into.");
  await page.getByRole("link", { name: "Reinstate doctor" }).click();
  await page.getByRole("button", { name: "Reinstate doctor" }).click();
  await expectText(page, /can be booked again\./);
  expect(await statusOf(server, it)).toBe("verified");
});

test("an administrator asks a suspended doctor's patient to choose again and cancels the rest", async ({ page, server, logIn, hasJs }) => {
  const doctor = await makeDoctor(server.db, { status: "suspended", name: `Dr. Gone ${hasJs ? "One" : "Two"}` });
  const patient = await makePatient(server.db);
  await makeVisit(server.db, { patient, doctor }, { name: "Sita Gone", time: "10:00" });
  await makeVisit(server.db, { patient, doctor }, { name: "Rama Gone", time: "11:00", status: "accepted" });
  const statuses = async () =>
    (await server.sql`select status from appointments where doctor_id = ${doctor.id} order by time`).map(({ status }) => status);
  await logIn(DEMO.admin);
  await page.goto(`/admin/doctors/${doctor.id}`);
  await page.getByRole("link", { name: "Change these appointments" }).click();
  await page.getByRole("button", { name: "Ask patients to choose another doctor" }).click();
  await expectText(page, "Choose at least one appointment.");
  await expectText(page, "Choose a reason for the patients.");
  await page.getByLabel("Sita Gone").check();
  await page.getByLabel("The doctor no longer works at this hospital.").check();
  await page.getByRole("button", { name: "Ask patients to choose another doctor" }).click();
  await expectText(page, "Patients asked: 1.");
  await expectText(page, /Asked on \d/);
  expect(await statuses()).toEqual(["pending", "accepted"]);

  await page.getByRole("link", { name: "Change these appointments" }).click();
  await page.getByLabel("All appointments: 2").check();
  await page.getByLabel("The hospital asked for this change.").check();
  await page.getByLabel(/Message to the patients/).fill("Call 0866 12345.");
  await page.getByRole("button", { name: "Cancel the selected appointments" }).click();
  await expectText(page, "Appointments cancelled: 2.");
  await expectText(page, "No appointments are booked.");
  expect(await statuses()).toEqual(["cancelled", "cancelled"]);

  await page.context().clearCookies();
  await logIn({ role: "patient", phone: patient.phone });
  await page.goto("/patient/notifications");
  await expectText(
    page,
    /Nadi cancelled Sita Gone's appointment.* The hospital asked for this change\. Note: Call 0866 12345\. You can book another doctor\./,
  );
  await expectText(
    page,
    /cannot see Sita Gone.*The doctor no longer works at this hospital\. Please book another doctor, then cancel this appointment\./,
  );
});

import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { strFromU8, unzipSync } from "fflate";
import sharp from "sharp";
import { newPhone } from "../factories/people.ts";
import { expect, hydrated, test } from "../setup/browser.ts";
import { DEMO } from "../setup/people.ts";

const picture = async () => ({
  name: "me.jpg",
  mimeType: "image/jpeg",
  buffer: await sharp({ create: { width: 900, height: 1200, channels: 3, background: "#2a6f7f" } })
    .jpeg()
    .toBuffer(),
});
const newPatient = () => ({ role: "patient", phone: newPhone() });

test("a new patient adds a name and a photo, turns emails off and logs out", async ({ page, logIn, hasJs }) => {
  await logIn(newPatient());
  await page.goto("/patient/profile");
  await expect(page.getByRole("heading", { name: "Add your name" })).toBeVisible();
  await page.getByRole("link", { name: "Edit Profile" }).click();
  await expect(page.getByLabel("Phone number (cannot be changed here)")).not.toBeEditable();
  await page.getByLabel("Date of birth").fill("1990-02-28");
  await page.getByRole("radio", { name: "Female" }).check();
  await page.getByLabel("Choose photo").setInputFiles(await picture());
  if (hasJs) await expect(page.getByText("Photo added.")).toBeVisible();
  await page.getByRole("button", { name: "Save" }).click();
  // Refused because the name is missing: nothing is lost, also not the photo.
  await expect(page.getByRole("alert").getByRole("link", { name: "Enter your name." })).toBeVisible();
  await expect(page.getByLabel("Date of birth")).toHaveValue("1990-02-28");
  await expect(page.getByText("Photo added.")).toBeVisible();
  await page.getByLabel("Full name").fill("Lakshmi Devi");
  await page.getByRole("button", { name: "Save" }).click();
  await page.waitForURL("**/patient/profile");
  await expect(page.getByText("Profile updated successfully!")).toBeVisible();
  const photo = page.locator("main .rounded-full img");
  await expect.poll(() => photo.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth)).toBe(600);

  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await page.getByLabel("Email Notifications").uncheck();
  await page.getByRole("button", { name: "Save Settings" }).click();
  await page.waitForURL("**/patient/profile");
  await expect(page.getByText("Settings saved successfully!")).toBeVisible();

  await page.getByRole("link", { name: "Log Out" }).click();
  if (hasJs) {
    const dialog = page.getByRole("dialog", { name: "Logout Confirmation" });
    await expect(dialog).toBeVisible();
    await dialog.getByRole("link", { name: "NO" }).click();
    await expect(dialog).toBeHidden();
    await page.getByRole("link", { name: "Log Out" }).click();
  }
  await page.getByRole("button", { name: "Yes" }).click();
  await page.waitForURL("**/choose-role");
  await page.goto("/patient/profile");
  await expect(page).toHaveURL(/\/dual-patient\?redirectTo=/);
});

test("shows that it is saving", { tag: "@js" }, async ({ page, logIn }) => {
  await logIn(DEMO.patient);
  await page.goto("/patient/profile/edit");
  await hydrated(page);
  await page.route("**/patient/profile/edit.data**", async (route) => {
    await new Promise((ok) => setTimeout(ok, 700));
    await route.continue();
  });
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("button", { name: "Updating profile..." })).toBeVisible();
  await expect(page.getByText("Profile updated successfully!")).toBeVisible();
});

test("help finds an answer", async ({ page, logIn }) => {
  await logIn(DEMO.patient);
  await page.goto("/patient/profile");
  await page.getByRole("link", { name: "Help and Support" }).click();
  await page.getByLabel("Search the questions").fill("family");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByText("Can I cancel or reschedule an appointment?")).toHaveCount(0);
  const answer = page.getByText("Yes, with your own phone.");
  await expect(answer).toBeHidden();
  await page.getByText("Can I book for my family?").click();
  await expect(answer).toBeVisible();
  await page.getByLabel("Search the questions").fill("zebra");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByText("No FAQs found matching your search.")).toBeVisible();
});

async function openBooking(page: Page, server: { sql: import("postgres").Sql }) {
  const [at] = await server.sql<{ id: string; date: string; time: string }[]>`
    select s.doctor_id as id, s.date::text, to_char(s.time, 'HH24:MI') as time from availability_slots s join users u on u.id = s.doctor_id
    where u.email <> ${DEMO.doctor.email} and s.date > current_date + 3
    and not exists (select from appointments a where a.doctor_id = s.doctor_id and a.date = s.date and a.time = s.time)
    order by 2, 3, 1 limit 1`;
  await page.goto(`/patient/appointments/patient-detail?doctorId=${at!.id}&date=${at!.date}&time=${at!.time}`);
}

test("books for a family member, who is remembered and chosen the next time", async ({ page, server, logIn }) => {
  const { userId } = await logIn(newPatient());
  await openBooking(page, server);
  await page.getByLabel("Reason").fill("Fever for three days");
  await page.getByRole("button", { name: "Someone else" }).click();
  await expect(page.getByLabel("Relation to you")).toBeVisible();
  await expect(page.getByLabel("Reason")).toHaveValue("Fever for three days");
  await page.getByLabel("Name", { exact: true }).fill("Arjun");
  await page.getByLabel("Phone").fill("98123 00077");
  await page.getByLabel(/^Age/).fill("7");
  await page.getByRole("radio", { name: "Male", exact: true }).check();
  await page.getByLabel("Relation to you").selectOption("Son");
  await page.getByLabel("Remember this person for next time").check();
  await page.getByRole("button", { name: "Book", exact: true }).click();
  await page.waitForURL("**/patient/appointments/payment/**");
  await expect
    .poll(() => server.sql`select name, relation from family_members where patient_id = ${userId}`)
    .toMatchObject([{ name: "Arjun", relation: "son" }]);

  await openBooking(page, server);
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("");
  await page.getByRole("button", { name: "Arjun" }).click();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Arjun");
  await expect(page.getByLabel(/^Age/)).toHaveValue("7");
  await page.getByRole("button", { name: "Myself" }).click();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("");

  await page.goto("/patient/family");
  await page.getByRole("link", { name: "Edit Arjun" }).click();
  await page.getByLabel("Date of birth").fill("2019-03-04");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Arjun's details were saved.")).toBeVisible();
  await page.getByRole("link", { name: "Remove Arjun" }).click();
  await page.getByRole("button", { name: "Yes, remove" }).click();
  await expect(page.getByText("No family members yet")).toBeVisible();
});

test("sees who opened a visit, downloads everything, and deletes the account", async ({ page, server, logIn }) => {
  const { userId } = await logIn(newPatient());
  await openBooking(page, server);
  await page.getByLabel("Name", { exact: true }).fill("Lakshmi");
  await page.getByLabel("Phone").fill("9876543210");
  await page.getByLabel(/^Age/).fill("34");
  await page.getByRole("radio", { name: "Female" }).check();
  await page.getByRole("button", { name: "Book", exact: true }).click();
  await page.waitForURL("**/patient/appointments/payment/**");
  await server.sql`insert into audit_log (actor_id, actor_role, action, subject_type, subject_id, person_id)
    select doctor_id, 'doctor', 'read-appointment', 'appointment', id, patient_id from appointments where patient_id = ${userId}`;

  await page.goto("/patient/profile");
  await page.getByRole("link", { name: "My data" }).click();
  await page.getByRole("link", { name: "Who opened my records" }).click();
  await expect(page.getByText(/opened your appointment of/)).toBeVisible();
  await page.getByRole("link", { name: "Back to my data" }).click();
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Download everything" }).click()]);
  expect(file.suggestedFilename()).toMatch(/^nadi-my-data-.*\.zip$/);
  const zip = unzipSync(readFileSync(await file.path()));
  expect(JSON.parse(strFromU8(zip["data.json"]!)).appointments).toMatchObject([{ patientName: "Lakshmi" }]);

  await page.getByRole("link", { name: "Delete my account" }).click();
  await expect(page.getByText("We will cancel your 1 upcoming appointment and notify the doctor.")).toBeVisible();
  await page.getByRole("button", { name: "Delete my account" }).click();
  await expect(page.getByRole("alert")).toContainText("Type the word DELETE, or go back.");
  await page.getByLabel("Type DELETE to confirm").fill("DELETE");
  await page.getByRole("button", { name: "Delete my account" }).click();
  await page.waitForURL("**/choose-role");
  await expect(page.getByText("Your account is deleted.")).toBeVisible();
  await page.goto("/patient/profile");
  await expect(page).toHaveURL(/\/dual-patient\?redirectTo=/);
});

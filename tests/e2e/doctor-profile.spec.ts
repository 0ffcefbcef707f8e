import sharp from "sharp";
import { expectFits, NARROW, PHONE, WIDE } from "../setup/axe.ts";
import { expect, test } from "../setup/browser.ts";
import { DEMO, loginAs } from "../setup/people.ts";
import { swept } from "../setup/swept.ts";

const picture = async (shade: string) => ({
  name: "me.jpg",
  mimeType: "image/jpeg",
  buffer: await sharp({ create: { width: 900, height: 1200, channels: 3, background: shade } })
    .jpeg()
    .toBuffer(),
});

test("edits the profile: the fee at once, the name after an administrator approves", async ({ page, server, logIn, hasJs, newContext }) => {
  await logIn(DEMO.doctor);
  await page.goto("/doctor/profile");
  await page.getByRole("link", { name: "Edit Profile" }).click();
  await expect(page.getByRole("heading", { name: "Banking Information" })).toBeVisible();

  // An error preserves the input, also the picture.
  await page.getByLabel("Consultation fee (₹)").fill("725");
  await page.getByLabel("Full name").fill("Dr. Anjali Vemuri Rao");
  await page.getByLabel("About").fill("");
  await page.getByLabel("Choose photo").setInputFiles(await picture("#2a6f7f"));
  if (hasJs) await expect(page.getByText("Photo added.")).toBeVisible();
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(page.getByRole("alert").getByRole("link", { name: "Please provide information in the About section" })).toBeVisible();
  await expect(page.getByLabel("Consultation fee (₹)")).toHaveValue("725");
  await expect(page.getByText("Photo added.")).toBeVisible();
  await page.getByLabel("About").fill("Looks after hearts.");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await page.waitForURL("**/doctor/profile");
  await expect(page.getByText("Profile updated successfully!")).toBeVisible();
  await expect(page.getByText("Fee ₹725")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Dr. Anjali Vemuri", exact: true })).toBeVisible();
  const photo = page.locator("main .rounded-full img");
  await expect(photo).toBeVisible();
  await expect.poll(() => photo.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth)).toBe(320);

  // An administrator sees the old value beside the new one and approves.
  const adminContext = await newContext();
  const { token } = await loginAs(server, DEMO.admin);
  await adminContext.addCookies([{ name: "nadi_session", value: token, url: server.url }]);
  const admin = await adminContext.newPage();
  await admin.goto("/admin");
  await admin.getByRole("link", { name: /Profile changes/ }).click();
  await admin.getByRole("link", { name: "Full name of Dr. Anjali Vemuri" }).click();
  await expect(admin.getByRole("cell", { name: "Dr. Anjali Vemuri Rao" })).toBeVisible();
  await admin.getByRole("button", { name: "Refuse change" }).click();
  await expect(admin.getByRole("alert")).toContainText("Tell the doctor why you refuse the change.");
  await admin.getByRole("button", { name: "Approve change" }).click();
  await expect(admin.getByText("Change approved")).toBeVisible();
  await adminContext.close();

  await page.goto("/doctor/profile");
  await expect(page.getByRole("heading", { name: "Dr. Anjali Vemuri Rao" })).toBeVisible();
  await page.goto("/doctor/profile/edit");
  await page.getByLabel("Full name").fill("Dr. Anjali Vemuri");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await page.waitForURL("**/doctor/profile");
  await page.getByRole("link", { name: "1 profile change is waiting for approval." }).click();
  await page.getByRole("button", { name: "Withdraw change: Full name" }).click();
  await expect(page.getByText("Change withdrawn.")).toBeVisible();
  await expect(page.getByRole("button", { name: /Take back/ })).toHaveCount(0);
  // Later files of this worker find the doctor by name.
  await server.sql`update doctors set full_name = 'Dr. Anjali Vemuri' where full_name = 'Dr. Anjali Vemuri Rao'`;
});

test("shows that it is saving while the response is pending", { tag: "@js" }, async ({ page, logIn }) => {
  await logIn(DEMO.doctor);
  await page.goto("/doctor/profile");
  await page.route("**/doctor/profile/edit.data**", async (route) => {
    await new Promise((ok) => setTimeout(ok, 700));
    await route.continue();
  });
  await page.getByRole("link", { name: "Edit Profile" }).click();
  await expect(page.getByText("Loading profile...")).toBeVisible();
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(page.getByRole("button", { name: "Updating profile..." })).toBeVisible();
  await expect(page.getByText("Profile updated successfully!")).toBeVisible();
});

test("changes the password in a dialog, and the settings", async ({ page, logIn, hasJs }) => {
  await logIn(DEMO.doctor);
  await page.goto("/doctor/profile");
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await expect(page.getByLabel("Email Notifications")).toBeChecked();
  await page.getByLabel("SMS Notifications").check();
  await page.getByRole("button", { name: "Save Settings" }).click();
  await expect(page.getByText("Settings saved successfully!")).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("SMS Notifications")).toBeChecked();

  await page.getByRole("link", { name: "Change Password" }).click();
  const dialog = page.getByRole("dialog", { name: "Change Password" });
  await expect(dialog).toBeVisible();
  if (hasJs) {
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await page.getByRole("link", { name: "Change Password" }).click();
    await expect(dialog.getByLabel("Current password")).toBeFocused();
  }
  const fill = async (current: string, next: string, again: string) => {
    await dialog.getByLabel("Current password").fill(current);
    await dialog.getByLabel("New password", { exact: true }).fill(next);
    await dialog.getByLabel("Confirm new password").fill(again);
    await dialog.getByRole("button", { name: "Change Password" }).click();
  };
  await fill("wrong one", "new secret", "new secret");
  await expect(dialog.getByRole("alert")).toContainText("The current password is not correct");
  await fill("demo1234", "new secret", "new sekret");
  await expect(dialog.getByText("The two new passwords do not match").first()).toBeVisible();
  await fill("demo1234", "new secret", "new secret");
  await expect(page.getByText("Password changed successfully!")).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await page.getByRole("link", { name: "Change Password" }).click();
  await fill("new secret", "demo1234", "demo1234");
  await expect(page.getByText("Password changed successfully!")).toBeVisible();
});

test("asks before logging out", async ({ page, logIn, hasJs }) => {
  await logIn(DEMO.doctor);
  await page.goto("/doctor/profile");
  await page.getByRole("link", { name: "Log Out" }).click();
  if (hasJs) {
    const dialog = page.getByRole("dialog", { name: "Logout Confirmation" });
    await expect(dialog).toContainText("Are you sure you want to log out?");
    await dialog.getByRole("link", { name: "NO" }).click();
    await expect(dialog).toBeHidden();
    await page.getByRole("link", { name: "Log Out" }).click();
  } else {
    await expect(page).toHaveURL(/\/logout$/);
    await page.getByRole("link", { name: "NO" }).click();
    await page.getByRole("link", { name: "Log Out" }).click();
  }
  await page.getByRole("button", { name: "Yes" }).click();
  await page.waitForURL("**/choose-role");
  await expect(page.getByText("Logged out successfully!")).toBeVisible();
});

test("opens one answer of the questions at a time", async ({ page, logIn }) => {
  await logIn(DEMO.doctor);
  await page.goto("/doctor/help");
  const answer = (id: string) => page.locator(`#${id}`);
  await answer("cancel").locator("summary").click();
  await expect(answer("cancel")).toHaveAttribute("open");
  await answer("times").locator("summary").click();
  await expect(answer("times")).toHaveAttribute("open");
  await expect(answer("cancel")).not.toHaveAttribute("open");
  await answer("times").locator("summary").click();
  await expect(answer("times")).not.toHaveAttribute("open");
  await page.getByLabel("Search the questions").fill("PASSWORD");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.locator("details")).toHaveCount(1);
  await page.getByLabel("Search the questions").fill("zebra");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByText("No FAQs found for your search.")).toBeVisible();
});

test("every page passes axe on a phone and a wide screen", { tag: "@js" }, async ({ page, server, logIn }) => {
  const { userId } = await logIn(DEMO.doctor);
  await server.sql`insert into profile_changes (doctor_id, field, before, after) values (${userId}, 'council',
    '{"councilName":"Andhra Pradesh Medical Council","councilNumber":"DEMO/2012/10101","councilYear":"2012"}', '{"councilName":"Telangana State Medical Council","councilNumber":"TSMC/2012/998877","councilYear":"2012"}')
    on conflict do nothing`;
  const pages = [
    "/doctor/profile",
    "/doctor/profile-view",
    "/doctor/profile/edit",
    "/doctor/settings",
    "/doctor/settings/password",
    "/doctor/help",
    "/doctor/terms",
  ];
  for (const path of swept(pages)) {
    await page.goto(path);
    await expectFits(page, path, [NARROW, PHONE, WIDE], [PHONE, WIDE]);
  }
  await server.sql`delete from profile_changes where doctor_id = ${userId}`;
});

/** Passkeys with Chromium's virtual authenticator, and the confirmation of an identity with JavaScript and without. */
import type { CDPSession, Page } from "@playwright/test";
import { users } from "#app/db/schema/index.ts";
import { hashPassword } from "#app/domains/platform/accounts/passwords.server.ts";
import { makeCase } from "../factories/cases.ts";
import { newEmail, newPhone } from "../factories/people.ts";
import { axeOn } from "../setup/axe.ts";
import { expect, test } from "../setup/browser.ts";
import { DEMO_KEY } from "../setup/database.ts";
import { DEMO } from "../setup/people.ts";
import type { TestServer } from "../setup/server.ts";

const LIST = "/account/security/passkeys";

async function newAdmin(server: TestServer) {
  const [email, phone] = [newEmail(), newPhone()];
  const passwordHash = await hashPassword("a-good-password");
  const [user] = await server.db
    .insert(users)
    .values({ role: "admin", email, phone, passwordHash, staffName: "Passkey Admin" })
    .returning({ id: users.id });
  return { role: "admin", email, phone, id: user!.id };
}

/** Adds an authenticator like a phone with a fingerprint reader, which always verifies its user. */
async function addAuthenticator(page: Page): Promise<{ cdp: CDPSession; authenticatorId: string }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, authenticatorId };
}
const logOut = (page: Page) => page.context().clearCookies();

test("a passkey is added, logs in alone, is renamed and removed", { tag: "@js" }, async ({ page, server, logIn }) => {
  const admin = await newAdmin(server);
  await logIn(admin);
  const { cdp, authenticatorId } = await addAuthenticator(page);
  await page.goto("/account/security");
  await page.getByRole("link", { name: "Add a passkey" }).click();
  await page.getByLabel("Passkey name").fill("");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expect(page.getByText("Please enter a name")).toBeVisible();
  await page.getByLabel("Passkey name").fill("My phone");
  expect((await axeOn(page).analyze()).violations).toEqual([]);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.waitForURL(`**${LIST}`);
  await expect(page.getByText("My phone")).toBeVisible();
  await expect(page.getByText("Not used yet")).toBeVisible();
  expect((await axeOn(page).analyze()).violations).toEqual([]);
  const { credentials } = await cdp.send("WebAuthn.getCredentials", { authenticatorId });
  expect(credentials.map(({ isResidentCredential, rpId }) => ({ isResidentCredential, rpId }))).toEqual([
    { isResidentCredential: true, rpId: "localhost" },
  ]);

  await test.step("without typing anything, and with the email typed first", async () => {
    for (const email of ["", admin.email]) {
      await logOut(page);
      await page.goto("/dual-doctor");
      await page.getByLabel("Email").fill(email);
      await page.getByRole("button", { name: "Log in with a passkey" }).click();
      await page.waitForURL("**/admin");
    }
    await logOut(page);
    await page.goto("/dual-doctor");
    await page.getByLabel("Email").fill("someone@else.test");
    await page.getByRole("button", { name: "Log in with a passkey" }).click();
    await page.waitForURL("**/dual-doctor/passkey");
    await expect(page.getByText("This passkey belongs to a different account")).toBeVisible();
    expect((await axeOn(page).analyze()).violations).toEqual([]);
    await page.getByRole("button", { name: "Log in with a passkey" }).click();
    await page.waitForURL("**/admin");
  });

  await test.step("renamed and removed", async () => {
    await page.goto(LIST);
    await expect(page.getByText(/Last used/)).toBeVisible();
    await page.getByRole("link", { name: "Rename the passkey My phone" }).click();
    await page.getByLabel("Passkey name").fill("Old phone");
    await page.getByRole("button", { name: "Save name" }).click();
    await page.getByRole("link", { name: "Remove the passkey Old phone" }).click();
    await page.getByRole("button", { name: "Remove" }).click();
    await expect(page.getByText("You have no passkey yet.")).toBeVisible();
    await logOut(page);
    await page.goto("/dual-doctor");
    await page.getByRole("button", { name: "Log in with a passkey" }).click();
    await expect(page.getByText("We do not recognise this passkey.")).toBeVisible();
  });
});

test("reports a cancelled passkey, and does not log in", { tag: "@js" }, async ({ page, server, logIn }) => {
  const admin = await newAdmin(server);
  await logIn(admin);
  const { cdp, authenticatorId } = await addAuthenticator(page);
  await page.goto(`${LIST}/add`);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.waitForURL(`**${LIST}`);
  await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
  await logOut(page);
  await page.goto("/dual-doctor/passkey");
  await page.getByRole("button", { name: "Log in with a passkey" }).click();
  await expect(page.getByText("The passkey was not used.")).toBeVisible();
  expect((await page.context().cookies()).map((c) => c.name)).not.toContain("nadi_session");
});

test("a passkey confirms the identity for a sensitive action", { tag: "@js" }, async ({ page, server, logIn }) => {
  const admin = await newAdmin(server);
  const it = await makeCase(server.db, { key: DEMO_KEY, status: "verified", name: "Dr. Step Up" });
  await logIn(admin);
  await addAuthenticator(page);
  await page.goto(`${LIST}/add`);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.waitForURL(`**${LIST}`);
  await server.sql`update sessions set proven_at = null where user_id = ${admin.id}`;
  await page.goto(`/admin/doctors/${it.id}`);
  await page
    .getByRole("link", { name: /Suspend/ })
    .first()
    .click();
  await page.waitForURL(/confirm-identity/);
  expect((await axeOn(page).analyze()).violations).toEqual([]);
  await page.getByRole("button", { name: "Confirm with a passkey" }).click();
  await page.waitForURL(`**/admin/doctors/${it.id}/suspend`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Dr. Step Up");
});

test("a form whose proof expired is filled in again after a code", async ({ page, server, logIn, hasJs }) => {
  const admin = await newAdmin(server);
  const it = await makeCase(server.db, { key: DEMO_KEY, status: "verified", name: `Dr. Ran Out ${hasJs ? "One" : "Two"}` });
  await logIn(admin);
  await page.goto(`/admin/doctors/${it.id}/suspend`);
  await page.getByLabel(/Reason/).fill("A complaint of a patient.");
  await server.sql`update sessions set proven_at = null where user_id = ${admin.id}`;
  await page.getByRole("button", { name: /Suspend/ }).click();
  await page.waitForURL(/confirm-identity/);
  await page.getByRole("button", { name: /Send code/ }).click();
  const code = page.getByLabel("Code from the SMS");
  await code.fill("000000");
  await page.getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(page.getByText("OTP verification failed").first()).toBeVisible();
  if (hasJs) expect((await axeOn(page).analyze()).violations).toEqual([]);
  await code.fill(await server.lastCode(admin.phone));
  await page.getByRole("button", { name: "Confirm", exact: true }).click();
  await page.waitForURL(`**/admin/doctors/${it.id}/suspend`);
  await expect(page.getByLabel(/Reason/)).toHaveValue("A complaint of a patient.");
  await page.getByRole("button", { name: /Suspend/ }).click();
  await page.waitForURL(`**/admin/doctors/${it.id}`);
  expect((await server.sql`select registration_status s from doctors where id = ${it.id}`)[0]!.s).toBe("suspended");
});

test("without JavaScript the login has no passkey button, and the pages state why", { tag: "@no-js" }, async ({ page, logIn }) => {
  await page.goto("/dual-doctor");
  await expect(page.getByText("Log in with a passkey")).toHaveCount(0);
  await page.goto("/dual-doctor/passkey");
  await expect(page.getByText("Passkeys need JavaScript.")).toBeVisible();
  await logIn(DEMO.admin);
  await page.goto(`${LIST}/add`);
  await expect(page.getByText("Passkeys need JavaScript.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Add a passkey" })).toHaveCount(0);
});

test("scripts of passkeys load only on pages with a passkey button", { tag: "@js" }, async ({ page, logIn }) => {
  const scripts = async (path: string) => {
    const texts: Promise<string>[] = [];
    const see = (response: { url(): string; text(): Promise<string> }) => {
      if (new URL(response.url()).pathname.endsWith(".js")) texts.push(response.text().catch(() => ""));
    };
    page.on("response", see);
    await page.goto(path);
    await page.waitForLoadState("networkidle");
    page.off("response", see);
    return (await Promise.all(texts)).some((text) => text.includes("WebAuthn is not supported"));
  };
  expect(await scripts("/dual-patient")).toBe(false);
  expect(await scripts("/dual-doctor/passkey")).toBe(true);
  await logIn(DEMO.admin);
  expect(await scripts("/admin")).toBe(false);
});

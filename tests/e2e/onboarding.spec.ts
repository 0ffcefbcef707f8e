/** The application's pages in a browser: what HTTP tests cannot see. The complete path to a verified doctor: doctor-joins.spec.ts. */
import type { Page } from "@playwright/test";
import { allPictures, bank, fillTwoSteps, manualHospital, newDoctor, newHospital, picture, professional } from "../setup/applications.ts";
import { expectFits, NARROW, PHONE, WIDE } from "../setup/axe.ts";
import { expect, hydrated, test } from "../setup/browser.ts";
import type { TestServer } from "../setup/server.ts";
import { swept } from "../setup/swept.ts";

async function asNewDoctor(page: Page, server: TestServer, status?: string) {
  const doctor = await newDoctor(server, status);
  await page.context().addCookies([{ name: "nadi_session", value: doctor.token, url: server.url, httpOnly: true, sameSite: "Lax" }]);
  return doctor;
}
const image = async (name: string) => ({
  name,
  mimeType: "image/jpeg",
  buffer: Buffer.from(await (await picture(300, 400)).arrayBuffer()),
});
const next = (page: Page, to: string) => page.getByRole("button", { name: `Next → ${to}` });

test("a hospital is chosen from the list and locked, or entered by hand", async ({ page, server, hasJs }) => {
  await newHospital(server, { name: `Chosen ${hasJs}`, phone: "+919876543210" });
  await asNewDoctor(page, server);
  await page.goto("/hospital-form");
  // With JavaScript the button is disabled until the fields are filled in; without, the server reports what is missing.
  if (hasJs) await expect(next(page, "Doctor Verification")).toBeDisabled();
  else {
    await next(page, "Doctor Verification").click();
    await expect(page.locator(".err")).toHaveText("Please fill in all hospital details");
  }
  await page.getByLabel("Search by name or city").fill(`chosen ${hasJs}`);
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await expect(page.getByText("1 hospital found")).toBeVisible();
  await page.getByLabel("Select Hospital *").selectOption({ index: 1 });
  if (!hasJs) await page.getByRole("button", { name: "Choose this hospital" }).click();
  const name = page.getByLabel("Hospital Name *");
  await expect(name).toHaveValue(`Chosen ${hasJs}`);
  await expect(page.getByLabel("Contact Number (Landline or Mobile) *")).toHaveValue("+91 98765 43210");
  await expect(name).not.toBeEditable();

  await page.getByRole("link", { name: "Enter hospital details manually" }).click();
  await expect(page.getByText("You're entering hospital details manually.")).toBeVisible();
  await expect(name).toHaveValue("");
  await expect(name).toBeEditable();
  if (hasJs) await expect(next(page, "Doctor Verification")).toBeDisabled();
  await name.fill("By Hand Clinic");
  await page.getByLabel("Full Hospital Address *").fill("1 New Street, Guntur");
  await page.getByLabel("Contact Number (Landline or Mobile) *").fill("0863 222 3333");
  await expect(next(page, "Doctor Verification")).toBeEnabled();
  await next(page, "Doctor Verification").click();
  await page.waitForURL("**/doctor-verification");
});

test("typed text survives a reload without any button @js", async ({ page, server }) => {
  const doctor = await asNewDoctor(page, server);
  await doctor.post("/hospital-form", manualHospital());
  await page.goto("/doctor-verification");
  const saved = page.waitForResponse((answer) => answer.request().method() === "POST" && answer.url().endsWith("/doctor-verification"));
  await page.getByLabel("Full name").fill("Dr. Typed Only");
  await page.getByLabel("About", { exact: true }).fill("Not sent by a button.");
  await saved;
  await page.reload();
  await expect(page.getByLabel("Full name")).toHaveValue("Dr. Typed Only");
  await expect(page.getByLabel("About", { exact: true })).toHaveValue("Not sent by a button.");
});

test("input and uploads survive an invalid image, new rows, a city and a reload", async ({ page, server, hasJs }) => {
  const doctor = await asNewDoctor(page, server);
  await doctor.post("/hospital-form", manualHospital());
  await page.goto("/doctor-verification");
  await page.getByLabel("Full name").fill("Dr. Still Here");
  await page.getByLabel("About", { exact: true }).fill("Typed before the picture.");
  // Each response gives the page a new token, which shows that the post is done.
  const after = async (press: () => Promise<void>) => {
    const token = await page.locator("input[name=page]").inputValue();
    await press();
    await expect(page.locator("input[name=page]")).not.toHaveValue(token);
  };
  const upload = async (kind: string, file: { name: string; mimeType: string; buffer: Buffer }) => {
    await after(async () => {
      await page.locator(`input[type=file][name=${kind}]`).setInputFiles(file);
      // With JavaScript a chosen image is uploaded at once.
      if (!hasJs) await page.getByRole("button", { name: "Upload the selected pictures" }).click();
    });
  };
  await upload("profileImage", await image("me.jpg"));
  await expect(page.getByText("Received")).toHaveCount(1);
  await upload("identityDocument", { name: "aadhaar.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7") });
  await expect(page.locator(".err", { hasText: "You can only add pictures" })).toBeVisible();
  await expect(page.getByText("Received")).toHaveCount(1);
  await upload("identityDocument", await image("aadhaar.jpg"));
  await expect(page.getByText("Received")).toHaveCount(2);
  await expect(page.locator(".err")).toHaveCount(0);
  await expect(page.locator("a[target=_blank] img").first()).toHaveJSProperty("complete", true);

  await page.getByLabel("Degree").first().fill("MBBS");
  const press = (name: string) => after(() => page.getByRole("button", { name }).click());
  await press("Add a qualification");
  await page
    .getByLabel(/^Degree/)
    .nth(1)
    .fill("MD");
  await press("Remove qualification 1");
  await expect(page.getByLabel(/^Degree/)).toHaveCount(1);
  await expect(page.getByLabel(/^Degree/)).toHaveValue("MD");

  await page.getByLabel("City", { exact: true }).fill("gunt");
  await press("Find the city in the list");
  await press("Guntur, Andhra Pradesh");
  await expect(page.getByLabel("State", { exact: true })).toHaveValue("Andhra Pradesh");

  await page.getByLabel("Aadhaar number").fill("2345 6789 0124");
  await press("Find the city in the list");
  await expect(page.getByText("Saved: •••• 0124.")).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Aadhaar number")).toHaveValue("");
  await expect(page.getByLabel("Full name")).toHaveValue("Dr. Still Here");
  await expect(page.getByLabel("About", { exact: true })).toHaveValue("Typed before the picture.");
  await expect(page.getByLabel("City", { exact: true })).toHaveValue("Guntur");
  await expect(page.getByText("Received")).toHaveCount(2);
  await page.getByRole("button", { name: "Remove: Profile image" }).click();
  await expect(page.getByText("Received")).toHaveCount(1);
});

test("an upload after a refused submit resets no field, also none typed during the upload @js", async ({ page, server }) => {
  const doctor = await asNewDoctor(page, server);
  await doctor.post("/hospital-form", manualHospital());
  await page.goto("/doctor-verification");
  await hydrated(page);
  await page.getByLabel("Primary specialization").fill("Cardiologist");
  await next(page, "Banking Information").click();
  await expect(page.locator(".err", { hasText: "Profile image is required" })).toBeVisible();
  await page.getByLabel("Category").selectOption("Cardiology");
  const about = page.getByLabel("About", { exact: true });
  await page.route("**/doctor-verification.data*", async (route) => {
    if (route.request().method() === "POST") await about.pressSequentially("Typed while the picture is sent.");
    await route.fallback();
  });
  await page.locator("input[type=file][name=profileImage]").setInputFiles(await image("me.jpg"));
  await expect(page.getByText("Received")).toHaveCount(1);
  await expect(page.getByLabel("Category")).toHaveValue("Cardiology");
  await expect(about).toHaveValue("Typed while the picture is sent.");
  await expect(page.getByLabel("Primary specialization")).toHaveValue("Cardiologist");
});

test("the status page follows the case: waiting, sent back, open again, verified", async ({ page, server, hasJs }) => {
  const doctor = await asNewDoctor(page, server);
  await fillTwoSteps(doctor, { hospital: manualHospital(), professional: professional(), pictures: await allPictures() });
  await page.goto("/doctor-verify");
  await page.getByRole("link", { name: "Continue your application" }).click();
  await page.waitForURL("**/banking-information");
  for (const [name, value] of Object.entries(bank())) await page.locator(`input[name=${name}]`).fill(String(value));
  await page.getByRole("button", { name: "Submit", exact: true }).dblclick();
  await page.waitForURL("**/doctor-verify");
  await expect(page.getByText("Under hospital review")).toBeVisible();
  await expect(page.getByText("Verification submitted successfully!").first()).toBeVisible();
  expect(await server.sql`select action from verification_events where doctor_id = ${doctor.userId}`).toHaveLength(1);

  const move = (status: string) => server.sql`update doctors set registration_status = ${status} where id = ${doctor.userId}`;
  await move("rejected");
  // The page polls by itself, with and without JavaScript.
  await expect(page.getByRole("heading", { name: "Verification Rejected" })).toBeVisible();
  await expect(page.getByText("Verification submitted successfully!")).toHaveCount(0);
  await page.getByRole("button", { name: "Re-submit Verification" }).click();
  await page.waitForURL("**/hospital-form");
  await expect(page.getByLabel("Hospital Name *")).toHaveValue(/Lotus Clinic/);
  await next(page, "Doctor Verification").click();
  await page.waitForURL("**/doctor-verification");
  await next(page, "Banking Information").click();
  await page.waitForURL("**/banking-information");
  await page.getByRole("button", { name: "Submit", exact: true }).click();
  await page.waitForURL("**/doctor-verify");
  await move("verified");
  await page.waitForURL("**/doctor-dashboard");
  if (hasJs) await page.waitForLoadState("networkidle");
});

test("requests a status again after a failure, and the page stays", { tag: "@js" }, async ({ page, server, faults }) => {
  const doctor = await asNewDoctor(page, server, "under review by hospital");
  await page.goto("/doctor-verify");
  let asked = 0;
  faults.allow(/ERR_FAILED.*\/doctor-verify\.data/, /^503 GET \/doctor-verify\.data/);
  await page.route("**/doctor-verify.data*", (route) => {
    asked++;
    if (asked === 1) return route.abort();
    if (asked === 2) return route.fulfill({ status: 503, body: "" });
    return route.continue();
  });
  await expect.poll(() => asked).toBeGreaterThan(1);
  await expect(page.getByText("Under hospital review")).toBeVisible();
  await server.sql`update doctors set registration_status = 'suspended' where id = ${doctor.userId}`;
  await expect(page.getByText("Your account is suspended.")).toBeVisible();
});

test("the pages pass axe and do not scroll sideways", { tag: "@js" }, async ({ page, server }) => {
  const doctor = await asNewDoctor(page, server);
  const look = async (path: string) => {
    if (swept([path]).length === 0) return;
    await page.goto(path);
    await hydrated(page);
    await expectFits(page, path, [NARROW, PHONE, WIDE], [NARROW, WIDE]);
  };
  await look("/hospital-form?registered=1");
  await look("/hospital-form?mode=manual");
  await doctor.post("/hospital-form", manualHospital());
  await look("/doctor-verification");
  await fillTwoSteps(doctor, {
    hospital: manualHospital(),
    professional: professional({ "qualifications[1].degree": "MD", aadhaarNumber: "234567890123" }),
  });
  await look("/doctor-verification");
  await look("/banking-information");
  await look("/doctor-verify");
  await doctor.post("/banking-information", bank());
  await look("/doctor-verify");
});

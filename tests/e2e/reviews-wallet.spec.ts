import { expectFits, NARROW, WIDE } from "../setup/axe.ts";
import { expect, test } from "../setup/browser.ts";
import { DEMO, loginAs } from "../setup/people.ts";
import type { TestServer } from "../setup/server.ts";
import { swept } from "../setup/swept.ts";

/** Inserts a completed visit of the demo patient without a review. */
const openVisit = async (server: TestServer, userId: string) => {
  const [visit] = await server.sql`select a.id, a.doctor_id from appointments a where a.patient_id = ${userId} and a.status = 'completed'
    and not exists (select from reviews r where r.appointment_id = a.id) order by a.date desc limit 1`;
  return visit as { id: string; doctor_id: string };
};

test("writes a review of a visit with the keyboard; the doctor reads and reports it, an administrator hides it", async ({
  page,
  server,
  logIn,
  newContext,
}) => {
  await logIn(DEMO.patient);
  await page.goto("/patient/calendar?tab=past");
  await page.getByRole("link", { name: "Write a review" }).first().click();
  await expect(page.getByRole("heading", { name: "How was your visit?" })).toBeVisible();
  await page.getByLabel("What should others know?").fill("Kind, and on time.");
  await page.getByRole("button", { name: "Publish review" }).click();
  await expect(page.getByRole("alert").getByRole("link", { name: "Choose one to five stars." })).toBeVisible();
  await expect(page.getByLabel("What should others know?")).toHaveValue("Kind, and on time.");
  // Stars are radios: the arrow keys choose.
  await page.getByRole("radio", { name: "5 stars: very good" }).focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("radio", { name: "4 stars: good" })).toBeChecked();
  await page.getByRole("button", { name: "Publish review" }).click();
  await expect(page.getByText("Thank you. Your review is published.")).toBeVisible();
  await page.getByRole("radio", { name: "3 stars: fair" }).check();
  await page.getByRole("button", { name: "Save review" }).click();
  await expect(page.getByText("Your review is saved.")).toBeVisible();
  await page.getByRole("link", { name: "See the doctor's page" }).click();
  await page.waitForURL("**/details/doctor/**");
  const card = page.getByRole("listitem").filter({ hasText: "Kind, and on time." });
  await expect(card).toContainText("Lakshmi P.");
  await expect(card).toContainText("edited");

  const as = async (who: Parameters<typeof loginAs>[1]) => {
    const context = await newContext();
    const { token } = await loginAs(server, who);
    await context.addCookies([{ name: "nadi_session", value: token, url: server.url }]);
    return context.newPage();
  };
  const [doctor] = await server.sql`select u.email from reviews r join users u on u.id = r.doctor_id where r.words = 'Kind, and on time.'`;
  const doctorPage = await as({ role: "doctor", email: doctor!.email });
  await doctorPage.goto("/doctor/profile");
  await doctorPage.getByRole("link", { name: "Your reviews" }).click();
  await doctorPage.getByRole("listitem").filter({ hasText: "Kind, and on time." }).getByRole("link", { name: "Report" }).click();
  await doctorPage.getByRole("radio", { name: "It is untrue" }).check();
  await doctorPage.getByRole("button", { name: "Send report" }).click();
  await expect(doctorPage.getByText("Thank you. An administrator will check your report.")).toBeVisible();
  await expect(doctorPage.getByRole("listitem").filter({ hasText: "Kind, and on time." })).toContainText("You have reported this review.");
  await doctorPage.context().close();

  const admin = await as(DEMO.admin);
  await admin.goto("/admin");
  await admin.getByRole("link", { name: /\d+ Reviews$/ }).click();
  const reported = admin.getByRole("listitem").filter({ hasText: "Kind, and on time." });
  await expect(reported).toContainText("1 open report");
  await reported.getByRole("link").click();
  await admin.getByRole("button", { name: "Hide review" }).click();
  await expect(admin.getByRole("alert")).toContainText("Write why you are hiding the review. The patient can read it.");
  await admin.getByLabel("Why do you want to hide it?").fill("A proof");
  await admin.getByRole("button", { name: "Hide review" }).click();
  await expect(admin.getByText("The review is hidden.", { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByText("Kind, and on time.")).toHaveCount(0);

  await admin.goto("/admin/reviews?tab=hidden");
  await admin.getByRole("listitem").filter({ hasText: "Kind, and on time." }).getByRole("link").click();
  await admin.getByRole("button", { name: "Show review again" }).click();
  await expect(admin.getByText("The review is shown again.", { exact: true })).toBeVisible();
  await admin.context().close();

  await page.goto("/patient/calendar?tab=past");
  await page.getByRole("link", { name: "Your review" }).first().click();
  await page.getByRole("link", { name: "Withdraw review" }).click();
  await page.getByRole("button", { name: "Yes, withdraw it" }).click();
  await expect(page.getByText("Your review was withdrawn.")).toBeVisible();
});

test("the wallet: a mission, an offer, and back through its views", async ({ page, logIn }) => {
  await logIn(DEMO.patient);
  await page.goto("/patient/wallet");
  await expect(page.getByText("1,200 points", { exact: true })).toBeVisible();
  for (const entry of ["Complete your profile", "Your first appointment", "Demo points"])
    await expect(page.getByText(entry).first()).toBeVisible();
  await page.getByRole("link", { name: "Back" }).click();
  await expect(page.getByText("Already at the main menu")).toBeVisible();

  await page.getByRole("link", { name: "All missions" }).click();
  await page.getByRole("link", { name: "Three appointments" }).click();
  await expect(page.getByText("3 of 3 done")).toBeVisible();
  await page.locator("header.top").getByRole("link", { name: "Earn Points" }).click();
  // The button of a card, whose link covers the rest of it.
  await page.getByRole("listitem").filter({ hasText: "Three appointments" }).getByRole("button", { name: "Claim 750 points" }).click();
  await expect(page.getByText("Mission completed! Points added to your wallet")).toBeVisible();
  await expect(page.getByText("1,950 points")).toBeVisible();

  await page.getByRole("navigation", { name: "Redeem or earn points" }).getByRole("link", { name: "Redeem Points" }).click();
  await page.getByRole("link", { name: "₹175 off an appointment" }).click();
  await expect(page.getByText("Terms and conditions")).toBeVisible();
  await page.getByRole("button", { name: "Redeem 1,500 points" }).click();
  await expect(page.getByText("Redeemed successfully! Applied to your next booking")).toBeVisible();
  await expect(page.getByText("450 points")).toBeVisible();
  await page.getByRole("link", { name: "₹250 off an appointment" }).click();
  await expect(page.getByText("You do not have enough points for this offer yet.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Redeem 2,000 points" })).toBeDisabled();
  // Back: detail, list on its tab, home.
  await page.locator("header.top").getByRole("link", { name: "Redeem Points" }).click();
  await expect(page.getByRole("heading", { name: "Redeem Points", level: 1 })).toBeVisible();
  await page.locator("header.top").getByRole("link", { name: "Wallet" }).click();
  await expect(page.getByText("Ready for your next booking")).toBeVisible();
});

test("every page passes axe and does not scroll sideways, on a phone and a wide screen", { tag: "@js" }, async ({
  page,
  server,
  logIn,
}) => {
  const { userId } = await logIn(DEMO.patient);
  const visit = await openVisit(server, userId);
  const [written] = await server.sql`select appointment_id as id from reviews where patient_id = ${userId} and status = 'shown' limit 1`;
  const [review] = await server.sql`select r.id, r.doctor_id from reviews r where r.patient_id <> ${userId} and r.status = 'shown' limit 1`;
  const check = async (paths: string[]) => {
    for (const path of swept(paths)) {
      await page.goto(path);
      await expectFits(page, path, [NARROW, WIDE]);
    }
  };
  await check([
    "/patient/wallet",
    "/patient/wallet?view=list&tab=redeem",
    "/patient/wallet?view=list&tab=earn",
    "/patient/wallet?view=mission_detail&mission=papers",
    "/patient/wallet?view=redeem_detail&offer=visit-250",
    `/patient/appointments/${visit.id}/review`,
    `/patient/appointments/${written!.id}/review`,
    `/patient/appointments/${written!.id}/review/take-back`,
    `/patient/reviews/${review!.id}/report`,
    `/details/doctor/${review!.doctor_id}`,
  ]);
  await logIn(DEMO.doctor);
  await check(["/doctor/reviews"]);
  const [own] =
    await server.sql`select r.id from reviews r join users u on u.id = r.doctor_id where u.email = ${DEMO.doctor.email} and r.status = 'shown' limit 1`;
  await check([`/doctor/reviews/${own!.id}/report`]);
  await logIn(DEMO.admin);
  await check(["/admin/reviews", "/admin/reviews?tab=all", `/admin/reviews/${own!.id}`]);
});

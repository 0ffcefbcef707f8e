/** A patient without an account, from the token to the prescription on their phone. */
import { letSign, newPhone, typed } from "../factories/people.ts";
import { makeClinic, makeSession } from "../factories/queues.ts";
import { expect, hydrated, test } from "../setup/browser.ts";
import { loginAs } from "../setup/people.ts";

test("a walk-in gets a token at the desk, a prescription from the doctor and its link by SMS", async ({ server, newContext, hasJs }) => {
  const { doctor, reception } = await makeClinic(server.db, { doctor: "Dr. Walk Inn" });
  await letSign(server.db, doctor.id);
  await makeSession(server.db, doctor.id);
  const pageOf = async (account: { role: string; email: string }, viewport: { width: number; height: number }) => {
    const context = await newContext({ viewport });
    const { token } = await loginAs(server, account as never);
    await context.addCookies([{ name: "nadi_session", value: token, url: server.url }]);
    return context.newPage();
  };
  const [member] = await server.sql<{ email: string }[]>`select email from users where id = ${reception.userId}`;
  const phone = newPhone();
  const desk = await pageOf({ role: "staff", email: member!.email }, { width: 1280, height: 800 });
  await desk.goto("/desk/queue");
  // Without scripts the page loads itself again and says so: the form is on a page of its own, which does not.
  if (!hasJs) {
    // Playwright finds no text inside noscript by itself.
    await expect(desk.locator("noscript p", { hasText: "This page refreshes every 5 seconds." })).toBeVisible();
    await expect(desk.locator("meta[http-equiv=refresh]")).toHaveAttribute("content", "5");
    await desk.getByRole("link", { name: "Add a walk-in" }).click();
    await expect(desk.getByRole("button", { name: /^Give token/ })).toBeVisible();
    await expect(desk.locator("meta[http-equiv=refresh]")).toHaveCount(0);
  }
  await desk.getByLabel("Phone number").fill(typed(phone));
  await desk.getByLabel("Patient name").fill("Basha Shaik");
  await desk.getByRole("button", { name: /^Give token/ }).click();
  await expect(desk.getByText("for Basha Shaik. The link goes to the phone by SMS.")).toBeVisible();
  const patient = await (await newContext({ viewport: { width: 390, height: 844 } })).newPage();
  const sentLink = (of: RegExp) => async () => (await server.outbox(phone)).map(({ body }) => of.exec(body)?.[0]).find(Boolean);
  const tokenLink = sentLink(/\/q\/[\w-]{20}/);
  await expect.poll(tokenLink).toBeTruthy();
  await patient.goto((await tokenLink())!);
  await expect(patient.getByText("Before you").first()).toBeVisible();

  const page = await pageOf({ role: "doctor", email: doctor.email }, { width: 390, height: 844 });
  await page.goto("/doctor/queue");
  await page.getByRole("button", { name: /Next patient\s*1, Basha Shaik/ }).click();
  await page.getByRole("button", { name: "With the doctor: 1, Basha Shaik" }).click();
  await page.getByRole("link", { name: "Write visit" }).click();
  await expect(page.getByRole("heading", { name: "Basha Shaik", level: 1 })).toBeVisible();
  if (hasJs) await hydrated(page);
  await page.getByLabel("Generic name").fill("Paracetamol");
  await page.getByLabel("Strength", { exact: true }).fill("500 mg");
  await page.getByLabel("Morning", { exact: true }).fill("1");
  await page.getByLabel("Days", { exact: true }).fill("5");
  await page.getByLabel("Patient's age in years").fill("41");
  await page.getByLabel("Patient's sex").selectOption("male");
  await page.getByRole("button", { name: "Review and sign" }).click();
  await page.getByRole("button", { name: "Sign prescription" }).click();
  await expect(page.getByText("Signed", { exact: true })).toBeVisible();

  const recordLink = sentLink(/\/s\/[\w-]{22}/);
  await expect.poll(recordLink).toBeTruthy();
  await patient.goto((await recordLink())!);
  await patient.getByRole("link", { name: /^Open/ }).click();
  await expect(patient.getByText("Paracetamol").first()).toBeVisible();
  await expect(patient.getByText("Dr. Walk Inn").first()).toBeVisible();
});

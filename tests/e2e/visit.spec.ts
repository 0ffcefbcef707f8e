/** The doctor's visit page in browsers: the effort of a prescription, drafts that survive, two tabs, and the printed page. */
import type { Locator, Page } from "@playwright/test";
import { dayFromNow, letSign, makeDoctor, makePatient, makeVisit, typed } from "../factories/people.ts";
import { expect, hydrated, test } from "../setup/browser.ts";
import { NO_NETWORK } from "../setup/faults.ts";
import type { TestServer } from "../setup/server.ts";

/** Makes a doctor who can sign, and an accepted appointment of yesterday. */
async function makeOne(server: TestServer) {
  const doctor = await makeDoctor(server.db, { name: "Dr. Sixty Seconds", password: "demo1234" });
  await letSign(server.db, doctor.id);
  const patient = await makePatient(server.db);
  const next = (time: string) => makeVisit(server.db, { patient, doctor }, { status: "accepted", date: dayFromNow(-1), time });
  return { doctor, patient, next, path: `/doctor/visits/${await next("10:00")}` };
}

/** Counts the presses on the screen and the characters that are typed. */
function counted() {
  const done = { taps: 0, characters: 0 };
  return {
    done,
    tap: async (at: Locator) => {
      done.taps++;
      await at.tap();
    },
    type: async (page: Page, text: string) => {
      done.characters += text.length;
      await page.keyboard.type(text);
    },
  };
}

/** As doctors write them: the strength after the name, the doses of a day in one. */
const FOUR = [
  { name: "Paracetamol", strength: "500 mg", doses: { Morning: "1-0-1" } },
  { name: "Pantoprazole", strength: "40 mg", doses: { Morning: "1" } },
  { name: "Amoxicillin", strength: "500 mg", doses: { Morning: "1-0-1" } },
  { name: "Cetirizine", strength: "10 mg", doses: { Night: "1" } },
];
const NOTE = { Complaint: "Fever for 3 days", Findings: "Temp 101 F, throat red", Diagnosis: "Viral fever" };

test("a full note and four typed medicines are signed with at most 17 presses, without scripts 20", async ({
  page,
  server,
  logIn,
  hasJs,
}) => {
  const { doctor, path } = await makeOne(server);
  await logIn({ role: "doctor", email: doctor.email });
  await page.goto(path);
  if (hasJs) await hydrated(page);
  const { done, tap, type } = counted();
  for (const [label, text] of Object.entries(NOTE)) {
    await tap(page.getByLabel(label, { exact: true }));
    await type(page, text);
  }
  for (const [i, { name, strength, doses }] of FOUR.entries()) {
    const line = page.getByRole("group", { name: `Medicine ${i + 1}`, exact: true });
    const field = (label: string) => line.getByLabel(label, { exact: true });
    if (i > 0) await tap(page.getByRole("button", { name: "Add medicine" }));
    // Scripts move the focus to the new medicine.
    if (i > 0 && hasJs) await expect(field("Generic name")).toBeFocused();
    else await tap(field("Generic name"));
    await type(page, `${name} ${strength}`);
    for (const [part, amount] of Object.entries(doses)) {
      await tap(field(part));
      await type(page, amount);
    }
    if (i === 0) {
      await tap(field("Days"));
      await type(page, "5");
    } else await expect(field("Days")).toHaveValue("5");
  }
  await tap(page.locator("label").filter({ hasText: "Rest" }).first());
  // A choice of a list: its press and that of the entry.
  await page.getByLabel("Follow-up", { exact: true }).selectOption("1-week");
  done.taps += 2;
  await tap(page.getByRole("button", { name: "Review and sign" }));
  for (const { name, strength } of FOUR) await expect(page.getByRole("main")).toContainText(new RegExp(`${name}\\s*${strength}`, "i"));
  await expect(page.getByText("Morning 1, night 1, after food, 5 days").first()).toBeVisible();
  await tap(page.getByRole("button", { name: "Sign prescription" }));
  await expect(page.getByText("Signed", { exact: true })).toBeVisible();
  expect(done.taps).toBeLessThanOrEqual(hasJs ? 17 : 20);
  // The keystroke model: 1.1 seconds to point and press, 0.28 seconds for a character.
  expect(Math.round(done.taps * 1.1 + done.characters * 0.28)).toBeLessThanOrEqual(60);
});

test("favourites and the last prescription take a few taps", async ({ page, server, logIn, hasJs }) => {
  const { doctor, path, next } = await makeOne(server);
  await logIn({ role: "doctor", email: doctor.email });
  await page.goto(path);
  if (hasJs) await hydrated(page);
  await page.getByLabel("Generic name").fill("Paracetamol");
  await page.getByLabel("Morning", { exact: true }).fill("1");
  await page.getByLabel("Days", { exact: true }).fill("3");
  await page.getByRole("button", { name: /^Add to favourites/ }).click();
  await expect(page.getByText("Added to your favourites")).toBeVisible();
  const { done, tap } = counted();
  await tap(page.getByRole("button", { name: /^Paracetamol/ }));
  await expect(page.getByRole("group", { name: "Medicine 2", exact: true })).toContainText("Paracetamol");
  await tap(page.getByRole("button", { name: "Review and sign" }));
  // The favourite is the medicine that was typed: the same one twice is asked about.
  await tap(page.getByRole("button", { name: "Keep both and review" }));
  await tap(page.getByRole("button", { name: "Sign prescription" }));
  await expect(page.getByText("Signed", { exact: true })).toBeVisible();
  await page.goto(`/doctor/visits/${await next("11:00")}`);
  await tap(page.getByRole("button", { name: "Repeat last" }));
  await expect(page.getByRole("group", { name: "Medicine 2", exact: true })).toContainText("Morning 1, after food, 3 days");
  expect(done.taps).toBe(5);
  await page.getByText("Edit favourites").click();
  await page.getByRole("listitem").filter({ hasText: "Paracetamol" }).getByRole("button", { name: "Remove Paracetamol" }).click();
  await expect(page.getByText("Removed from your favourites")).toBeVisible();
  await expect(page.getByText("Edit favourites")).toHaveCount(0);
  await expect(page.getByRole("group", { name: "Medicine 2", exact: true })).toContainText("Paracetamol");
});

test("what is typed is saved by itself and is there after a reload", { tag: "@js" }, async ({ page, server, logIn }) => {
  const { doctor, path } = await makeOne(server);
  await logIn({ role: "doctor", email: doctor.email });
  await page.goto(path);
  await hydrated(page);
  await page.getByLabel("Complaint").fill("Fever since Monday");
  await expect(page.getByText(/^Draft saved at/)).toBeVisible();
  // Not waited for: leaving the page saves it.
  await page.getByLabel("Diagnosis").fill("Viral fever");
  await page.reload();
  await expect(page.getByLabel("Complaint")).toHaveValue("Fever since Monday");
  await expect
    .poll(async () => {
      await page.reload();
      return page.getByLabel("Diagnosis").inputValue();
    })
    .toBe("Viral fever");
});

test("text typed without a network is saved when the network is back", { tag: "@js" }, async ({ page, server, logIn, faults }) => {
  const { doctor, path } = await makeOne(server);
  await logIn({ role: "doctor", email: doctor.email });
  await page.goto(path);
  await hydrated(page);
  await page.waitForLoadState("networkidle");
  faults.allow(NO_NETWORK);
  await page.route("**/*", (route) => route.abort("internetdisconnected"));
  await page.getByLabel("Complaint").fill("Typed in a lift");
  await expect(page.getByText(/^Not saved: there is no connection/)).toBeVisible();
  await page.unroute("**/*");
  await expect(page.getByText(/^Draft saved at/)).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Complaint")).toHaveValue("Typed in a lift");
});

test("what was typed comes back after the login that follows an expired session", async ({ page, server, logIn, hasJs }) => {
  const { doctor, path } = await makeOne(server);
  const { userId } = await logIn({ role: "doctor", email: doctor.email });
  await page.goto(path);
  if (hasJs) await hydrated(page);
  await server.sql`update sessions set expires_at = now() - interval '1 hour' where user_id = ${userId}`;
  await page.getByLabel("Complaint").fill("Typed after the session ended");
  await page.getByLabel("Generic name").fill("Paracetamol");
  if (hasJs) await expect(page.getByText(/^Not saved: your session has ended/)).toBeVisible();
  await page.getByRole("button", { name: "Save draft" }).last().click();
  await expect(page.getByText("Your session ended before the form was sent.")).toBeVisible();
  await page.getByLabel("Email", { exact: true }).fill(doctor.email);
  await page.getByLabel("Password", { exact: true }).fill("demo1234");
  await page.getByLabel("Mobile number").fill(typed(doctor.phone));
  await page.getByRole("button", { name: "Send OTP" }).click();
  await page.getByLabel("Code from the SMS").fill(await server.lastCode(doctor.phone));
  await page.getByRole("button", { name: "Verify OTP" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByText("You are logged in again.")).toBeVisible();
  await expect(page.getByLabel("Complaint")).toHaveValue("Typed after the session ended");
  await page.getByRole("button", { name: "Save draft" }).last().click();
  await expect(page.getByText("Draft saved", { exact: true })).toBeVisible();
  await page.goto(path);
  await expect(page.getByLabel("Complaint")).toHaveValue("Typed after the session ended");
  await expect(page.getByLabel("Generic name")).toHaveValue("Paracetamol");
});

test("the second of two tabs shows that the first saved, and keeps its text", async ({ page, context, server, logIn, hasJs, faults }) => {
  const { doctor, path } = await makeOne(server);
  await logIn({ role: "doctor", email: doctor.email });
  faults.allow(/^409 POST \/doctor\/visits\//);
  const second = await context.newPage();
  for (const tab of [page, second]) {
    await tab.goto(path);
    if (hasJs) await hydrated(tab);
  }
  await page.getByLabel("Complaint").fill("From the first tab");
  if (hasJs) await expect(page.getByText(/^Draft saved at/)).toBeVisible();
  else await page.getByRole("button", { name: "Save draft" }).last().click();
  await second.getByLabel("Complaint").fill("From the second tab");
  if (!hasJs) await second.getByRole("button", { name: "Save draft" }).last().click();
  await expect(second.getByText(/^This visit was saved in another tab/)).toBeVisible();
  await expect(second.getByLabel("Complaint")).toHaveValue("From the second tab");
  await second.getByRole("button", { name: "Save this page instead" }).click();
  await expect(second.getByText("Draft saved", { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Complaint")).toHaveValue("From the second tab");
});

/** The desks of reviewers and administrators in a browser, with JavaScript and without. */
import type { Page } from "@playwright/test";
import { decisionFields, makeCase, makeHospital, makeReviewer, type TestCase } from "../factories/cases.ts";
import { makeDoctor, makePatient, makeVisit, newPhone, typed } from "../factories/people.ts";
import { axeOn } from "../setup/axe.ts";
import { expect, test } from "../setup/browser.ts";
import { DEMO_KEY } from "../setup/database.ts";
import { DEMO } from "../setup/people.ts";
import type { TestServer } from "../setup/server.ts";

const ours = async (server: TestServer) => {
  const [row] = await server.sql<{ id: string; name: string }[]>`select id, name from hospitals where name = 'Krishna Heart Centre'`;
  return row!;
};
const waiting = async (server: TestServer, name: string): Promise<TestCase> =>
  makeCase(server.db, { key: DEMO_KEY, hospital: await ours(server), name });
const statusOf = async (server: TestServer, of: { id: string }) =>
  (await server.sql`select registration_status s from doctors where id = ${of.id}`)[0]?.s;
const told = (page: Page, words: string | RegExp) => expect(page.getByText(words).first()).toBeVisible();
const choose = (page: Page, document: string, decision: string) =>
  page
    .getByRole("group", { name: `Decision on: ${document}` })
    .getByLabel(decision, { exact: true })
    .check();

test("a reviewer opens the documents, asks for one again and sends the case back", async ({ page, server, logIn, hasJs, faults }) => {
  const it = await waiting(server, `Dr. Sent Back ${hasJs ? "One" : "Two"}`);
  await logIn(DEMO.reviewer);
  await page.goto("/reviewer");
  await page.getByLabel("Find a doctor by name").fill("Sent Back");
  await page.getByRole("button", { name: "Search" }).click();
  await page.waitForURL(/q=Sent/);
  await page.getByRole("link", { name: new RegExp(hasJs ? "One" : "Two") }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Dr. Sent Back");

  await page.getByRole("link", { name: /Open Identity document/ }).click();
  await page.getByRole("link", { name: "200 %" }).click();
  await page.waitForURL(/zoom=200/);
  const picture = page.getByRole("img", { name: /Identity document/ });
  expect((await picture.boundingBox())?.width).toBeCloseTo(2400, -1);
  await page.getByRole("link", { name: "Turn right" }).click();
  await page.waitForURL(/turn=90/);
  expect((await picture.boundingBox())?.height).toBeCloseTo(2400, -1);
  await page.getByRole("link", { name: "Fit" }).click();
  await page.waitForURL((url) => !url.search.includes("zoom"));
  // Decided beside the picture, it stands in the case.
  await page.getByText("Ask again", { exact: true }).click();
  await page.getByRole("button", { name: "Ask for it again" }).click();
  await told(page, "Write what the doctor should send instead.");
  await page.getByLabel(/Reason for the doctor/).fill("The number cannot be read.");
  await page.getByRole("button", { name: "Ask for it again" }).click();
  await told(page, "Decision kept.");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Medical council certificate");
  await page.getByRole("link", { name: "Back to the case" }).first().click();

  await expect(page.getByLabel(/Reason for the doctor about: Identity/)).toHaveValue("The number cannot be read.");
  await told(page, "One document is not accepted, so the case goes back to the doctor.");
  for (const document of ["Profile image", "Medical council certificate", "Qualification certificate"])
    await choose(page, document, "Matches");
  await page.getByLabel(/Note for the doctor/).fill("Everything else is well.");
  await page.getByRole("button", { name: "Send back with reasons" }).click();
  // To the next case that waits, or to the list when none does.
  await page.waitForURL((url) => url.pathname.startsWith("/reviewer") && !url.pathname.endsWith(it.id));
  await told(page, /Sent back to Dr\. Sent Back/);
  expect(await statusOf(server, it)).toBe("rejected");
  expect(faults).toEqual([]);
});

test("approving with a document asked again or open is refused, and nothing typed is lost", async ({ page, server, logIn, hasJs }) => {
  const it = await waiting(server, `Dr. Half Decided ${hasJs ? "One" : "Two"}`);
  await logIn(DEMO.reviewer);
  await page.goto(`/reviewer/cases/${it.id}`);
  await choose(page, "Profile image", "Matches");
  await choose(page, "Identity document, Aadhaar", "Ask again");
  await page.getByLabel(/Reason for the doctor about: Identity/).fill("Blurred.");
  const approve = page.getByRole("button", { name: "Approve for the hospital" });
  if (hasJs) {
    // With JavaScript the button says at once that this cannot be.
    await expect(approve).toBeDisabled();
    await choose(page, "Identity document, Aadhaar", "Matches");
    await expect(approve).toBeEnabled();
    await choose(page, "Identity document, Aadhaar", "Ask again");
    await page.getByRole("button", { name: "Save and decide later" }).click();
    await told(page, "Your decisions are kept.");
  } else {
    await approve.click();
    await told(page, "This document is not accepted. Send the case back, or choose Matches.");
    await told(page, "Decide on this document.");
  }
  await expect(page.getByLabel(/Reason for the doctor about: Identity/)).toHaveValue("Blurred.");
  await expect(page.getByRole("group", { name: "Decision on: Profile image" }).getByLabel("Matches")).toBeChecked();
  expect(await statusOf(server, it)).toBe("under review by hospital");
});

test("two cases by keyboard alone: one press a document, from the last to the decision, from the decision to the next case", {
  tag: "@js",
}, async ({ page, server, logIn, faults }) => {
  const house = await makeHospital(server.db, { name: "House Of Keys" });
  const reviewer = await makeReviewer(server.db, house);
  const [first, second] = [
    await makeCase(server.db, { key: DEMO_KEY, hospital: house, name: "Dr. First Key" }),
    await makeCase(server.db, { key: DEMO_KEY, hospital: house, name: "Dr. Second Key" }),
  ].sort((a, b) => a.seen.localeCompare(b.seen));
  const focused = () =>
    page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent?.trim() ?? "");
  const pressOn = async (name: RegExp) => {
    for (let i = 0; i < 40 && !name.test(await focused()); i++) await page.keyboard.press("Tab");
    expect(await focused()).toMatch(name);
    await page.keyboard.press("Enter");
  };
  await logIn({ role: "reviewer", email: reviewer.email });
  await page.goto("/reviewer");
  await pressOn(/^Dr\. \w+ Key$/);
  await page.waitForURL(`**/reviewer/cases/${first!.id}`);
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await pressOn(/Open Profile image/);
  for (const document of ["Profile image", "Identity document, Aadhaar", "Medical council certificate", "Qualification certificate"]) {
    await expect(page.getByRole("heading", { level: 1, name: document })).toBeFocused();
    await pressOn(/^Matches$/);
  }
  await page.waitForURL(`**/reviewer/cases/${first!.id}#decide`);
  await expect(page.getByRole("complementary")).toBeFocused();
  await pressOn(/^Approve for the hospital$/);
  await page.waitForURL(`**/reviewer/cases/${second!.id}`);
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await told(page, /Approved for the hospital\./);
  expect(await statusOf(server, first!)).toBe("pending admin approval");
  expect(faults).toEqual([]);
});

test("M and A decide on the document in hand, N goes to the next, and none of them while typing", { tag: "@js" }, async ({
  page,
  server,
  logIn,
  faults,
}) => {
  const it = await waiting(server, "Dr. Keys Pressed");
  const decision = (document: string, choice: string) =>
    page.getByRole("group", { name: `Decision on: ${document}` }).getByLabel(choice, { exact: true });
  await logIn(DEMO.reviewer);
  await page.goto(`/reviewer/cases/${it.id}`);
  await told(page, "Keys: M matches, A asks again, N goes to the next document.");
  await page.keyboard.press("m");
  await expect(decision("Profile image", "Matches")).toBeChecked();
  await expect(decision("Profile image", "Matches")).toBeFocused();
  await page.keyboard.press("n");
  await expect(decision("Identity document, Aadhaar", "Matches")).toBeFocused();
  await expect(decision("Identity document, Aadhaar", "Matches")).not.toBeChecked();
  await page.keyboard.press("a");
  await expect(decision("Identity document, Aadhaar", "Ask again")).toBeChecked();
  const reason = page.getByLabel(/Reason for the doctor about: Identity/);
  await expect(reason).toBeFocused();
  // In a field they are letters.
  await page.keyboard.type("man");
  await expect(reason).toHaveValue("man");
  await expect(decision("Identity document, Aadhaar", "Ask again")).toBeChecked();
  const note = page.getByLabel(/Note for the doctor/);
  await note.focus();
  await page.keyboard.type("amn");
  await expect(note).toHaveValue("amn");
  await expect(decision("Profile image", "Matches")).toBeChecked();
  // Nor with another key, nor when they are turned off.
  await decision("Profile image", "Matches").focus();
  await page.keyboard.press("Alt+a");
  await expect(decision("Profile image", "Matches")).toBeChecked();
  await page.getByRole("button", { name: "Turn them off" }).click();
  await decision("Profile image", "Matches").focus();
  await page.keyboard.press("a");
  await expect(decision("Profile image", "Matches")).toBeChecked();
  await page.getByRole("button", { name: "Turn them on" }).click();

  // Beside the picture the same keys press the same decisions.
  await page.goto(`/documents/${it.documents[2]!.id}`);
  await expect(page.getByRole("button", { name: "Turn them off" })).toBeVisible();
  await page.keyboard.press("a");
  await expect(page.getByLabel(/Reason for the doctor/)).toBeFocused();
  await page.keyboard.type("nm");
  await expect(page).toHaveURL(new RegExp(it.documents[2]!.id));
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("n");
  await page.waitForURL(`**/documents/${it.documents[3]!.id}`);
  await expect(page.getByRole("heading", { level: 1, name: "Qualification certificate" })).toBeVisible();
  await page.keyboard.press("m");
  await expect
    .poll(async () => (await server.sql`select decision from doctor_documents where id = ${it.documents[3]!.id}`)[0]?.decision)
    .toBe("matches");
  expect(faults).toEqual([]);
});

test("a refused case says what is wrong once, and each sentence goes when it is corrected", { tag: "@js" }, async ({
  page,
  server,
  logIn,
  faults,
}) => {
  const it = await waiting(server, "Dr. Refused Once");
  await logIn(DEMO.reviewer);
  await page.goto(`/reviewer/cases/${it.id}`);
  const summary = page.locator(".summary");
  await page.getByRole("button", { name: "Send back with reasons" }).click();
  await expect(summary).toHaveCount(1);
  await expect(summary).toBeFocused();
  await expect(summary.getByRole("listitem")).toHaveCount(1);
  const [sentence = ""] = await summary.getByRole("listitem").allTextContents();
  // Once above and once beside its field.
  await expect(page.getByText(sentence, { exact: true })).toHaveCount(2);
  await page.getByLabel(/Note for the doctor/).fill("Send the documents of this year.");
  await expect(summary).toHaveCount(0);
  await expect(page.getByText(sentence, { exact: true })).toHaveCount(0);

  await page.getByRole("button", { name: "Approve for the hospital" }).click();
  await expect(summary).toBeFocused();
  await expect(summary.getByRole("link", { name: "Decide on this document." })).toHaveCount(1);
  await expect(page.getByText("Decide on this document.", { exact: true })).toHaveCount(1 + it.documents.length);
  for (const [i, document] of ["Profile image", "Identity document, Aadhaar", "Medical council certificate"].entries()) {
    await choose(page, document, "Matches");
    await expect(page.getByText("Decide on this document.", { exact: true })).toHaveCount(it.documents.length - i);
  }
  await choose(page, "Qualification certificate", "Matches");
  await expect(summary).toHaveCount(0);
  await expect(page.getByText("Decide on this document.", { exact: true })).toHaveCount(0);
  expect(await statusOf(server, it)).toBe("under review by hospital");
  expect(faults).toEqual([]);
});

test("a wide screen shows case number, document and decision together, and the rail stays while the documents scroll", async ({
  page,
  server,
  logIn,
  hasJs,
}) => {
  const it = await waiting(server, `Dr. One Screen ${hasJs ? "One" : "Two"}`);
  await page.setViewportSize({ width: 1280, height: 800 });
  const rows = [
    page.getByText(/^Doctor case D-/),
    page.getByRole("heading", { level: 1 }),
    page.getByRole("link", { name: /Open Profile image/ }),
    page.getByRole("group", { name: "Decision on: Profile image" }),
  ];
  const check = async (buttons: string[]) => {
    for (const row of [...rows, ...buttons.map((name) => page.getByRole("button", { name }))])
      await expect(row).toBeInViewport({ ratio: 1 });
    await page.mouse.move(600, 500);
    await page.mouse.wheel(0, 900);
    await expect(page.getByRole("heading", { level: 1 })).not.toBeInViewport();
    for (const name of buttons) await expect(page.getByRole("button", { name })).toBeInViewport({ ratio: 1 });
    await expect(page.getByText(/^Doctor case D-/)).toBeInViewport({ ratio: 1 });
  };
  await logIn(DEMO.reviewer);
  await page.goto(`/reviewer/cases/${it.id}`);
  await check(["Approve for the hospital", "Send back with reasons", "Save and decide later"]);
  await expect(page.getByRole("link", { name: "Check the NMC register" }).first()).toHaveAttribute(
    "href",
    /^https:\/\/www\.nmc\.org\.in\//,
  );

  const reviewer = await makeReviewer(server.db, await ours(server));
  const second = await makeCase(server.db, {
    key: DEMO_KEY,
    hospital: await ours(server),
    status: "pending admin approval",
    decided: "matches",
    approvedBy: reviewer.userId,
  });
  await logIn(DEMO.admin);
  await page.goto(`/admin/doctors/${second.id}`);
  await check(["Approve doctor", "Send back with reasons"]);
});

test("a category that contradicts the specialty is named on the case", async ({ page, server, logIn }) => {
  const it = await waiting(server, "Dr. Contradicted");
  await server.sql`update doctors set category = 'Dentistry', primary_specialization = 'Cardiologist' where id = ${it.id}`;
  await logIn(DEMO.reviewer);
  await page.goto(`/reviewer/cases/${it.id}`);
  await expect(page.locator(".note.warn").filter({ hasText: "Cardiologist" })).toContainText("Dentistry");
});

test("who looks at a document in between finds their decisions again", { tag: "@js" }, async ({ page, server, logIn, faults }) => {
  const it = await waiting(server, "Dr. Looked At Between");
  await logIn(DEMO.reviewer);
  await page.goto(`/reviewer/cases/${it.id}`);
  await choose(page, "Profile image", "Matches");
  await page.getByRole("link", { name: /Open Qualification certificate/ }).click();
  await page.waitForURL(/\/documents\//);
  await expect
    .poll(async () => (await server.sql`select decision from doctor_documents where id = ${it.documents[0]!.id}`)[0]?.decision)
    .toBe("matches");
  await page.getByRole("link", { name: "Back to the case" }).first().click();
  await expect(page.getByRole("group", { name: "Decision on: Profile image" }).getByLabel("Matches")).toBeChecked();
  expect(faults).toEqual([]);
});

test("who goes on to the next case finds what they had decided in the one before", { tag: "@js" }, async ({
  page,
  server,
  logIn,
  faults,
}) => {
  const it = await waiting(server, "Dr. Left For Later");
  await waiting(server, "Dr. Next In Line");
  await logIn(DEMO.reviewer);
  await page.goto(`/reviewer/cases/${it.id}`);
  await choose(page, "Profile image", "Matches");
  await page.getByRole("link", { name: "Next case" }).click();
  await page.waitForURL((url) => url.pathname.startsWith("/reviewer/cases/") && !url.pathname.endsWith(it.id));
  await expect
    .poll(async () => (await server.sql`select decision from doctor_documents where id = ${it.documents[0]!.id}`)[0]?.decision)
    .toBe("matches");
  expect(await statusOf(server, it)).toBe("under review by hospital");
  expect(faults).toEqual([]);
});

test("a picture that does not open says so; a number in full leaves the screen by itself", { tag: "@js" }, async ({
  page,
  server,
  logIn,
}) => {
  const it = await waiting(server, "Dr. Torn Paper");
  await logIn(DEMO.reviewer);
  // The case of the factory has rows, no bytes.
  await page.goto(`/documents/${it.documents[0]!.id}`);
  await expect(page.getByRole("alert")).toHaveText(/This picture does not open\./);
  await page.clock.install();
  await page.goto(`/reviewer/cases/${it.id}/reveal/account`);
  await page.getByLabel(/Why do you need to see it/).fill("Compare with the cheque.");
  await page.getByRole("button", { name: "Show the number" }).click();
  await expect(page.getByText(it.numbers.account)).toBeVisible();
  await page.clock.fastForward("02:01");
  await page.waitForURL(`**/reviewer/cases/${it.id}`);
});

test("a case that a colleague decided meanwhile shows how it stands", async ({ page, server, logIn, hasJs }) => {
  const it = await waiting(server, `Dr. Taken Over ${hasJs ? "One" : "Two"}`);
  await logIn(DEMO.reviewer);
  await page.goto(`/reviewer/cases/${it.id}`);
  await server.sql`update doctors set registration_status = 'pending admin approval' where id = ${it.id}`;
  for (const document of ["Profile image", "Identity document, Aadhaar", "Medical council certificate", "Qualification certificate"])
    await choose(page, document, "Matches");
  await page.getByRole("button", { name: "Approve for the hospital" }).click();
  await told(page, "This case has moved on: Pending admin approval.");
  await expect(page.getByRole("button", { name: "Approve for the hospital" })).toHaveCount(0);
});

test("a number is shown once, after a reason", async ({ page, server, logIn, hasJs }) => {
  const it = await waiting(server, `Dr. Number ${hasJs ? "One" : "Two"}`);
  await logIn(DEMO.reviewer);
  await page.goto(`/reviewer/cases/${it.id}`);
  await page.getByRole("link", { name: /Show, and log it.*Account/ }).click();
  await page.getByRole("button", { name: "Show the number" }).click();
  await told(page, "Write why you need to see this number.");
  await page.getByLabel(/Why do you need to see it/).fill("Compare with the cheque.");
  await page.getByRole("button", { name: "Show the number" }).click();
  await expect(page.getByText(it.numbers.account)).toBeVisible();
  expect(page.url()).not.toContain(it.numbers.account);
  await page.getByRole("link", { name: "Back to the case" }).last().click();
  await page.waitForURL(`**/reviewer/cases/${it.id}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Dr\. Number/);
  expect(await page.content()).not.toContain(it.numbers.account);
});

test("an administrator invites a reviewer, who makes an account and comes in", async ({ page, server, logIn, hasJs, context, faults }) => {
  const hospital = await makeHospital(server.db, { name: `Invited House ${hasJs ? "One" : "Two"}` });
  const it = await makeCase(server.db, { key: DEMO_KEY, hospital, name: "Dr. First Of Many" });
  const [email, phone] = [hasJs ? "grace.js@invited.test" : "grace@invited.test", newPhone()];
  await logIn(DEMO.admin);
  await page.goto(`/admin/hospitals/${hospital.id}`);
  await page.getByLabel("Email of the reviewer").fill(email);
  await page.getByRole("button", { name: "Send the invitation" }).click();
  await told(page, `The invitation is on its way to ${email}.`);
  await expect(page.getByText("Open until")).toBeVisible();

  await expect.poll(async () => (await server.outbox(email)).length, { timeout: 10_000 }).toBe(1);
  const link = /\/invitation\/[\w-]+/.exec((await server.outbox(email))[0]!.body)![0];
  await context.clearCookies();
  await page.goto(link);
  await page.getByLabel("Your name").fill("Sister Grace");
  await page.getByLabel(/Mobile number/).fill(typed(phone));
  await page.getByLabel("Password", { exact: true }).fill("a long secret");
  await page.getByRole("button", { name: "Make my account" }).click();
  await page.waitForURL("**/dual-doctor");
  await told(page, `You now review for ${hospital.name}. Log in to begin.`);
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
  expect(faults).toEqual([]);
});

test("an administrator confirms a hospital, suspends a doctor and opens the account again", async ({
  page,
  server,
  logIn,
  hasJs,
  faults,
}) => {
  const hospital = await makeHospital(server.db, { name: `Entered House ${hasJs ? "One" : "Two"}`, status: "pending" });
  const it = await makeCase(server.db, { key: DEMO_KEY, hospital, status: "verified", name: `Dr. Suspended ${hasJs ? "One" : "Two"}` });
  await logIn(DEMO.admin);
  await page.goto("/admin/hospitals?status=pending");
  await page.getByRole("link", { name: hospital.name }).click();
  await page.getByRole("button", { name: "Confirm the hospital" }).click();
  await told(page, `${hospital.name} is confirmed.`);

  await page.goto(`/admin/doctors/${it.id}`);
  await page.getByRole("link", { name: "Suspend doctor" }).click();
  await page.getByLabel(/Reason for the doctor/).fill("A complaint is looked into.");
  await page.getByRole("button", { name: "Suspend doctor" }).click();
  await told(page, /is suspended\. Their sessions are over\./);
  await told(page, "A complaint is looked into.");
  await page.getByRole("link", { name: "Reinstate doctor" }).click();
  await page.getByRole("button", { name: "Reinstate doctor" }).click();
  await told(page, /is reinstated\./);
  expect(await statusOf(server, it)).toBe("verified");
  expect(faults).toEqual([]);
});

test("an administrator asks a suspended doctor's patient to choose again and cancels the rest", async ({
  page,
  server,
  logIn,
  hasJs,
  faults,
}) => {
  const doctor = await makeDoctor(server.db, { status: "suspended", name: `Dr. Gone ${hasJs ? "One" : "Two"}` });
  const patient = await makePatient(server.db);
  await makeVisit(server.db, { patient, doctor }, { name: "Sita Gone", time: "10:00" });
  await makeVisit(server.db, { patient, doctor }, { name: "Rama Gone", time: "11:00", status: "accepted" });
  const statuses = async () =>
    (await server.sql`select status from appointments where doctor_id = ${doctor.id} order by time`).map(({ status }) => status);
  await logIn(DEMO.admin);
  await page.goto(`/admin/doctors/${doctor.id}`);
  await page.getByRole("link", { name: "Change these visits" }).click();
  await page.getByRole("button", { name: "Ask to choose another doctor" }).click();
  await told(page, "Choose at least one visit.");
  await told(page, "Choose a reason for the patients.");
  await page.getByLabel("Sita Gone").check();
  await page.getByLabel("The doctor no longer works at this hospital.").check();
  await page.getByRole("button", { name: "Ask to choose another doctor" }).click();
  await told(page, "Patients asked: 1.");
  await told(page, /Asked on \d/);
  expect(await statuses()).toEqual(["pending", "accepted"]);

  await page.getByRole("link", { name: "Change these visits" }).click();
  await page.getByLabel("All visits: 2").check();
  await page.getByLabel("The hospital asked for this change.").check();
  await page.getByLabel(/More for the patients/).fill("Call 0866 12345.");
  await page.getByRole("button", { name: "Cancel the chosen visits" }).click();
  await told(page, "Visits cancelled: 2.");
  await told(page, "No visits are booked.");
  expect(await statuses()).toEqual(["cancelled", "cancelled"]);

  await page.context().clearCookies();
  await logIn({ role: "patient", phone: patient.phone });
  await page.goto("/patient/notifications");
  await told(page, /Sita Gone.*cancelled\. The hospital asked for this change\. Note: Call 0866 12345\. You can book another doctor\./);
  await told(
    page,
    /cannot see Sita Gone.*The doctor no longer works at this hospital\. Please book another doctor, then cancel this visit\./,
  );
  expect(faults).toEqual([]);
});

test("every page of the desks: no fault that axe finds, nothing over the edge, on a phone and a desk", { tag: "@js" }, async ({
  page,
  server,
  logIn,
  faults,
}) => {
  test.setTimeout(180_000);
  const house = await ours(server);
  const it = await waiting(server, "Dr. With A Very Long Name Venkata Satyanarayana Murthy Chaganti");
  const reviewer = await makeReviewer(server.db, house);
  const entered = await makeHospital(server.db, { name: "Krishna Heart Center", status: "pending" });
  const [suspended] = await server.sql<{ id: string }[]>`select id from doctors where registration_status = 'suspended' and is_demo`;
  const [pending] = await server.sql<
    { id: string }[]
  >`select id from doctors where registration_status = 'pending admin approval' and is_demo`;
  const card = it.documents[1]!.id;
  const check = async (path: string) => {
    for (const viewport of [
      { width: 390, height: 844 },
      { width: 1280, height: 800 },
    ]) {
      await page.setViewportSize(viewport);
      await page.goto(path);
      const { violations } = await axeOn(page).analyze();
      expect(violations.map((v) => `${path} ${v.id} ${v.nodes[0]?.html}`)).toEqual([]);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      expect(over, `${path} at ${viewport.width}`).toBe(0);
    }
  };
  await logIn(DEMO.reviewer);
  for (const path of [
    "/reviewer",
    "/reviewer?tab=approved",
    "/reviewer?q=nobody",
    `/reviewer/cases/${it.id}`,
    `/reviewer/cases/${it.id}/reveal/aadhaar`,
    `/documents/${card}`,
    `/documents/${card}?zoom=400&turn=270`,
  ])
    await check(path);
  await logIn(DEMO.admin);
  for (const path of [
    "/admin",
    "/admin/doctors",
    "/admin/doctors?status=verified",
    `/admin/doctors/${pending!.id}`,
    `/admin/doctors/${suspended!.id}`,
    `/admin/doctors/${suspended!.id}/reinstate`,
    `/admin/doctors/${suspended!.id}/suspend`,
    `/admin/doctors/${suspended!.id}/visits`,
    "/admin/hospitals",
    "/admin/hospitals?status=refused",
    "/admin/hospitals/new",
    `/admin/hospitals/${house.id}`,
    `/admin/hospitals/${entered.id}`,
    `/admin/hospitals/${entered.id}/edit`,
    `/admin/hospitals/${entered.id}/merge`,
    `/admin/hospitals/${entered.id}/refuse`,
    `/admin/hospitals/${house.id}/reviewers/${reviewer.userId}/remove`,
    "/admin/users",
    `/admin/users/${it.id}`,
    "/admin/audit",
    "/admin/audit?action=read-case",
  ])
    await check(path);
  expect(faults).toEqual([]);
});

test("what was decided on a case survives two windows: the second is told", { tag: "@js" }, async ({ page, server, logIn }) => {
  const it = await waiting(server, "Dr. Two Windows");
  await logIn(DEMO.reviewer);
  await page.goto(`/reviewer/cases/${it.id}`);
  const other = await page.context().newPage();
  await other.goto(`/reviewer/cases/${it.id}`);
  await other.request.post(`/reviewer/cases/${it.id}`, {
    form: decisionFields(it, "approve", ["matches"]),
    headers: { origin: server.url },
  });
  for (const document of ["Profile image", "Identity document, Aadhaar", "Medical council certificate", "Qualification certificate"])
    await choose(page, document, "Matches");
  await page.getByRole("button", { name: "Approve for the hospital" }).dblclick();
  await told(page, "This case has moved on: Pending admin approval.");
  expect(
    (await server.sql`select count(*)::int n from verification_events where doctor_id = ${it.id} and action = 'hospital-approve'`)[0]?.n,
  ).toBe(1);
});

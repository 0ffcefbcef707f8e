/** The reviewer pages in a browser, with JavaScript and without. */
import { decisionFields, makeCase, makeHospital, makeReviewer, openDocuments } from "../factories/cases.ts";
import { expect, test } from "../setup/browser.ts";
import { DEMO_KEY } from "../setup/database.ts";
import { DEMO } from "../setup/people.ts";
import { choose, expectText, krishnaHospital, statusOf, storedCase, waiting } from "../setup/staff-steps.ts";

test("a reviewer opens the documents, requests one again and sends the case back", async ({ page, server, logIn, hasJs }) => {
  const it = await waiting(server, `Dr. Sent Back ${hasJs ? "One" : "Two"}`);
  await logIn(DEMO.reviewer);
  await page.goto("/reviewer");
  await page.getByLabel("Find a doctor by name").fill("Sent Back");
  await page.getByRole("button", { name: "Search" }).click();
  await page.waitForURL(/q=Sent/);
  await page.getByRole("link", { name: `Dr. Sent Back ${hasJs ? "One" : "Two"}` }).click();
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
  // A decision beside the image is stored in the case.
  await page.getByText("Ask again", { exact: true }).click();
  await page.getByRole("button", { name: "Ask for it again" }).click();
  await expectText(page, "Write what the doctor should send instead.");
  await page.getByLabel(/Reason for the doctor/).fill("The number cannot be read.");
  await page.getByRole("button", { name: "Ask for it again" }).click();
  await expectText(page, "Decision saved.");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Medical council certificate");
  await page.getByRole("link", { name: "Back to the application" }).first().click();

  await expect(page.getByLabel(/Reason for the doctor about: Identity/)).toHaveValue("The number cannot be read.");
  await expectText(page, "You did not accept 1 document, so the application goes back to the doctor.");
  for (const document of ["Profile image", "Medical council certificate", "Qualification certificate"])
    await choose(page, document, "Matches");
  await page.getByLabel(/Note for the doctor/).fill("Everything else is well.");
  await page.getByRole("button", { name: "Send back with reasons" }).click();
  // Goes to the next waiting case, or to the list when none waits.
  await page.waitForURL((url) => url.pathname.startsWith("/reviewer") && !url.pathname.endsWith(it.id));
  await expectText(page, /Sent back to Dr\. Sent Back/);
  expect(await statusOf(server, it)).toBe("rejected");
});

test("refuses to approve with an open or rejected document, and preserves the input", async ({ page, server, logIn, hasJs }) => {
  const it = await waiting(server, `Dr. Half Decided ${hasJs ? "One" : "Two"}`);
  await logIn(DEMO.reviewer);
  await page.goto(`/reviewer/cases/${it.id}`);
  await choose(page, "Profile image", "Matches");
  await choose(page, "Identity document, Aadhaar", "Ask again");
  await page.getByLabel(/Reason for the doctor about: Identity/).fill("Blurred.");
  const approve = page.getByRole("button", { name: "Approve for the hospital" });
  if (hasJs) {
    // With JavaScript the button is disabled at once.
    await expect(approve).toBeDisabled();
    await choose(page, "Identity document, Aadhaar", "Matches");
    await expect(approve).toBeEnabled();
    await choose(page, "Identity document, Aadhaar", "Ask again");
    await page.getByRole("button", { name: "Save and decide later" }).click();
    await expectText(page, "Your decisions are saved.");
  } else {
    await approve.click();
    await expectText(page, "This document is not accepted. Send the application back, or choose Matches.");
    await expectText(page, "Choose Matches or Ask again for this document.");
  }
  await expectText(page, "Documents: 4, to ask again: 1, to decide: 2");
  await expect(page.getByLabel(/Reason for the doctor about: Identity/)).toHaveValue("Blurred.");
  await expect(page.getByRole("group", { name: "Decision on: Profile image" }).getByLabel("Matches")).toBeChecked();
  expect(await statusOf(server, it)).toBe("under review by hospital");
});

test("decides two cases by keyboard: one key per document, then the decision, then the next case", {
  tag: "@js",
}, async ({ page, server, logIn }) => {
  const house = await makeHospital(server.db, { name: "House Of Keys" });
  const reviewer = await makeReviewer(server.db, house);
  const [first, second] = [
    await makeCase(server.db, { ...storedCase(server), hospital: house, name: "Dr. First Key" }),
    await makeCase(server.db, { ...storedCase(server), hospital: house, name: "Dr. Second Key" }),
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
  await expectText(page, /Approved for the hospital\./);
  expect(await statusOf(server, first!)).toBe("pending admin approval");
});

test("M and A decide on the current document, N goes to the next, and none of them while typing", { tag: "@js" }, async ({
  page,
  server,
  logIn,
}) => {
  const it = await waiting(server, "Dr. Keys Pressed");
  const decision = (document: string, choice: string) =>
    page.getByRole("group", { name: `Decision on: ${document}` }).getByLabel(choice, { exact: true });
  await logIn(DEMO.reviewer);
  await page.goto(`/reviewer/cases/${it.id}`);
  await expectText(page, "Shortcuts: M for Matches, A for Ask again, N for the next document.");
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
  // In a field they are text.
  await page.keyboard.type("man");
  await expect(reason).toHaveValue("man");
  await expect(decision("Identity document, Aadhaar", "Ask again")).toBeChecked();
  const note = page.getByLabel(/Note for the doctor/);
  await note.focus();
  await page.keyboard.type("amn");
  await expect(note).toHaveValue("amn");
  await expect(decision("Profile image", "Matches")).toBeChecked();
  // Not with a modifier key, and not when they are turned off.
  await decision("Profile image", "Matches").focus();
  await page.keyboard.press("Alt+a");
  await expect(decision("Profile image", "Matches")).toBeChecked();
  await page.getByRole("button", { name: "Turn off shortcuts" }).click();
  await decision("Profile image", "Matches").focus();
  await page.keyboard.press("a");
  await expect(decision("Profile image", "Matches")).toBeChecked();
  await page.getByRole("button", { name: "Turn on shortcuts" }).click();

  // Beside the image the same keys make the same decisions.
  await page.goto(`/documents/${it.documents[2]!.id}`);
  await expect(page.getByRole("button", { name: "Turn off shortcuts" })).toBeVisible();
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
});

test("a refused case lists each error once, and removes each when it is corrected", { tag: "@js" }, async ({ page, server, logIn }) => {
  const it = await waiting(server, "Dr. Refused Once");
  await logIn(DEMO.reviewer);
  await page.goto(`/reviewer/cases/${it.id}`);
  const summary = page.locator(".summary");
  await page.getByRole("button", { name: "Send back with reasons" }).click();
  await expect(summary).toHaveCount(1);
  await expect(summary).toBeFocused();
  await expect(summary.getByRole("listitem")).toHaveCount(1);
  const [sentence = ""] = await summary.getByRole("listitem").allTextContents();
  // Once in the summary and once beside its field.
  await expect(page.getByText(sentence, { exact: true })).toHaveCount(2);
  await page.getByLabel(/Note for the doctor/).fill("Send the documents of this year.");
  await expect(summary).toHaveCount(0);
  await expect(page.getByText(sentence, { exact: true })).toHaveCount(0);

  await page.getByRole("button", { name: "Approve for the hospital" }).click();
  await expect(summary).toBeFocused();
  await expect(summary.getByRole("link", { name: "Choose Matches or Ask again for this document." })).toHaveCount(1);
  await expect(page.getByText("Choose Matches or Ask again for this document.", { exact: true })).toHaveCount(1 + it.documents.length);
  for (const [i, document] of ["Profile image", "Identity document, Aadhaar", "Medical council certificate"].entries()) {
    await choose(page, document, "Matches");
    await expect(page.getByText("Choose Matches or Ask again for this document.", { exact: true })).toHaveCount(it.documents.length - i);
  }
  await choose(page, "Qualification certificate", "Matches");
  await expect(summary).toHaveCount(0);
  await expect(page.getByText("Choose Matches or Ask again for this document.", { exact: true })).toHaveCount(0);
  expect(await statusOf(server, it)).toBe("under review by hospital");
});

test("shows on the case that a category contradicts the specialty", async ({ page, server, logIn }) => {
  const it = await waiting(server, "Dr. Contradicted");
  await server.sql`update doctors set category = 'Dentistry', primary_specialization = 'Cardiologist' where id = ${it.id}`;
  await logIn(DEMO.reviewer);
  await page.goto(`/reviewer/cases/${it.id}`);
  await expect(page.locator(".note").filter({ hasText: "Cardiologist" })).toContainText("Dentistry");
});

test("preserves the decisions of a reviewer who opens a document in between", { tag: "@js" }, async ({ page, server, logIn }) => {
  const it = await waiting(server, "Dr. Looked At Between");
  await logIn(DEMO.reviewer);
  await page.goto(`/reviewer/cases/${it.id}`);
  await choose(page, "Profile image", "Matches");
  await page.getByRole("link", { name: /Open Qualification certificate/ }).click();
  await page.waitForURL(/\/documents\//);
  await expect
    .poll(async () => (await server.sql`select decision from doctor_documents where id = ${it.documents[0]!.id}`)[0]?.decision)
    .toBe("matches");
  await page.getByRole("link", { name: "Back to the application" }).first().click();
  await expect(page.getByRole("group", { name: "Decision on: Profile image" }).getByLabel("Matches")).toBeChecked();
});

test("preserves the decisions of a reviewer who goes on to the next case", { tag: "@js" }, async ({ page, server, logIn }) => {
  const it = await waiting(server, "Dr. Left For Later");
  await waiting(server, "Dr. Next In Line");
  await logIn(DEMO.reviewer);
  await page.goto(`/reviewer/cases/${it.id}`);
  await choose(page, "Profile image", "Matches");
  await page.getByRole("link", { name: "Next application" }).click();
  await page.waitForURL((url) => url.pathname.startsWith("/reviewer/cases/") && !url.pathname.endsWith(it.id));
  await expect
    .poll(async () => (await server.sql`select decision from doctor_documents where id = ${it.documents[0]!.id}`)[0]?.decision)
    .toBe("matches");
  expect(await statusOf(server, it)).toBe("under review by hospital");
});

test("reports an image that does not load, and hides a full number after a while", { tag: "@js" }, async ({
  page,
  server,
  logIn,
  faults,
}) => {
  faults.allow(/^404 GET \/files\//);
  // Without its files.
  const it = await makeCase(server.db, { key: DEMO_KEY, hospital: await krishnaHospital(server), name: "Dr. Torn Document" });
  await logIn(DEMO.reviewer);
  // The case of the factory has rows without bytes.
  await page.goto(`/documents/${it.documents[0]!.id}`);
  await expect(page.getByRole("alert")).toHaveText(/We cannot show this picture\./);
  await page.clock.install();
  await page.goto(`/reviewer/cases/${it.id}/reveal/account`);
  await page.getByLabel(/Why do you need to see it/).fill("Compare with the cheque.");
  await page.getByRole("button", { name: "Show number" }).click();
  await expect(page.getByText(it.numbers.account)).toBeVisible();
  await page.clock.fastForward("02:01");
  await page.waitForURL(`**/reviewer/cases/${it.id}`);
});

test("a case that a colleague decided meanwhile shows its status", async ({ page, server, logIn, hasJs }) => {
  const it = await waiting(server, `Dr. Taken Over ${hasJs ? "One" : "Two"}`);
  await logIn(DEMO.reviewer);
  await page.goto(`/reviewer/cases/${it.id}`);
  await server.sql`update doctors set registration_status = 'pending admin approval' where id = ${it.id}`;
  for (const document of ["Profile image", "Identity document, Aadhaar", "Medical council certificate", "Qualification certificate"])
    await choose(page, document, "Matches");
  await page.getByRole("button", { name: "Approve for the hospital" }).click();
  await expectText(page, "The status of this application has changed to: Pending admin approval.");
  await expect(page.getByRole("button", { name: "Approve for the hospital" })).toHaveCount(0);
});

test("shows a number once, after a reason", async ({ page, server, logIn, hasJs }) => {
  const it = await waiting(server, `Dr. Number ${hasJs ? "One" : "Two"}`);
  await logIn(DEMO.reviewer);
  await page.goto(`/reviewer/cases/${it.id}`);
  await page.getByRole("link", { name: /Show \(logged\).*Account/ }).click();
  await page.getByRole("button", { name: "Show number" }).click();
  await expectText(page, "Write why you need to see this number.");
  await page.getByLabel(/Why do you need to see it/).fill("Compare with the cheque.");
  await page.getByRole("button", { name: "Show number" }).click();
  await expect(page.getByText(it.numbers.account)).toBeVisible();
  expect(page.url()).not.toContain(it.numbers.account);
  await page.getByRole("link", { name: "Back to the application" }).last().click();
  await page.waitForURL(`**/reviewer/cases/${it.id}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Dr\. Number/);
  expect(await page.content()).not.toContain(it.numbers.account);
});

test("refuses the second of two windows that decide on a case", { tag: "@js" }, async ({ page, server, logIn }) => {
  const it = await waiting(server, "Dr. Two Windows");
  await logIn(DEMO.reviewer);
  await page.goto(`/reviewer/cases/${it.id}`);
  const [viewer] = await server.sql<{ id: string }[]>`select id from users where email = ${DEMO.reviewer.email}`;
  await openDocuments(server.db, viewer!.id, it.documents);
  const other = await page.context().newPage();
  await other.goto(`/reviewer/cases/${it.id}`);
  await other.request.post(`/reviewer/cases/${it.id}`, {
    form: decisionFields(it, "approve", ["matches"]),
    headers: { origin: server.url },
  });
  for (const document of ["Profile image", "Identity document, Aadhaar", "Medical council certificate", "Qualification certificate"])
    await choose(page, document, "Matches");
  await page.getByRole("button", { name: "Approve for the hospital" }).dblclick();
  await expectText(page, "The status of this application has changed to: Pending admin approval.");
  expect(
    (await server.sql`select count(*)::int n from verification_events where doctor_id = ${it.id} and action = 'hospital-approve'`)[0]?.n,
  ).toBe(1);
});

/** The assistant in a browser, with JavaScript and without. No key is configured, so the built-in helper answers. */
import type { Page } from "@playwright/test";
import { pdf } from "../factories/pdfs.ts";
import { axeOn } from "../setup/axe.ts";
import { expect, hydrated, test } from "../setup/browser.ts";
import { DEMO } from "../setup/people.ts";

const GREETING = "Hi there! I'm your medical assistant. How can I help you today?";
const accessible = async (page: Page) => {
  expect((await axeOn(page).analyze()).violations.map((v) => `${v.id} ${v.nodes[0]?.html}`)).toEqual([]);
  const sideways = () => document.documentElement.scrollWidth > document.documentElement.clientWidth;
  expect(await page.evaluate(sideways)).toBe(false);
};

test("a patient asks, books from the answer, and deletes all chats", async ({ page, logIn, hasJs }) => {
  await logIn(DEMO.patient);
  await page.goto("/patient/chat");
  await expect(page.getByText("No previous chats")).toBeVisible();
  if (hasJs) await accessible(page);
  await page.getByRole("link", { name: "Start Chat" }).click();
  await expect(page.getByRole("log").getByText(GREETING)).toBeVisible();
  await expect(page.getByText("No AI is used here.")).toBeVisible();
  const words = page.getByLabel("Your message");
  await words.fill("I have a cough");
  if (hasJs) {
    await words.press("Shift+Enter");
    await expect(words).toHaveValue("I have a cough\n");
    await words.press("Enter");
  } else await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByRole("log").getByText("For this, see a doctor under Pulmonary")).toBeVisible();
  await expect(page.getByText("Automatic answer, not medical advice.")).toBeVisible();
  await expect(page.getByText("Nadi's symptom list")).toBeVisible();
  await page.waitForURL(/\/patient\/ai-chat\?c=/);
  const chat = page.url();
  if (hasJs) {
    await expect(words).toBeFocused();
    await accessible(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await expect(page.getByRole("link", { name: "New Chat" })).toBeVisible();
    await accessible(page);
    await page.setViewportSize({ width: 320, height: 700 });
    await accessible(page);
  }
  await page
    .getByRole("link", { name: /^Book Now: Dr\./ })
    .first()
    .click();
  await page.waitForURL(/\/patient\/appointments\/datetime\?doctorId=/);
  await page.goto(chat);
  await page.reload();
  await expect(page.getByText("I have a cough", { exact: true })).toHaveCount(1);
  await page.getByRole("link", { name: "All chats" }).click();
  await expect(page.getByRole("link", { name: /^For this, see a doctor under Pulmonar/ })).toBeVisible();
  await page.getByRole("link", { name: "Delete all chats" }).click();
  if (hasJs) await accessible(page);
  await page.getByRole("button", { name: "Delete all chats" }).click();
  await expect(page.getByText("All chats deleted.")).toBeVisible();
  await expect(page.getByText("No previous chats")).toBeVisible();
});

test("the list of chats scrolls at a maximum height", async ({ page, logIn, server }) => {
  const { userId } = await logIn(DEMO.patient);
  await server.sql`insert into conversations (owner_id, title) select ${userId}, 'Chat ' || n from generate_series(1, 30) n`;
  await page.goto("/patient/ai-chat");
  const list = page.getByRole("navigation", { name: "Recent chats" }).getByRole("list");
  await expect(list.getByRole("link")).toHaveCount(30);
  const box = (await list.boundingBox())!;
  const last = (await list.getByRole("link").last().boundingBox())!;
  expect(box.height).toBeLessThanOrEqual(320);
  expect(last.y).toBeGreaterThan(box.y + box.height);
  await server.sql`delete from conversations where owner_id = ${userId}`;
});

const RED_FLAGS = [
  ["en", "severe chest pain", "You wrote: severe chest pain"],
  ["te", "ఛాతీలో తీవ్రమైన నొప్పి", "మీరు రాసింది: ఛాతీలో తీవ్రమైన నొప్పి"],
  ["hi", "सीने में तेज़ दर्द", "आपने लिखा: सीने में तेज़ दर्द"],
] as const;
for (const [language, message, shown] of RED_FLAGS)
  test(`a red flag leads to the top of SOS, where the message is above 108 (${language})`, async ({ page, logIn, context, server }) => {
    await logIn(DEMO.patient);
    await context.addCookies([{ name: "lang", value: language, url: server.url }]);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto("/patient/ai-chat?new");
    await page.locator("textarea").fill(message);
    await page.locator("textarea + button").click();
    await page.waitForURL("**/patient/emergency-contact");
    const wrote = page.getByText(shown, { exact: true });
    await expect(wrote).toBeInViewport();
    const call = page.locator('main a[href="tel:108"]');
    await expect(call).toBeInViewport({ ratio: 1 });
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    expect((await wrote.boundingBox())!.y).toBeLessThan((await call.boundingBox())!.y);
  });

test("SOS opens at its top with Back too", { tag: "@js" }, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/patient/emergency-contact");
  await hydrated(page);
  await page.evaluate(() => window.scrollTo(0, 500));
  await page.getByRole("link", { name: "Back" }).first().click();
  await expect(page.getByRole("heading", { name: "Let's get started" })).toBeVisible();
  await page.goBack();
  await page.waitForURL("**/patient/emergency-contact");
  await expect(page.locator('main a[href="tel:108"]')).toBeInViewport({ ratio: 1 });
});

test("a file is marked and linked", async ({ page, logIn, hasJs }) => {
  await logIn(DEMO.patient);
  await page.goto("/patient/ai-chat?new");
  if (!hasJs) await page.getByText("Add a file", { exact: true }).first().click();
  // The file picker of the page with JavaScript.
  else await expect(page.locator("label.icon-btn")).toBeVisible();
  await expect(page.getByLabel("Add a file")).toHaveAttribute("accept", "image/*,.pdf,.doc,.docx");
  await page.getByLabel("Add a file").setInputFiles({ name: "report.pdf", mimeType: "application/pdf", buffer: pdf() });
  if (!hasJs) await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByRole("link", { name: "📎 File uploaded: report.pdf" })).toHaveAttribute("href", /^\/files\/.+download=1$/);
});

test("what cannot be stored is reported, and the message remains", { tag: "@js" }, async ({ page, logIn, faults }) => {
  await logIn(DEMO.patient);
  await page.goto("/patient/ai-chat?new");
  await expect(page.locator("label.icon-btn")).toBeVisible();
  faults.allow(/^415 POST \/patient\/ai-chat\/ask$/);
  await page.getByLabel("Add a file").setInputFiles({ name: "photo.png", mimeType: "image/png", buffer: Buffer.from("<svg/>") });
  await expect(page.getByRole("alert")).toContainText("This file type is not supported. Add a picture, PDF or Word file.");
});

test("the connection breaks: the apology is shown, and the page continues", { tag: "@js" }, async ({ page, logIn, faults }) => {
  await logIn(DEMO.patient);
  await page.goto("/patient/ai-chat?new");
  faults.allow(/ERR_FAILED.*\/patient\/ai-chat\/ask$/);
  await page.route("**/patient/ai-chat/ask", (route) => route.abort());
  await page.getByLabel("Your message").fill("Hello");
  await page.getByLabel("Your message").press("Enter");
  await expect(page.getByText("Sorry, I couldn't reach the assistant. Please try again later.")).toBeVisible();
  await page.unroute("**/patient/ai-chat/ask");
  await page.getByLabel("Your message").fill("Hello");
  await page.getByLabel("Your message").press("Enter");
  await expect(page.getByRole("log").getByText("I can find a doctor, show your appointments")).toBeVisible();
});

test("an ended session shows a message", { tag: "@js" }, async ({ page, logIn, context }) => {
  await logIn(DEMO.patient);
  await page.goto("/patient/ai-chat?new");
  await context.clearCookies();
  await page.getByLabel("Your message").fill("Hello");
  await page.getByLabel("Your message").press("Enter");
  await expect(page.getByText("Please login to start a chat.")).toBeVisible();
});

test("a doctor opens the chat, asks, and clears it", async ({ page, logIn, hasJs }) => {
  await logIn(DEMO.doctor);
  await page.goto("/doctor/profile");
  await expect(page.getByRole("link", { name: "Chat with AI" })).toHaveAttribute("href", "/doctor/ai-chat");
  await page.goto("/doctor-dashboard");
  await page.getByRole("link", { name: "Ask the assistant" }).click();
  await expect(page.getByText("How can I assist you today?")).toBeVisible();
  if (hasJs) await accessible(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(page.getByText("About AI Assistant")).toBeVisible();
  const words = page.getByLabel("Your message");
  await words.fill("How do I offer times to patients?");
  if (hasJs) {
    await words.press("Shift+Enter");
    await expect(words).toHaveValue("How do I offer times to patients?\n");
    await words.press("Enter");
  } else await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText("Open Availability, choose a day")).toBeVisible();
  if (hasJs) await accessible(page);
  await page.getByRole("link", { name: "Clear history" }).click();
  await page.getByRole("button", { name: "Clear history" }).click();
  await expect(page.getByText("Chat history cleared")).toBeVisible();
  await expect(page.getByText("How can I assist you today?")).toBeVisible();
});

test("a failure for a doctor: the toast, and the message in the chat", { tag: "@js" }, async ({ page, logIn, faults }) => {
  await logIn(DEMO.doctor);
  await page.goto("/doctor/ai-chat");
  faults.allow(/ERR_FAILED.*\/doctor\/ai-chat\/ask$/);
  await page.route("**/doctor/ai-chat/ask", (route) => route.abort());
  await page.getByLabel("Your message").fill("Hello");
  await page.getByLabel("Your message").press("Enter");
  await expect(page.getByText("Error connecting to AI service.")).toBeVisible();
  await expect(page.getByText("Failed to send message")).toBeVisible();
});

test("four questions to start with are one tap each, and no microphone is offered without a model", async ({ page, logIn, hasJs }) => {
  // A patient of its own: the chat stays, and other tests measure the page without one.
  await logIn({ role: "patient", phone: hasJs ? "+919812300171" : "+919812300172" });
  await page.goto("/patient/ai-chat");
  await expect(page.getByRole("heading", { level: 1, name: "Ask Nadi" })).toBeVisible();
  const starters = page.getByRole("group", { name: "Questions to start with" }).filter({ visible: true });
  await expect(starters.getByRole("button")).toHaveCount(4);
  await expect(page.getByText("Automatic answers, not medical advice.").filter({ visible: true })).toHaveCount(1);
  if (hasJs) await accessible(page);
  await starters.getByRole("button", { name: "I have a fever" }).click();
  await expect(page.getByRole("log").getByText("For this, see a doctor under General")).toBeVisible();
  await page.waitForURL(/\/patient\/ai-chat\?c=/);
  await expect(starters).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Record a voice message" })).toHaveCount(0);
  await expect(page.locator('input[name="voice"]')).toHaveCount(0);
});

test("a question in Telugu gets its answer in Telugu on an English page", async ({ page, logIn, hasJs }) => {
  // As above.
  await logIn({ role: "patient", phone: hasJs ? "+919812300173" : "+919812300174" });
  await page.goto("/patient/ai-chat?new");
  await page.getByLabel("Your message").fill("naku jwaram vachindi");
  await page.getByRole("button", { name: "Send" }).click();
  const answer = page.getByRole("log").getByText("దీనికి వీరిని చూడండి");
  await expect(answer).toBeVisible();
  await expect(page.getByRole("log").locator('[lang="te"]').filter({ hasText: "విజయవాడ దగ్గర్లోని డాక్టర్లు" })).toBeVisible();
  await expect(page.getByText("Automatic answer, not medical advice.", { exact: true })).toBeVisible();
});

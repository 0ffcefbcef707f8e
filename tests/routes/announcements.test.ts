/** Announcements over HTTP: writing, preview, sending, the banner of each role, closing it, and withdrawing. */
import { expect, it, vi } from "vitest";
import { readable } from "../factories/booking.ts";
import { dayFromNow, makePatient } from "../factories/people.ts";
import { admin, page, reviewer, server, wrong } from "../setup/admin.ts";
import { loginAs } from "../setup/people.ts";

const fields = {
  audience: "patients",
  ends: dayFromNow(3),
  title_en: "Closed <b>Sunday</b>",
  message_en: "No calls.",
  title_te: "",
  message_te: "",
  title_hi: "",
  message_hi: "",
};
const draft = async (over: Record<string, string> = {}) => (await admin.post("/admin/announcements/new", { ...fields, ...over })).location!;

it("is previewed with the number of recipients, sent once, shown to its readers until they close it, and withdrawn", async () => {
  const patient = await makePatient(server.db);
  const browser = await loginAs(server, { role: "patient", phone: patient.phone });
  const here = await draft();
  const [count] = await server.sql<{ n: number }[]>`select count(*)::int as n from users where role = 'patient' and status = 'active'`;
  const preview = await admin.get(here);
  expect(preview.text).toContain("Closed &lt;b&gt;Sunday&lt;/b&gt;");
  expect(readable(preview.text)).toContain(`Send to users: ${count!.n}`);
  const answers = await Promise.all([admin.post(here, { intent: "send" }), admin.post(here, { intent: "send" })]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409]);
  await vi.waitFor(async () => expect(await page(here)).toContain("Delivered to"), { timeout: 30_000, interval: 200 });
  const home = await vi.waitFor(
    async () => {
      const { text } = await browser.get("/patient-dashboard");
      expect(text).toContain("Closed &lt;b&gt;Sunday&lt;/b&gt;");
      return text;
    },
    { timeout: 60_000, interval: 300 },
  );
  expect(readable((await browser.get("/patient/notifications")).text)).toContain("No calls.");
  const dismiss = /action="(\/announcements\/[^"]+\/dismiss)"/.exec(home)![1]!;
  expect((await reviewer.post(dismiss)).status).toBe(404);
  expect((await wrong.visitor!.post(dismiss)).status).toBe(303);
  expect((await browser.get(dismiss)).location).toBe("/patient-dashboard");
  expect(await browser.get("/patient-dashboard").then(({ text }) => text)).toContain("Sunday");
  expect((await browser.post(dismiss)).location).toBe("/patient-dashboard");
  expect(await browser.get("/patient-dashboard").then(({ text }) => text)).not.toContain("Sunday");
  expect((await admin.post(here, { intent: "withdraw" })).status).toBe(303);
  await vi.waitFor(async () => expect((await browser.get("/patient/notifications")).text).not.toContain("Sunday"), {
    timeout: 60_000,
    interval: 300,
  });
  expect(await page("/admin/announcements")).toContain("Withdrawn");
});

it("returns the form with its input when something is missing, and changes a draft", async () => {
  for (const [over, sentence] of [
    [{ title_en: "", message_en: "" }, "Write the announcement in one language at least."],
    [{ message_en: "" }, "Write a message."],
    [{ title_hi: "बंद" }, "Write a message."],
    [{ ends: "" }, "Choose the last day."],
    [{ ends: dayFromNow(-1) }, "Choose a day from today"],
    [{ audience: "everyone" }, "Choose who gets it."],
    [{ audience: "members" }, "Choose who gets it."],
  ] as const) {
    const answer = await admin.post("/admin/announcements/new", { ...fields, ...over });
    expect(answer.status, sentence).toBe(400);
    expect(readable(answer.text)).toContain(sentence);
  }
  const here = await draft({ title_te: "ఆదివారం సెలవు", message_te: "కాల్స్ ఉండవు" });
  expect((await admin.get(`${here}/edit`)).text).toContain("ఆదివారం సెలవు");
  expect((await admin.post(`${here}/edit`, { ...fields, title_en: "Open again" })).location).toBe(here);
  expect(await page(here)).toContain("Open again");
  expect((await admin.post(here, { intent: "withdraw" })).status).toBe(303);
  expect((await admin.post(`${here}/edit`, fields)).status).toBe(409);
  for (const bad of ["nonsense", crypto.randomUUID()]) {
    for (const path of [`/admin/announcements/${bad}`, `/admin/announcements/${bad}/edit`])
      expect((await admin.get(path)).status).toBe(404);
    expect((await admin.get(`/admin/announcements/new?hospital=${bad}`)).status).toBe(404);
    expect((await reviewer.post(`/announcements/${bad}/dismiss`)).status).toBe(404);
  }
});

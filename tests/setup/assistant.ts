/** A server beside a stub that speaks Gemini's wire format. Importing this file registers the hooks that start and stop them. */
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { readable } from "../factories/booking.ts";
import { makeDoctor, makePatient } from "../factories/people.ts";
import { textReply } from "../mocks/gemini.ts";
import { httpStub, type Reply } from "../mocks/http-stub.ts";
import type { Browser } from "./http.ts";
import { type LoggedIn, loginAs } from "./people.ts";
import { startServer, type TestServer } from "./server.ts";

export const CHAT = "/patient/ai-chat";
export const DOCTOR_CHAT = "/doctor/ai-chat";
export const APOLOGY = "Sorry, I couldn't reach the assistant. Please try again later.";

export let server: TestServer;
export let stub: Awaited<ReturnType<typeof httpStub>>;
/** What the stub answers. A test may replace it. */
export const model: { reply: (nth: number) => Reply } = { reply: () => textReply("Drink water.") };
export let patient: LoggedIn;
export let doctor: LoggedIn;
export let phone: string;
let keys = 0;
export const newKey = () => `test-key-${++keys}`;

beforeAll(async () => {
  stub = await httpStub((_, nth) => model.reply(nth));
  server = await startServer({ seed: false, env: { GEMINI_API_KEY: "test-key-of-gemini", GEMINI_BASE_URL: stub.url } });
  const made = await makeDoctor(server.db, { name: "Dr. Wolfram Office" });
  doctor = await loginAs(server, { role: "doctor", email: made.email });
});
afterAll(async () => {
  await server?.stop();
  await stub?.[Symbol.asyncDispose]();
});
// A new patient for each test, so that no limit carries over.
beforeEach(async () => {
  const made = await makePatient(server.db, { name: "Secretia Patientova" });
  phone = made.phone;
  patient = await loginAs(server, { role: "patient", phone });
});
afterEach(() => {
  model.reply = () => textReply("Fine.");
  stub.seen.length = 0;
});

/** Asks as a page without JavaScript does, and returns the page with the answer. */
export async function ask(who: Browser, message: string, over: Record<string, string> = {}, at = CHAT) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ intent: "ask", key: newKey(), message, ...over })) form.append(name, value);
  const sent = await who.postFiles(at, form);
  const page = await who.follow(sent);
  return { sent, page, text: readable(page.text), id: /c=([0-9a-f-]{36})/.exec(sent.location ?? "")?.[1] ?? "" };
}
/** Asks as the script does. */
export async function stream(who: Browser, fields: Record<string, string | File>, at = `${CHAT}/ask`) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ key: newKey(), ...fields })) form.append(name, value);
  const answer = await who.postFiles(at, form);
  const lines = answer.headers.get("content-type")?.includes("ndjson")
    ? answer.text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
    : [];
  return {
    answer,
    lines,
    text: lines
      .filter((line) => line.type === "text")
      .map((line) => line.text)
      .join(""),
  };
}
export const sentToGemini = () => stub.seen.map((call) => String(call.body)).join("\n");

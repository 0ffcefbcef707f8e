/** Models that Google retires: the next of the list answers, then the built-in helper, and the administrator learns it. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { readable } from "../factories/booking.ts";
import { makeAdmin } from "../factories/cases.ts";
import { makePatient } from "../factories/people.ts";
import { asFile } from "../factories/pictures.ts";
import { modelOf, noModel, textReply } from "../mocks/gemini.ts";
import { httpStub } from "../mocks/http-stub.ts";
import { Browser, raw } from "../setup/http.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

const [FIRST, SECOND] = ["gemini-2.5-flash", "gemini-3.8-flash"];
const CHAT = "/patient/ai-chat";
const gone = new Set<string>();
const stub = await httpStub((seen) => (gone.has(modelOf(seen)) ? noModel(modelOf(seen)) : textReply("Drink water.")));
let server: TestServer;
let patient: LoggedIn;
let admin: LoggedIn;
let asked = 0;
beforeAll(async () => {
  const env = { GEMINI_API_KEY: "test-key-of-gemini", GEMINI_BASE_URL: stub.url, GEMINI_MODEL: ` ${FIRST}, ${SECOND},` };
  server = await startServer({ seed: false, env });
  patient = await loginAs(server, { role: "patient", phone: (await makePatient(server.db)).phone });
  admin = await loginAs(server, await makeAdmin(server.db));
});
afterAll(async () => {
  await server?.stop();
  await stub[Symbol.asyncDispose]();
});

async function ask(message: string, over: Record<string, string | File> = {}): Promise<string> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ intent: "ask", key: `models-key-${++asked}`, message, ...over })) form.append(name, value);
  return readable((await patient.follow(await patient.postFiles(CHAT, form))).text);
}
const warnings = () => server.logs().filter(({ msg }) => msg.startsWith("Gemini no longer has"));
const metrics = async () => (await raw(server.url, { path: "/metrics" })).text;
const overview = async (lang = "en") => {
  admin.cookies.set("lang", lang);
  return readable((await admin.get("/admin")).text);
};

it("calls the first model of the list, and says nothing while it answers", async () => {
  expect(await ask("What helps against a cold?")).toContain("Drink water.");
  expect(stub.seen.map(modelOf)).toEqual([FIRST]);
  expect(await metrics()).toContain(`gemini_model_retired{model="${FIRST}"} 0`);
  expect(await overview()).not.toContain("GEMINI_MODEL");
});

it("calls the next model in the same request when the first is retired, and the retired one once", async () => {
  gone.add(FIRST);
  stub.seen.length = 0;
  for (let i = 0; i < 3; i++) expect(await ask(`What helps against a cold? ${i}`)).toContain("Drink water.");
  expect(stub.seen.map(modelOf)).toEqual([FIRST, SECOND, SECOND, SECOND]);
  expect(warnings()).toMatchObject([{ level: "warn", model: FIRST, next: SECOND }]);
  expect(await metrics()).toContain(`gemini_model_retired{model="${FIRST}"} 1`);
  expect(await overview()).toContain(`Google has retired ${FIRST}. Change GEMINI_MODEL. The assistant now uses ${SECOND}.`);
  expect(await overview("te")).toContain(`Google ${FIRST} సేవను ఆపేసింది.`);
  expect(await overview("hi")).toContain(`Google ने ${FIRST} बंद कर दिया है।`);
});

it("answers with the built-in helper as soon as the last one is retired, and calls nothing then", async () => {
  gone.add(SECOND);
  stub.seen.length = 0;
  const words = "For this, see a doctor under Pulmonary";
  expect(await ask("I have a cough")).toContain(words);
  expect(stub.seen).toHaveLength(1);
  const chat = await ask("I have a cough again");
  expect(chat).toContain(words);
  expect(chat).toContain("No AI is used here.");
  // A page that was open before may still send a recording.
  const wav = Buffer.concat([Buffer.from("RIFF\x24\0\0\0WAVEfmt ", "latin1"), Buffer.alloc(100)]);
  expect(await ask("", { voice: asFile(wav, "v.wav") })).toContain("Please type your question.");
  const visitor = new Browser(server.url);
  const sos = await visitor.post("/patient/emergency-contact", { intent: "place", place: "Vijayawada" });
  expect(readable((await visitor.follow(sos)).text)).toContain("108");
  expect(stub.seen).toHaveLength(1);
  expect(warnings()).toHaveLength(2);
  expect(await overview()).toContain("No model is left: the assistant answers without AI, from the help pages.");
});

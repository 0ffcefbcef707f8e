import { describe, expect, test } from "vitest";
import { DomainError } from "#app/lib/domain-error.ts";
import { type GeminiPart, gemini3, modelOf, noModel, sse, textReply, toolCall } from "../../../tests/mocks/gemini.ts";
import { httpStub, type Reply } from "../../../tests/mocks/http-stub.ts";
import { breaker, FAILURES, MAX_UNDER_WAY, REST } from "./breaker.ts";
import { type GeminiTool, noGemini } from "./gemini.server.ts";
import { googleGemini } from "./google.server.ts";
import { ASK_AGAIN } from "./model-list.ts";

const KEY = "key-of-the-test";
const QUESTION = "My secret question 9000000001";
const MODELS = ["gemini-3.8-flash", "gemini-3.5-flash-lite"];
const make = (baseUrl: string, limit = 400) => googleGemini({ apiKey: KEY, models: MODELS, baseUrl }, { limit });
const question = { system: "Be kind.", turns: [{ role: "user" as const, text: QUESTION }] };

async function refusal(asking: Promise<unknown>): Promise<string> {
  const error = await asking.then(
    () => null,
    (e: unknown) => e,
  );
  expect(error).toBeInstanceOf(DomainError);
  expect((error as DomainError).code).toBe("unavailable");
  const shown = JSON.stringify([String(error), String((error as DomainError).cause), (error as Error).stack]);
  for (const secret of [KEY, "9000000001", "secret question"]) expect(shown).not.toContain(secret);
  return String((error as DomainError).cause);
}

describe("the wire format", () => {
  test("sends Google's request format and reads every chunk of the stream", async () => {
    await using stub = await httpStub(() => textReply("Drink ", "water."));
    const pieces: string[] = [];
    const answer = await make(stub.url).ask({ ...question, onText: (piece) => pieces.push(piece) });
    expect(answer).toEqual({ text: "Drink water.", links: [] });
    expect(pieces).toEqual(["Drink ", "water."]);
    const [call] = stub.seen;
    expect(call).toMatchObject({ method: "POST", path: "/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse" });
    expect(call?.headers["x-goog-api-key"]).toBe(KEY);
    expect(call?.path).not.toContain(KEY);
    expect(JSON.parse(String(call?.body))).toMatchObject({
      contents: [{ role: "user", parts: [{ text: QUESTION }] }],
      systemInstruction: { parts: [{ text: "Be kind." }] },
    });
  });
  test("uses a configured model and base URL", async () => {
    await using stub = await httpStub(() => textReply("Yes"));
    await googleGemini({ apiKey: KEY, models: ["gemini-x"], baseUrl: `${stub.url}/prefix` }).ask(question);
    expect(stub.seen[0]?.path).toBe("/prefix/v1beta/models/gemini-x:streamGenerateContent?alt=sse");
  });
  test("sends a voice message unchanged", async () => {
    await using stub = await httpStub(() => textReply("I understood you."));
    await make(stub.url).ask({ ...question, audio: { mediaType: "audio/ogg", bytes: Buffer.from("sound") } });
    expect(JSON.parse(String(stub.seen[0]?.body)).contents[0].parts[1]).toEqual({
      inlineData: { mimeType: "audio/ogg", data: Buffer.from("sound").toString("base64") },
    });
  });
  test("leaves thoughts out of the answer, and returns citations separately", async () => {
    const chunk = {
      candidates: [
        {
          content: { role: "model", parts: [{ text: "hm", thought: true }, { text: "Yes." }] },
          citationMetadata: { citationSources: [{ uri: "https://who.int/x" }, {}] },
        },
      ],
    };
    await using stub = await httpStub(() => sse(chunk));
    expect(await make(stub.url).ask(question)).toEqual({ text: "Yes.", links: ["https://who.int/x"] });
  });
});

describe("tools", () => {
  const tool = (run: GeminiTool["run"]): GeminiTool => ({ name: "find_doctors", description: "Finds doctors.", run });
  test("runs a tool, sends its result and returns the answer", async () => {
    await using stub = await httpStub((_, nth) => (nth === 1 ? toolCall("find_doctors", { city: "Guntur" }) : textReply("Dr. Rao.")));
    const seen: unknown[] = [];
    const find = tool(async (args) => {
      seen.push(args);
      return { doctors: ["Dr. Rao"] };
    });
    expect((await make(stub.url).ask({ ...question, tools: [find] })).text).toBe("Dr. Rao.");
    expect(seen).toEqual([{ city: "Guntur" }]);
    const second = JSON.parse(String(stub.seen[1]?.body));
    expect(second.contents.at(-1).parts).toEqual([{ functionResponse: { name: "find_doctors", response: { doctors: ["Dr. Rao"] } } }]);
    expect(second.tools[0].functionDeclarations).toEqual([{ name: "find_doctors", description: "Finds doctors." }]);
  });
  test("sends an error for an unknown tool and for a tool that fails", async () => {
    await using stub = await httpStub((_, nth) =>
      nth === 1 ? toolCall("drop_tables", {}) : nth === 2 ? toolCall("find_doctors", {}) : textReply("Sorry."),
    );
    const find = tool(() => Promise.reject(new Error("offline")));
    expect((await make(stub.url).ask({ ...question, tools: [find] })).text).toBe("Sorry.");
    const responseOf = (nth: number) => JSON.parse(String(stub.seen[nth]?.body)).contents.at(-1).parts[0].functionResponse.response;
    expect(responseOf(1)).toEqual({ error: "There is no such tool." });
    expect(responseOf(2)).toEqual({ error: "This is unavailable just now." });
  });
  test("runs at most eight tool calls of one round, and responds to each", async () => {
    const many = {
      candidates: [{ content: { role: "model", parts: Array(1000).fill({ functionCall: { name: "find_doctors", args: {} } }) } }],
    };
    await using stub = await httpStub((_, nth) => (nth === 1 ? sse(many) : textReply("Enough.")));
    let asked = 0;
    const find = tool(async () => ({ doctors: ++asked }));
    expect((await make(stub.url, 5000).ask({ ...question, tools: [find] })).text).toBe("Enough.");
    expect(asked).toBe(8);
    const [, calls, responses] = JSON.parse(String(stub.seen[1]?.body)).contents;
    expect([calls.parts.length, responses.parts.length]).toEqual([1000, 1000]);
    expect(responses.parts[8].functionResponse.response).toEqual({ error: "Too many calls at once." });
  });
  const called = (id: string, args: object, thoughtSignature?: string): GeminiPart => ({
    functionCall: { id, name: "find_doctors", args },
    ...(thoughtSignature && { thoughtSignature }),
  });
  test.each<[string, GeminiPart[][][]]>([
    ["one call after another", [[[called("a", {}, "sig-a")]], [[called("b", { city: "Guntur" }, "sig-b")]]]],
    [
      "nine calls at once, of which the first is signed",
      [[[1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => called(`${n}`, {}, n === 1 ? "sig" : ""))]],
    ],
    [
      "calls, thoughts and signatures in several chunks",
      [
        [
          [{ text: "hm", thought: true }],
          [{ text: "I look." }],
          [called("a", {}, "sig-a"), called("b", {})],
          [{ text: "", thoughtSignature: "sig-end" }],
        ],
      ],
    ],
    ["a signed call as the ninth", [[[1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => called(`${n}`, {}, n % 8 === 1 ? `sig-${n}` : ""))]]],
  ])("returns the parts of Gemini 3 as they came: %s", async (_what, steps) => {
    await using stub = await httpStub(gemini3(...steps, [[{ text: "Dr. " }], [{ text: "Rao.", thoughtSignature: "sig-text" }]]));
    const find = tool(async () => ({ doctors: ["Dr. Rao"] }));
    expect((await make(stub.url, 3000).ask({ ...question, tools: [find] })).text).toMatch(/Dr\. Rao\.$/);
    expect(stub.seen).toHaveLength(steps.length + 1);
  });
  test("stops a model that only calls tools", async () => {
    await using stub = await httpStub(() => toolCall("find_doctors", {}));
    expect((await make(stub.url, 5000).ask({ ...question, tools: [tool(async () => ({}))] })).text).toBe("");
    expect(stub.seen).toHaveLength(5);
    expect(JSON.parse(String(stub.seen[4]?.body)).toolConfig.functionCallingConfig.mode).toBe("NONE");
  });
});

describe("failures", () => {
  test.each<[string, Reply, number]>([
    ["broken", { status: 500, body: `{"error":{"message":"${QUESTION}"}}` }, 2],
    ["too busy", { status: 429, body: "{}" }, 2],
    ["a wrong key", { status: 400, body: `{"error":{"message":"API key ${KEY} not valid"}}` }, 1],
    ["a page with status 200", { body: `<html>${QUESTION}<script>alert(1)</script></html>` }, 2],
    ["half a line", { body: 'data: {"candidates": [{"content": {"par' }, 2],
    ["a broken line", { body: 'data: {"candidates": oh no}\n\n' }, 2],
    ["a closed line", "drop", 2],
    ["ten megabytes in one line", textReply("x".repeat(10_000_000)), 2],
    ["ten megabytes of nothing", { body: "\n".repeat(10_000_000) }, 2],
    ["ten megabytes of excuses", { status: 500, body: "x".repeat(10_000_000) }, 2],
    [
      "bytes that are not text",
      { body: Buffer.from('data: {"candidates":[{"content":{"parts":[{"text":"\xff\xfe"}]}}]}\n\n', "latin1") },
      2,
    ],
    ["parts of another kind", sse({ candidates: [{ content: { parts: [null] } }] }), 2],
  ])("%s", async (_what, reply, calls) => {
    await using stub = await httpStub(() => reply);
    await refusal(make(stub.url, 3000).ask(question));
    expect(stub.seen).toHaveLength(calls);
  });
  test("ends at the deadline without a retry when the service does not respond", async () => {
    await using stub = await httpStub(() => "hang");
    expect(await refusal(make(stub.url).ask(question))).toContain("no answer in time");
    expect(stub.seen).toHaveLength(1);
  });
  test("retries once", async () => {
    await using stub = await httpStub((_, nth) => (nth === 1 ? { status: 503, body: "" } : textReply("Now.")));
    expect((await make(stub.url, 3000).ask(question)).text).toBe("Now.");
  });
  test.each<[string, object[]]>([
    ["nothing at all", []],
    ["no candidates", [{}]],
    ["a question it may not answer", [{ promptFeedback: { blockReason: "SAFETY" } }]],
    [
      "a withheld answer",
      [{ candidates: [{ content: { role: "model", parts: [{ text: "Take ten" }] } }] }, { candidates: [{ finishReason: "SAFETY" }] }],
    ],
  ])("%s is an empty answer", async (_what, chunks) => {
    await using stub = await httpStub(() => sse(...chunks));
    expect((await make(stub.url).ask(question)).text).toBe("");
  });
  test("does not follow redirects: they would receive the key", async () => {
    await using other = await httpStub(() => textReply("Give me the key."));
    await using stub = await httpStub(() => ({ status: 307, headers: { location: other.url } }));
    await refusal(make(stub.url, 3000).ask(question));
    expect(other.seen).toHaveLength(0);
  });
  test("removes NUL characters and lone surrogates", async () => {
    await using stub = await httpStub(() => textReply("Re\0st.\ud800"));
    expect((await make(stub.url).ask(question)).text).toBe("Rest.\ufffd");
  });
  test("cuts an endless answer", async () => {
    await using stub = await httpStub(() =>
      textReply(
        ..."x"
          .repeat(40)
          .split("")
          .map(() => "word ".repeat(200)),
      ),
    );
    expect((await make(stub.url, 5000).ask(question)).text).toHaveLength(16_000);
  });
  test("stops when the client disconnects", async () => {
    await using stub = await httpStub(() => "hang");
    const controller = new AbortController();
    const asking = refusal(make(stub.url, 60_000).ask({ ...question, signal: controller.signal }));
    await expect.poll(() => stub.seen.length).toBe(1);
    controller.abort();
    expect(await asking).toContain("the client disconnected");
  });
  test("refuses without a connection and without a configured model", async () => {
    await refusal(make("http://127.0.0.1:1").ask(question));
    expect(noGemini.connected).toBe(false);
    await refusal(noGemini.ask(question));
  });
  test("stops calling after three failures and tries again after a pause", async () => {
    let now = 0;
    let well = false;
    await using stub = await httpStub(() => (well ? textReply("Back.") : { status: 400, body: "{}" }));
    const gemini = googleGemini({ apiKey: KEY, models: MODELS, baseUrl: stub.url }, { now: () => now });
    for (let i = 0; i < FAILURES; i++) await refusal(gemini.ask(question));
    expect(await refusal(gemini.ask(question))).toContain("circuit open");
    expect(stub.seen).toHaveLength(FAILURES);
    well = true;
    now += REST;
    expect((await gemini.ask(question)).text).toBe("Back.");
    expect((await gemini.ask(question)).text).toBe("Back.");
  });
});

describe("a retired model", () => {
  const streamError = (name: string): Reply => sse({ error: { code: 404, message: `models/${name} is not found`, status: "NOT_FOUND" } });
  const gone400 = (name: string): Reply => ({
    status: 400,
    body: JSON.stringify({
      error: { code: 400, message: `This model models/${name} is no longer available.`, status: "INVALID_ARGUMENT" },
    }),
  });
  test.each([
    ["404", noModel],
    ["404 without a body", () => ({ status: 404, body: "" })],
    ["400 that names it", gone400],
    ["an error in the stream", streamError],
  ])("%s: the next one answers, and the retired one is not called again", async (_what, gone) => {
    const news: unknown[] = [];
    await using stub = await httpStub((seen) => (modelOf(seen) === MODELS[0] ? gone(MODELS[0]!) : textReply("Drink ", "water.")));
    const gemini = googleGemini({ apiKey: KEY, models: MODELS, baseUrl: stub.url }, { onRetired: (...of) => news.push(of) });
    const answers = await Promise.all(Array.from({ length: 5 }, () => gemini.ask(question)));
    expect(answers.map(({ text }) => text)).toEqual(Array(5).fill("Drink water."));
    expect(news).toEqual([[MODELS[0], MODELS[1]]]);
    const before = stub.seen.length;
    for (const purpose of ["chat", "emergency"] as const) await gemini.ask({ ...question, purpose });
    expect(stub.seen.slice(before).map(modelOf)).toEqual([MODELS[1], MODELS[1]]);
    expect(gemini.models.map(({ retiredSince }) => retiredSince !== null)).toEqual([true, false]);
  });
  test("begins anew with the next model when it disappears between two tool calls", async () => {
    await using stub = await httpStub((seen, nth) => {
      if (modelOf(seen) === MODELS[0]) return nth === 1 ? toolCall("find_doctors", {}) : noModel(MODELS[0]!);
      return nth === 3 ? toolCall("find_doctors", {}) : textReply("Dr. Rao.");
    });
    const tools = [{ name: "find_doctors", description: "Finds doctors.", run: async () => ({}) }];
    expect((await make(stub.url, 3000).ask({ ...question, tools })).text).toBe("Dr. Rao.");
    expect(JSON.parse(String(stub.seen[2]?.body)).contents).toHaveLength(1);
  });
  test("is called again after an hour, and nothing is called while all are retired", async () => {
    let now = 0;
    let gone = true;
    const news: unknown[] = [];
    await using stub = await httpStub((seen) => (gone ? noModel(modelOf(seen)) : textReply("Back.")));
    const options = { now: () => now, onRetired: (...of: unknown[]) => news.push(of) };
    const gemini = googleGemini({ apiKey: KEY, models: MODELS, baseUrl: stub.url }, options);
    expect(gemini.connected).toBe(true);
    await refusal(gemini.ask(question));
    expect(gemini.connected).toBe(false);
    for (let i = 0; i < FAILURES + 1; i++) expect(await refusal(gemini.ask(question))).toContain("all models are retired");
    expect(stub.seen).toHaveLength(2);
    now += ASK_AGAIN;
    await refusal(gemini.ask(question));
    expect(stub.seen).toHaveLength(4);
    // Logged once, however often it is confirmed.
    expect(news).toEqual([
      [MODELS[0], MODELS[1]],
      [MODELS[1], null],
    ]);
    now += ASK_AGAIN;
    gone = false;
    expect((await gemini.ask(question)).text).toBe("Back.");
    expect(gemini.models[0]?.retiredSince).toBeNull();
  });
  test("is not seen in a refusal that repeats the question", async () => {
    const body = JSON.stringify({ error: { code: 400, message: "My tablet is not found and no longer available." } });
    await using stub = await httpStub(() => ({ status: 400, body }));
    const gemini = make(stub.url);
    await refusal(gemini.ask(question));
    expect(gemini.models.every(({ retiredSince }) => retiredSince === null)).toBe(true);
  });
});

test("a recording that the model refuses does not open the circuit", async () => {
  await using stub = await httpStub((seen) =>
    String(seen.body).includes("inlineData") ? { status: 400, body: "{}" } : textReply("Well."),
  );
  const gemini = make(stub.url, 3000);
  const audio = { mediaType: "audio/ogg", bytes: Buffer.from("broken") };
  for (let i = 0; i <= FAILURES; i++) expect(await refusal(gemini.ask({ ...question, audio }))).toContain("status 400");
  expect((await gemini.ask(question)).text).toBe("Well.");
});

test("counts failures of each purpose separately, and leaks no call for an invalid limit", async () => {
  let status = 400;
  await using stub = await httpStub(() => (status === 200 ? textReply("Well.") : { status, body: "{}" }));
  const gemini = googleGemini({ apiKey: KEY, models: MODELS, baseUrl: stub.url });
  for (let i = 0; i <= FAILURES; i++) await refusal(gemini.ask({ ...question, purpose: "emergency" }));
  status = 200;
  expect((await gemini.ask(question)).text).toBe("Well.");
  expect(await refusal(gemini.ask({ ...question, purpose: "emergency" }))).toContain("circuit open");
  for (let i = 0; i <= MAX_UNDER_WAY; i++) await expect(gemini.ask({ ...question, limit: Number.NaN })).rejects.toThrow();
  expect((await gemini.ask({ ...question, limit: 2000.5 })).text).toBe("Well.");
});

describe("circuit breaker", () => {
  test("limits concurrent calls", () => {
    const guard = breaker({ now: () => 0 });
    const passes = Array.from({ length: MAX_UNDER_WAY }, () => guard.enter());
    expect(passes.every(Boolean)).toBe(true);
    expect(guard.enter()).toBeNull();
    passes[0]?.done("unknown");
    expect(guard.enter()).not.toBeNull();
  });
  test("lets one call try after the pause, the others wait", () => {
    let now = 0;
    const guard = breaker({ now: () => now });
    for (let i = 0; i < FAILURES; i++) guard.enter()?.done("failed");
    expect(guard.enter()).toBeNull();
    now = REST;
    const first = guard.enter();
    expect(first).not.toBeNull();
    expect(guard.enter()).toBeNull();
    first?.done("failed");
    expect(guard.enter()).toBeNull();
    now = 2 * REST;
    guard.enter()?.done("answered");
    expect(guard.enter()).not.toBeNull();
  });
});

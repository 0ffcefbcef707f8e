import { describe, expect, test } from "vitest";
import { DomainError } from "#app/lib/domain-error.ts";
import { says, sse } from "../../../tests/mocks/gemini.ts";
import { httpStub, type Reply } from "../../../tests/mocks/http-stub.ts";
import { breaker, FAILURES, MAX_UNDER_WAY, REST } from "./breaker.ts";
import { type GeminiTool, noGemini } from "./gemini.server.ts";
import { googleGemini } from "./google.server.ts";

const KEY = "key-of-the-test";
const QUESTION = "My secret question 9000000001";
const make = (baseUrl: string, limit = 400) => googleGemini({ apiKey: KEY, baseUrl }, { limit });
const question = { system: "Be kind.", turns: [{ role: "user" as const, text: QUESTION }] };

async function refusal(asking: Promise<unknown>): Promise<string> {
  const error = await asking.then(
    () => null,
    (e: unknown) => e,
  );
  expect(error).toBeInstanceOf(DomainError);
  expect((error as DomainError).code).toBe("unavailable");
  const told = JSON.stringify([String(error), String((error as DomainError).cause), (error as Error).stack]);
  for (const secret of [KEY, "9000000001", "secret question"]) expect(told).not.toContain(secret);
  return String((error as DomainError).cause);
}

describe("the wire format", () => {
  test("asks as Google wants it, streams, and reads every piece", async () => {
    await using stub = await httpStub(() => says("Drink ", "water."));
    const pieces: string[] = [];
    const answer = await make(stub.url).ask({ ...question, onText: (piece) => pieces.push(piece) });
    expect(answer).toEqual({ text: "Drink water.", links: [] });
    expect(pieces).toEqual(["Drink ", "water."]);
    const [call] = stub.seen;
    expect(call).toMatchObject({ method: "POST", path: "/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse" });
    expect(call?.headers["x-goog-api-key"]).toBe(KEY);
    expect(call?.path).not.toContain(KEY);
    expect(JSON.parse(String(call?.body))).toMatchObject({
      contents: [{ role: "user", parts: [{ text: QUESTION }] }],
      systemInstruction: { parts: [{ text: "Be kind." }] },
    });
  });
  test("a model of one's own, behind a prefix", async () => {
    await using stub = await httpStub(() => says("Yes"));
    await googleGemini({ apiKey: KEY, model: "gemini-x", baseUrl: `${stub.url}/prefix` }).ask(question);
    expect(stub.seen[0]?.path).toBe("/prefix/v1beta/models/gemini-x:streamGenerateContent?alt=sse");
  });
  test("a voice message goes along as it is", async () => {
    await using stub = await httpStub(() => says("I heard you."));
    await make(stub.url).ask({ ...question, audio: { mediaType: "audio/webm", bytes: Buffer.from("sound") } });
    expect(JSON.parse(String(stub.seen[0]?.body)).contents[0].parts[1]).toEqual({
      inlineData: { mimeType: "audio/webm", data: Buffer.from("sound").toString("base64") },
    });
  });
  test("thoughts are not the answer; quoted addresses are told apart", async () => {
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
  const asks = (name: string, args: object) =>
    sse({ candidates: [{ content: { role: "model", parts: [{ functionCall: { name, args } }] } }] });
  const tool = (run: GeminiTool["run"]): GeminiTool => ({ name: "find_doctors", description: "Finds doctors.", run });
  test("what it asks for is done and told, then it answers", async () => {
    await using stub = await httpStub((_, nth) => (nth === 1 ? asks("find_doctors", { city: "Guntur" }) : says("Dr. Rao.")));
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
  test("unknown tools and tools that fail are told as such", async () => {
    await using stub = await httpStub((_, nth) =>
      nth === 1 ? asks("drop_tables", {}) : nth === 2 ? asks("find_doctors", {}) : says("Sorry."),
    );
    const find = tool(() => Promise.reject(new Error("away")));
    expect((await make(stub.url).ask({ ...question, tools: [find] })).text).toBe("Sorry.");
    const told = (nth: number) => JSON.parse(String(stub.seen[nth]?.body)).contents.at(-1).parts[0].functionResponse.response;
    expect(told(1)).toEqual({ error: "There is no such tool." });
    expect(told(2)).toEqual({ error: "This is away just now." });
  });
  test("of a thousand wishes at once eight are granted, and each stands beside its answer", async () => {
    const many = {
      candidates: [{ content: { role: "model", parts: Array(1000).fill({ functionCall: { name: "find_doctors", args: {} } }) } }],
    };
    await using stub = await httpStub((_, nth) => (nth === 1 ? sse(many) : says("Enough.")));
    let asked = 0;
    const find = tool(async () => ({ doctors: ++asked }));
    expect((await make(stub.url, 5000).ask({ ...question, tools: [find] })).text).toBe("Enough.");
    expect(asked).toBe(8);
    const [, wish, told] = JSON.parse(String(stub.seen[1]?.body)).contents;
    expect([wish.parts.length, told.parts.length]).toEqual([8, 8]);
  });
  test("a model that only ever asks is stopped", async () => {
    await using stub = await httpStub(() => asks("find_doctors", {}));
    expect((await make(stub.url, 5000).ask({ ...question, tools: [tool(async () => ({}))] })).text).toBe("");
    expect(stub.seen).toHaveLength(5);
    expect(JSON.parse(String(stub.seen[4]?.body)).toolConfig.functionCallingConfig.mode).toBe("NONE");
  });
});

describe("fails well", () => {
  test.each<[string, Reply, number]>([
    ["broken", { status: 500, body: `{"error":{"message":"${QUESTION}"}}` }, 2],
    ["too busy", { status: 429, body: "{}" }, 2],
    ["a wrong key", { status: 400, body: `{"error":{"message":"API key ${KEY} not valid"}}` }, 1],
    ["a page with status 200", { body: `<html>${QUESTION}<script>alert(1)</script></html>` }, 2],
    ["half a line", { body: 'data: {"candidates": [{"content": {"par' }, 2],
    ["a broken line", { body: 'data: {"candidates": oh no}\n\n' }, 2],
    ["a closed line", "drop", 2],
    ["ten megabytes in one line", says("x".repeat(10_000_000)), 2],
    ["ten megabytes of nothing", { body: "\n".repeat(10_000_000) }, 2],
    ["ten megabytes of excuses", { status: 500, body: "x".repeat(10_000_000) }, 2],
    [
      "bytes that are no text",
      { body: Buffer.from('data: {"candidates":[{"content":{"parts":[{"text":"\xff\xfe"}]}}]}\n\n', "latin1") },
      2,
    ],
    ["parts of another kind", sse({ candidates: [{ content: { parts: [null] } }] }), 2],
  ])("%s", async (_what, reply, calls) => {
    await using stub = await httpStub(() => reply);
    await refusal(make(stub.url, 3000).ask(question));
    expect(stub.seen).toHaveLength(calls);
  });
  test("silence ends at the deadline, without a second try", async () => {
    await using stub = await httpStub(() => "hang");
    expect(await refusal(make(stub.url).ask(question))).toContain("no answer in time");
    expect(stub.seen).toHaveLength(1);
  });
  test("a second try may bring it", async () => {
    await using stub = await httpStub((_, nth) => (nth === 1 ? { status: 503, body: "" } : says("Now.")));
    expect((await make(stub.url, 3000).ask(question)).text).toBe("Now.");
  });
  test.each<[string, object[]]>([
    ["nothing at all", []],
    ["no candidates", [{}]],
    ["a question it may not answer", [{ promptFeedback: { blockReason: "SAFETY" } }]],
    [
      "an answer it may not finish",
      [{ candidates: [{ content: { role: "model", parts: [{ text: "Take ten" }] } }] }, { candidates: [{ finishReason: "SAFETY" }] }],
    ],
  ])("%s is an empty answer", async (_what, chunks) => {
    await using stub = await httpStub(() => sse(...chunks));
    expect((await make(stub.url).ask(question)).text).toBe("");
  });
  test("nobody is followed elsewhere: the key would go along", async () => {
    await using other = await httpStub(() => says("Give me the key."));
    await using stub = await httpStub(() => ({ status: 307, headers: { location: other.url } }));
    await refusal(make(stub.url, 3000).ask(question));
    expect(other.seen).toHaveLength(0);
  });
  test("zeros and halves of letters are left out", async () => {
    await using stub = await httpStub(() => says("Re\0st.\ud800"));
    expect((await make(stub.url).ask(question)).text).toBe("Rest.\ufffd");
  });
  test("an endless answer ends", async () => {
    await using stub = await httpStub(() =>
      says(
        ..."x"
          .repeat(40)
          .split("")
          .map(() => "word ".repeat(200)),
      ),
    );
    expect((await make(stub.url, 5000).ask(question)).text).toHaveLength(16_000);
  });
  test("whoever goes away ends it", async () => {
    await using stub = await httpStub(() => "hang");
    const controller = new AbortController();
    const asking = refusal(make(stub.url, 60_000).ask({ ...question, signal: controller.signal }));
    await expect.poll(() => stub.seen.length).toBe(1);
    controller.abort();
    expect(await asking).toContain("nobody waits");
  });
  test("nobody there; nobody set", async () => {
    await refusal(make("http://127.0.0.1:1").ask(question));
    expect(noGemini.connected).toBe(false);
    await refusal(noGemini.ask(question));
  });
  test("left alone after three failures, and tried again after the rest", async () => {
    let now = 0;
    let well = false;
    await using stub = await httpStub(() => (well ? says("Back.") : { status: 400, body: "{}" }));
    const gemini = googleGemini({ apiKey: KEY, baseUrl: stub.url }, { now: () => now });
    for (let i = 0; i < FAILURES; i++) await refusal(gemini.ask(question));
    expect(await refusal(gemini.ask(question))).toContain("left alone");
    expect(stub.seen).toHaveLength(FAILURES);
    well = true;
    now += REST;
    expect((await gemini.ask(question)).text).toBe("Back.");
    expect((await gemini.ask(question)).text).toBe("Back.");
  });
});

test("failures of one purpose are not counted for the other, and a limit that is no limit leaks no place", async () => {
  let status = 400;
  await using stub = await httpStub(() => (status === 200 ? says("Well.") : { status, body: "{}" }));
  const gemini = googleGemini({ apiKey: KEY, baseUrl: stub.url });
  for (let i = 0; i <= FAILURES; i++) await refusal(gemini.ask({ ...question, purpose: "emergency" }));
  status = 200;
  expect((await gemini.ask(question)).text).toBe("Well.");
  expect(await refusal(gemini.ask({ ...question, purpose: "emergency" }))).toContain("left alone");
  for (let i = 0; i <= MAX_UNDER_WAY; i++) await expect(gemini.ask({ ...question, limit: Number.NaN })).rejects.toThrow();
  expect((await gemini.ask({ ...question, limit: 2000.5 })).text).toBe("Well.");
});

describe("the breaker", () => {
  test("holds so many and no more", () => {
    const guard = breaker({ now: () => 0 });
    const passes = Array.from({ length: MAX_UNDER_WAY }, () => guard.enter());
    expect(passes.every(Boolean)).toBe(true);
    expect(guard.enter()).toBeNull();
    passes[0]?.done("unknown");
    expect(guard.enter()).not.toBeNull();
  });
  test("after the rest one tries, the others wait for it", () => {
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

/**
 * Hostile forms, multipart bodies and JSON for every action and every call of the API, as a visitor and as each role. Both
 * lists come from the product's own tables, so a new route or call is covered. No response is a 5xx, takes ten seconds or
 * exceeds 2 MB. A failure prints its seed: `FUZZ_SEED=… FUZZ_RUNS=… vitest run --project db tests/server/fuzz.test.ts`.
 */
import fc, { type Arbitrary } from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { ENDPOINTS } from "#app/routes/api/endpoints.server.ts";
import { valuesOf } from "../factories/booking.ts";
import { raw } from "../setup/http.ts";
import { GATE } from "../setup/long.ts";
import { DEMO, type LoggedIn, loginAs } from "../setup/people.ts";
import { ROUTES } from "../setup/routes.ts";
import { seedOf } from "../setup/seed.ts";
import { startServer, type TestServer } from "../setup/server.ts";

const SEED = seedOf("FUZZ_SEED");
/** Requests for each route or call and each role. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 1);
const AT_ONCE = 4;
const LIMIT = { ms: 10_000, bytes: 2 * 1024 * 1024 };

const ROLES = ["visitor", "patient", "doctor", "reviewer", "admin"] as const;
type WhoAsks = (typeof ROLES)[number];

let server: TestServer;
/** Ids that exist, and names and values of the product's own forms. */
const known = { ids: [] as string[], fields: new Map<string, Set<string>>() };

beforeAll(async () => {
  server = await startServer({ env: { TRUST_PROXY: "1" } });
  for (const table of ["doctors", "hospitals", "appointments", "files", "family_members", "reviews"]) {
    const rows = await server.sql<{ id: string }[]>`select id from ${server.sql(table)} limit 3`;
    known.ids.push(...rows.map(({ id }) => id));
  }
}, 120_000);
afterAll(async () => {
  expect((await raw(server.url, { path: "/healthz" })).status).toBe(200);
  await server.stop();
});

const PAGES = [...new Set(ROUTES.map(({ pattern }) => pattern))].filter((pattern) => !/^\/api1?\//.test(pattern) && pattern !== "/*");

// What is sent

const HOSTILE_NAMES = [
  "a[999999999]",
  "slots[5000000]",
  "records[0].fileId",
  "records[99].recordType",
  "qualifications[0].degree",
  "documents[0].id",
  "documents[39].decision",
  "__intent__",
  "__state__",
  "__proto__",
  "__proto__.x",
  "constructor",
  "constructor.prototype",
  "toString",
  "hasOwnProperty",
  "a.".repeat(2000),
  `a${"[0]".repeat(500)}`,
  "a[",
  "",
  "[]",
  "a[]",
  "a[-1]",
  "a[1e3]",
];
const HOSTILE_VALUES = [
  "",
  " ",
  "null",
  "x",
  "0",
  "-1",
  "1e999",
  "NaN",
  "99999999999999999999",
  "true",
  "on",
  "[]",
  "{}",
  '{"id":"00000000-0000-4000-8000-000000000000","name":"x"}',
  '{"type":"update","payload":{"name":"a[5000000]","value":1}}',
  '{"type":"insert","payload":{"name":"slots","index":5000000}}',
  "__proto__",
  "constructor",
  "toString",
  "a\0b",
  "\ud83d\ude00".repeat(50),
  "\u202e\u0000\uffff",
  "<script>alert(1)</script>",
  "' or 1=1 --",
  "../../etc/passwd",
  "//evil.example",
  "2026-02-31",
  "0000-00-00",
  "9999-12-31",
  "25:61",
  "1970-01-01T00:00:00.000Z",
  "+919000000001",
  "9000000001",
  "demo1234",
  "a@".repeat(2000),
  "9".repeat(5000),
  " ".repeat(20_000),
  "00000000-0000-4000-8000-000000000000",
];

const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...HOSTILE_VALUES) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 60 }) },
  { weight: 1, arbitrary: fc.uuid() },
  { weight: 1, arbitrary: fc.integer().map(String) },
);
type Pair = [name: string, value: string];

/** Fields of this route's own forms, mixed with hostile ones. */
function fieldsFor(own: readonly string[], values: ReadonlyMap<string, ReadonlySet<string>>): Arbitrary<Pair[]> {
  const hostile = fc.tuple(fc.oneof(fc.constantFrom(...HOSTILE_NAMES), fc.string({ unit: "binary", maxLength: 20 })), text);
  if (!own.length) return fc.array(hostile, { maxLength: 8 });
  const oneValue = (name: string) => {
    const seen = [...(values.get(name) ?? [])];
    return seen.length ? fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...seen) }, { weight: 3, arbitrary: text }) : text;
  };
  const good = fc.constantFrom(...own).chain((name) => oneValue(name).map((value): Pair => [name, value]));
  // One of each field, as a browser would send them, then a few more.
  const whole = fc.tuple(...own.map((name) => oneValue(name).map((value): Pair => [name, value]))) as Arbitrary<Pair[]>;
  const extra = fc.array(fc.oneof({ weight: 3, arbitrary: good }, { weight: 1, arbitrary: hostile }), { maxLength: 4 });
  return fc.tuple(fc.oneof(whole, fc.constant<Pair[]>([])), extra).map(([first, more]) => [...first, ...more]);
}

type Body = { type: string; body: Buffer };
const urlencoded = (fields: Pair[]): Body => ({
  type: "application/x-www-form-urlencoded",
  body: Buffer.from(fields.map((pair) => pair.map((one) => encodeURIComponent(one.toWellFormed())).join("=")).join("&")),
});
type Break = "whole" | "cut" | "no end" | "no names" | "wrong boundary" | "bad header";
/** Multipart of a broken or hostile client. */
function multipart(fields: Pair[], files: Pair[], how: Break): Body {
  const quoted = (name: string) => name.replace(/["\r\n]/g, (c) => encodeURIComponent(c));
  const head = (name: string, more = "") =>
    how === "no names"
      ? "Content-Disposition: form-data"
      : `Content-Disposition: form-data; name="${quoted(name)}"${more}${how === "bad header" ? "\r\n: : :\r\nX" : ""}`;
  const parts = [
    ...fields.map(([name, value]) => `--fuzz\r\n${head(name)}\r\n\r\n${value}\r\n`),
    ...files.map(([name, value]) => `--fuzz\r\n${head(name, '; filename="a.jpg"')}\r\nContent-Type: image/jpeg\r\n\r\n${value}\r\n`),
  ];
  const all = Buffer.from(`${parts.join("")}${how === "no end" ? "" : "--fuzz--\r\n"}`);
  return {
    type: `multipart/form-data; boundary=${how === "wrong boundary" ? "other" : "fuzz"}`,
    body: how === "cut" ? all.subarray(0, Math.floor(all.length / 2)) : all,
  };
}
const breaks = fc.constantFrom<Break>("whole", "whole", "whole", "cut", "no end", "no names", "wrong boundary", "bad header");

/** Values that sometimes match a JSON schema. */
function fitting(schema: z.core.JSONSchema.BaseSchema | boolean | undefined, depth = 0): Arbitrary<unknown> {
  if (typeof schema !== "object" || depth > 4) return fc.jsonValue({ maxDepth: 2 });
  const inner = (): Arbitrary<unknown> => {
    const options = schema.anyOf ?? schema.oneOf;
    if (options?.length) return fc.oneof(...options.map((option) => fitting(option, depth + 1)));
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum?.length) return fc.constantFrom(...schema.enum);
    switch (schema.type) {
      case "object": {
        const entries = Object.entries(schema.properties ?? {}).map(([key, value]) => [key, fitting(value, depth + 1)] as const);
        return fc.record(Object.fromEntries(entries), {
          requiredKeys: schema.required?.filter((key) => key in (schema.properties ?? {})) ?? [],
        });
      }
      case "array":
        return fc.array(fitting(schema.items as z.core.JSONSchema.BaseSchema, depth + 1), { maxLength: 4 });
      case "number":
      case "integer":
        return fc.oneof(fc.integer(), fc.double(), fc.constantFrom(0, -1, 1, 25, 2 ** 53));
      case "boolean":
        return fc.boolean();
      default:
        return text;
    }
  };
  return fc.oneof({ weight: 5, arbitrary: inner() }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) });
}
const DEEP = [
  "[".repeat(5000),
  `{"a":${"[".repeat(3000)}${"]".repeat(3000)}}`,
  '{"__proto__":{"x":1},"constructor":{"prototype":{"x":1}}}',
  "null",
  "{",
  "1e999",
  '"\\ud800"',
  `[${"0,".repeat(30_000)}0]`,
];
const jsonBody = (value: Arbitrary<unknown>): Arbitrary<Body> =>
  fc
    .oneof({ weight: 6, arbitrary: value.map((one) => JSON.stringify(one) ?? "") }, { weight: 1, arbitrary: fc.constantFrom(...DEEP) })
    .map((body) => ({ type: "application/json", body: Buffer.from(body) }));
const formBody = (fields: Arbitrary<Pair[]>): Arbitrary<Body> =>
  fc.oneof(
    { weight: 4, arbitrary: fields.map(urlencoded) },
    {
      weight: 3,
      arbitrary: fc
        .tuple(
          fields,
          fc.array(fc.tuple(fc.constantFrom("photo", "newRecords", "file", "voice", "profileImage", "x"), text), { maxLength: 3 }),
          breaks,
        )
        .map(([given, files, how]) => multipart(given, files, how)),
    },
    {
      weight: 1,
      arbitrary: fc
        .uint8Array({ maxLength: 200 })
        .map((bytes) => ({ type: "application/x-www-form-urlencoded", body: Buffer.from(bytes) })),
    },
  );

const parameter = (name: string): Arbitrary<string> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...known.ids, "accept", "complete", "cancel", "pan", "aadhaar", "2026-12-01") },
    { weight: 1, arbitrary: text.map((one) => one.slice(0, 300)) },
    { weight: 1, arbitrary: fc.constantFrom(name, "constructor", "__proto__") },
  );
/** Fills in the parameters of a pattern: `:id` of a route, `{id}` of a call. */
function pathOf(pattern: string): Arbitrary<string> {
  const names = [...pattern.matchAll(/:(\w+)\??|\{(\w+)\}/g)].map(([, a, b]) => a ?? b ?? "");
  return fc.tuple(...names.map(parameter)).map((values) => {
    let i = 0;
    return pattern.replace(/:(\w+)\??|\{(\w+)\}/g, () => encodeURIComponent((values[i++] ?? "").toWellFormed()) || "x");
  });
}

// Responses

let asked = 0;
type Sent = { method: string; path: string; headers: Record<string, string>; body: Buffer };
async function send({ method, path, headers, body }: Sent): Promise<void> {
  const origin = new URL(server.url).origin;
  const answer = await fetch(server.url + path, {
    method,
    // An address of its own, so that limits by address do not apply.
    headers: { ...headers, origin, "x-forwarded-for": `10.${(asked >> 16) & 255}.${(asked >> 8) & 255}.${asked++ & 255}` },
    body: method === "GET" ? null : new Uint8Array(body),
    redirect: "manual",
    signal: AbortSignal.timeout(LIMIT.ms),
  });
  const { byteLength } = await answer.arrayBuffer();
  if (answer.status >= 500) throw new Error(`${answer.status} from ${method} ${path}`);
  if (byteLength > LIMIT.bytes) throw new Error(`${byteLength} bytes from ${method} ${path}`);
}

/** Runs every job, a few at once, and returns the failures with their seed and smallest case. */
async function everyone<Job>(jobs: readonly Job[], attempt: (job: Job) => Promise<void>): Promise<string[]> {
  const failures: string[] = [];
  const queue = jobs.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const job of queue)
        try {
          await attempt(job);
        } catch (error) {
          failures.push(`${JSON.stringify(job)} FUZZ_SEED=${SEED}: ${String((error as Error).message).slice(0, 1500)}`);
        }
    }),
  );
  return failures;
}
/** `npm test` tries each eighth of them, others each time. */
const sample = <Job>(jobs: Job[]) => jobs.filter((_, i) => !GATE || i % 8 === Math.abs(SEED) % 8);
const check = (property: fc.IAsyncProperty<[Sent]>) =>
  fc.assert(property, { seed: SEED, numRuns: RUNS, interruptAfterTimeLimit: 20_000, markInterruptAsFailure: false });
const enter = (who: WhoAsks): Promise<LoggedIn | null> => (who === "visitor" ? Promise.resolve(null) : loginAs(server, DEMO[who]));
const cookieOf = (person: LoggedIn | null) =>
  person ? { cookie: [...person.cookies].map((pair) => pair.join("=")).join("; ") } : undefined;

test("answers every action, as a visitor and as each role", { timeout: 300_000 }, async () => {
  expect(PAGES.length).toBeGreaterThan(80);
  const jobs = sample(PAGES.flatMap((pattern) => ROLES.map((who) => ({ pattern, who }))));
  const failures = await everyone(jobs, async ({ pattern, who }) => {
    // A login of its own for each, because some actions end it.
    const person = await enter(who);
    const form = person ?? null;
    const values = new Map<string, Set<string>>();
    const learn = fc.sample(pathOf(pattern), { numRuns: 1, seed: SEED })[0] ?? pattern;
    const page = await fetch(server.url + learn, {
      headers: cookieOf(form) ?? {},
      redirect: "manual",
      signal: AbortSignal.timeout(LIMIT.ms),
    });
    const html = page.headers.get("content-type")?.startsWith("text/html") ? await page.text() : "";
    if (page.status >= 500) throw new Error(`${page.status} from GET ${learn}`);
    for (const [name, value] of Object.entries(valuesOf(html))) values.set(name, new Set([value]));
    for (const [tag] of html.matchAll(/<(?:button|input)\b[^>]*>/g)) {
      const name = /\sname="([^"]*)"/.exec(tag)?.[1];
      const value = /\svalue="([^"]*)"/.exec(tag)?.[1] ?? "";
      if (name) values.set(name, (values.get(name) ?? new Set()).add(value));
    }
    const own = [...values.keys()].filter(Boolean);
    const body = fc.oneof(
      { weight: 8, arbitrary: formBody(fieldsFor(own.length ? own : ["intent"], values)) },
      { weight: 1, arbitrary: jsonBody(fc.jsonValue()) },
    );
    const sent = fc.tuple(pathOf(pattern), body, fc.constantFrom("", ".data")).map(
      ([path, { type, body }, suffix]): Sent => ({
        method: "POST",
        path: path === "/" && suffix ? "/_root.data" : path + suffix,
        headers: { "content-type": type, ...cookieOf(person) },
        body,
      }),
    );
    await check(fc.asyncProperty(sent, send));
  });
  expect(failures).toEqual([]);
});

test("answers every call of the API, as a visitor and as each role", { timeout: 300_000 }, async () => {
  const all = Object.keys(ENDPOINTS).flatMap((name) => ROLES.map((who) => ({ name: name as keyof typeof ENDPOINTS, who })));
  expect(all.length).toBeGreaterThan(150);
  const jobs = sample(all);
  const failures = await everyone(jobs, async ({ name, who }) => {
    const entry = ENDPOINTS[name] as {
      method: string;
      path: string;
      body?: z.ZodType;
      query?: z.ZodType;
      files?: { names: readonly string[] };
    };
    const token = (await enter(who))?.token;
    const schemaOf = (schema: z.ZodType | undefined) =>
      schema && (z.toJSONSchema(schema, { io: "input", unrepresentable: "any", cycles: "ref" }) as z.core.JSONSchema.BaseSchema);
    const json = jsonBody(fitting(schemaOf(entry.body)));
    const names = [...Object.keys(schemaOf(entry.body)?.properties ?? {}), ...(entry.files?.names ?? [])];
    const body = entry.files
      ? fc.oneof(json, formBody(fieldsFor(names.length ? names : ["x"], new Map())))
      : fc.oneof({ weight: 8, arbitrary: json }, { weight: 1, arbitrary: formBody(fieldsFor(["x"], new Map())) });
    const keys = [...Object.keys(schemaOf(entry.query)?.properties ?? {}), "limit", "cursor", "constructor"];
    const query = fc
      .array(
        fc.tuple(
          fc.constantFrom(...keys),
          text.map((one) => one.slice(0, 500)),
        ),
        { maxLength: 3 },
      )
      .map((pairs) => new URLSearchParams(pairs.map((pair) => pair.map((one) => one.toWellFormed().replaceAll("\0", "")))).toString());
    const sent = fc
      .tuple(pathOf(entry.path), query, body, fc.option(fc.constantFrom("fuzz-key-1", "fuzz-key-2", "x", "k".repeat(200))))
      .map(
        ([path, search, { type, body }, key]): Sent => ({
          method: entry.method,
          path: `${path}${search ? `?${search}` : ""}`,
          headers: {
            "content-type": type,
            ...(token ? { authorization: `Bearer ${token}` } : {}),
            ...(key ? { "idempotency-key": key } : {}),
          },
          body,
        }),
      );
    await check(fc.asyncProperty(sent, send));
  });
  expect(failures).toEqual([]);
});

/** Forms that no page sends: names that would become huge arrays in Conform, intents of its scripts, huge and deeply nested bodies. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Browser } from "../setup/http.ts";
import { GATE } from "../setup/long.ts";
import { DEMO, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
const people = {} as Record<"visitor" | "patient" | "doctor" | "reviewer" | "admin", Browser>;
beforeAll(async () => {
  server = await startServer();
  people.visitor = new Browser(server.url);
  for (const role of ["patient", "doctor", "reviewer", "admin"] as const) people[role] = await loginAs(server, DEMO[role]);
});
afterAll(() => server.stop());

const FORM = { "content-type": "application/x-www-form-urlencoded" };
/** Returns the response within ten seconds: a blocked process sends none. */
async function send(person: Browser, path: string, body: string | FormData, headers: Record<string, string> = {}) {
  const answer = await fetch(server.url + path, {
    method: "POST",
    headers: {
      ...(typeof body === "string" ? FORM : {}),
      origin: new URL(server.url).origin,
      cookie: [...person.cookies].map((pair) => pair.join("=")).join("; "),
      ...headers,
    },
    body,
    redirect: "manual",
    signal: AbortSignal.timeout(10_000),
  });
  return { status: answer.status, size: (await answer.arrayBuffer()).byteLength };
}

/** One form of each kind: without a login, with one, with files, and those that do not use `submitForm`. */
const FORMS: [keyof typeof people, string, string][] = [
  ["visitor", "/dual-patient", "intent=send"],
  ["visitor", "/dual-doctor", "intent=send"],
  ["visitor", "/invitation/x", "intent=send"],
  ["visitor", "/language", "language=te"],
  ["visitor", "/favourites", "add=doctor"],
  ["visitor", "/location/cities", "intent=city"],
  ["patient", "/patient/profile/edit", "fullName=A"],
  ["patient", "/patient/family/add", "fullName=A"],
  ["patient", "/patient/ai-chat/ask", "message=x"],
  ["doctor", "/doctor/availability/weekly", "weekdays=1"],
  ["doctor", "/doctor/leave/add", "intent=look"],
  ["doctor", "/doctor/profile/withdraw", "intent=withdraw"],
  ["admin", "/admin/hospitals/new", "name=A"],
];
const ATTACKS: [string, string][] = [
  ["an index of a billion", "phoneNumber[999999999]=1"],
  ["an index below another name", "a[0].b[5000000].c=1"],
  [
    "an index of five million in Conform's update",
    `__intent__=${encodeURIComponent('{"type":"update","payload":{"name":"a[5000000]","value":1}}')}`,
  ],
  ["Conform's insert at an index", `__intent__=${encodeURIComponent('{"type":"insert","payload":{"name":"slots","index":5000000}}')}`],
  ["an intent that is no JSON", "__intent__=x"],
  ["an intent of null", "__intent__=null"],
  ["two intents", "__intent__=x&__intent__=y"],
  ["a state that is no JSON", "__state__=x"],
  ["a name of 5,000 levels", `${"a.".repeat(5000)}a=1`],
  ["a name of 5,000 lists", `a${"[0]".repeat(5000)}=1`],
  ["__proto__", "__proto__=1"],
  ["__proto__ below a name", "a.__proto__.b=1"],
  ["constructor", "constructor=1"],
  ["constructor.prototype", "constructor.prototype.x=1"],
  ["toString", "toString=1"],
  ["a broken path", "a[=1"],
  ["an empty name", "=1"],
  ["600 fields", "a=1&".repeat(600)],
];

// `npm test` sends them to each third of these forms.
describe.each(FORMS.filter((_, i) => !GATE || i % 3 === 0))("%s at %s", (who, path, start) => {
  test.each(ATTACKS)("refuses %s", async (_, attack) => {
    expect((await send(people[who], path, `${start}&${attack}`)).status).toBe(400);
  });
  test("answers values of 200,000 characters with small responses", async () => {
    for (const value of ["<".repeat(200_000), "9".repeat(200_000), " ".repeat(200_000), "a@".repeat(100_000)]) {
      const fields = start
        .split("&")
        .map((field) => field.replace(/=.*/, (given) => (given === "=send" ? given : `=${encodeURIComponent(value).slice(0, 200_000)}`)));
      const { status, size } = await send(
        people[who],
        path,
        `${fields.join("&")}&otp=1&email=${value.slice(0, 50_000).replaceAll("<", "%3C")}`,
      );
      expect(status).toBeLessThan(500);
      expect(size).toBeLessThan(4_000_000);
    }
  });
});

test("SOS treats a hostile form as a press of its button", async () => {
  for (const [, attack] of ATTACKS) expect((await send(people.visitor, "/patient/emergency-contact", attack)).status).toBe(303);
});

describe("multipart forms", () => {
  const form = (name: string, value: string | Blob = "1") => {
    const body = new FormData();
    body.append(name, value);
    return body;
  };
  test.each(["/patient/profile/edit", "/patient/ai-chat/ask", "/dual-patient"])(
    "%s refuses hostile names of fields and files",
    async (path) => {
      for (const name of ["a[999999999]", "__intent__", "__proto__", "a.b.c"]) {
        expect((await send(people.patient, path, form(name))).status, name).toBe(400);
        expect((await send(people.patient, path, form(name, new Blob(["x"])))).status, name).toBeGreaterThanOrEqual(400);
      }
    },
  );
  test("a page with files refuses megabytes of text", async () => {
    const body = form("fullName", "A");
    for (let i = 0; i < 4; i++) body.append("address", "x".repeat(100_000));
    expect((await send(people.patient, "/patient/profile/edit", body)).status).toBe(413);
  });
  test("accept the lists of our own forms", async () => {
    const body = form("intent", "add-record");
    body.append("records[0].fileId", "x");
    body.append("records[0].recordType", "other");
    expect((await send(people.patient, "/patient/appointments/patient-detail", body)).status).not.toBe(500);
  });
});

describe("JSON", () => {
  const JSON_TYPE = { "content-type": "application/json" };
  test.each([
    ["100,000 levels of lists", `{"phone":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
    ["20,000 levels of objects", `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`],
    ["100,000 values", `{"phone":[${"0,".repeat(100_000)}0]}`],
    ["__proto__", '{"__proto__":{"phone":"9000000001"},"constructor":{"prototype":{"x":1}}}'],
    ["null", "null"],
    ["a list", "[]"],
    ["a number", "1e400"],
    ["no JSON", "{"],
  ])("the API refuses %s", async (_, body) => {
    for (const path of ["/api/otp/send-otp", "/api/auth/send-otp", "/api/doctor/doctor-auth"]) {
      const { status, size } = await send(people.visitor, path, body, JSON_TYPE);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect(size).toBeLessThan(20_000);
    }
  });
});

/** Headers of responses that are not pages, cookies on https, and lookups by names that a caller chooses. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Browser, raw } from "../setup/http.ts";
import { DEMO, type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
const people = {} as Record<"patient" | "doctor" | "reviewer" | "admin", LoggedIn>;
beforeAll(async () => {
  server = await startServer();
  for (const role of ["patient", "doctor", "reviewer", "admin"] as const) people[role] = await loginAs(server, DEMO[role]);
});
afterAll(() => server.stop());

describe("the policy of answers that are not pages", () => {
  test.each<[string, keyof typeof people | "visitor", string]>([
    ["JSON of the API", "visitor", "/api/openapi.json"],
    ["a refusal of the API", "visitor", "/api/patient/profile"],
    ["a call that does not exist", "visitor", "/api/nothing"],
    ["JSON of a page", "visitor", "/location/cities?q=gun"],
    [".data", "patient", "/patient-dashboard.data"],
    [".data of a visitor", "visitor", "/choose-role.data"],
    ["csv", "doctor", "/doctor/stats.csv"],
    ["csv of the log", "admin", "/admin/audit.csv"],
    ["ics", "doctor", "/doctor/appointments.ics"],
    ["zip", "patient", "/patient/data/download"],
    ["a redirect", "visitor", "/patient/calendar"],
    ["robots.txt", "visitor", "/robots.txt"],
    ["the sitemap", "visitor", "/sitemap.xml"],
    ["health", "visitor", "/healthz"],
    ["polling", "visitor", "/socket.io/?EIO=4&transport=polling"],
  ])("%s", async (_, who, path) => {
    const { headers } = await (who === "visitor" ? new Browser(server.url) : people[who]).get(path);
    expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'(;|$)/);
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });
  test("pages have their own policy", async () => {
    const { headers } = await new Browser(server.url).get("/choose-role");
    expect(headers.get("content-security-policy")).toContain("default-src 'self'");
  });
});

test("a 401 of the API asks for a bearer token", async () => {
  for (const headers of [{}, { authorization: "Bearer wrong" }] as Record<string, string>[]) {
    const answer = await raw(server.url, { path: "/api/patient/profile/get", headers });
    expect([answer.status, answer.headers["www-authenticate"]]).toEqual([401, "Bearer"]);
  }
});

test("every cookie is Secure where the public address is https", async () => {
  const secure = await startServer({ env: { APP_URL: "https://nadi.example", TRUST_PROXY: "1" } });
  const lines: string[] = [];
  const jar = new Map<string, string>();
  const ask = async (path: string, body?: string, headers: Record<string, string> = {}) => {
    const answer = await raw(secure.url, {
      method: body === undefined ? "GET" : "POST",
      path,
      headers: {
        host: "nadi.example",
        origin: "https://nadi.example",
        cookie: [...jar].map((pair) => pair.join("=")).join("; "),
        ...(body === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    for (const line of answer.headers["set-cookie"] ?? []) {
      lines.push(line);
      const pair = line.split(";")[0] ?? "";
      jar.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
    return answer;
  };
  try {
    await ask("/dual-patient"); // stylesheets
    await ask("/choose-role?lang=te"); // the language of a link
    await ask("/language", "language=hi&from=/");
    await ask("/location/cities", "intent=city&city=Guntur");
    await ask("/dual-patient", "intent=send&phoneNumber=9811260001"); // challenge and toast
    const [sms] =
      (await (
        await fetch(`${secure.url}/dev/outbox.json`, { headers: { host: "nadi.example" } }).catch(() => null)
      )
        ?.json()
        .catch(() => null)) ?? [];
    const code = /\b\d{6}\b/.exec(sms?.body ?? (await ask("/dev/outbox.json")).text)?.[0] ?? "";
    await ask("/dual-patient", `intent=verify&otp=${code}`); // session
    await ask("/patient-dashboard");
    await ask("/patient/emergency-contact", "intent=press");
    await ask("/logout", "");
    const names = new Set(lines.map((line) => line.slice(0, line.indexOf("="))));
    expect(names.size).toBeGreaterThan(5);
    expect([...names].some((name) => name.includes("session"))).toBe(true);
    for (const line of lines) expect(line).toMatch(/; Secure(;|$)/);
  } finally {
    await secure.stop();
  }
});

/** Property names that every object inherits. */
const BORN = ["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf", "__defineGetter__"];
const LOOKUPS: [keyof typeof people | "visitor", string][] = [
  ...["action", "actor", "person", "subject", "subjectId", "from", "before"].map((name): [keyof typeof people, string] => [
    "admin",
    `/admin/audit?${name}=`,
  ]),
  ["admin", "/admin/audit.csv?action="],
  ...["doctors", "hospitals", "users", "changes", "reviews"].flatMap((page) =>
    ["q", "tab", "status", "role", "page", "sort"].map((name): [keyof typeof people, string] => ["admin", `/admin/${page}?${name}=`]),
  ),
  ["reviewer", "/reviewer?tab="],
  ["doctor", "/doctor/stats?range="],
  ["doctor", "/doctor/appointments?tab="],
  ["patient", "/patient/calendar?tab="],
  ...["q", "category", "select", "specialty", "tn", "c", "page", "sort"].map((name): ["visitor", string] => [
    "visitor",
    `/doctorspages/Cards-data?${name}=`,
  ]),
  ...["q", "category", "radius", "page"].map((name): ["visitor", string] => ["visitor", `/hospitalpages/Cards-data?${name}=`]),
  ["visitor", "/location?from="],
  ["visitor", "/location/cities?q="],
  ["visitor", "/choose-role?lang="],
  ["visitor", "/language?from="],
  ["visitor", "/dual-patient?redirectTo="],
  ["visitor", "/details/"],
  ["visitor", "/details/doctor/"],
  ["visitor", "/hospital/"],
  ["visitor", "/sitemaps/"],
  ["visitor", "/invitation/"],
  ["visitor", "/docs/api?group="],
  ["doctor", "/doctor/appointments/00000000-0000-4000-8000-000000000000/"],
  ["admin", "/admin/doctors/00000000-0000-4000-8000-000000000000/reveal/"],
  ["admin", "/admin/"],
  ["visitor", "/api/"],
  ["visitor", "/"],
];
test.each(LOOKUPS)("%s at %s refuses the property names that every object has", async (who, path) => {
  const person = who === "visitor" ? new Browser(server.url) : people[who];
  for (const name of BORN) expect((await person.get(path + name)).status, path + name).toBeLessThan(500);
});

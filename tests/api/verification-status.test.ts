/** The one call about a doctor's application that needs no login (spec 000 §7): three fields, with a limit per address. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { LIMITS } from "#app/domains/platform/limits/limits.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ env: { TRUST_PROXY: "1" } });
});
afterAll(() => server?.stop());

const ask = async (doctorId: string, from: string) => {
  const answer = await fetch(`${server.url}/api/doctor/verification-status/${doctorId}`, { headers: { "x-forwarded-for": from } });
  return { status: answer.status, retryAfter: answer.headers.get("retry-after"), body: (await answer.json()) as unknown };
};

it("returns the status only, to every caller and in every status but a draft", async () => {
  const doctors = await server.sql<{ id: string; status: string }[]>`
    select distinct on (registration_status) id, registration_status as status from doctors order by registration_status`;
  expect(doctors.length).toBeGreaterThan(3);
  for (const { id, status } of doctors)
    if (status === "draft") expect((await ask(id, "203.0.113.1")).status).toBe(404);
    else expect((await ask(id, "203.0.113.1")).body).toEqual({ success: true, registrationStatus: status, doctorId: id });
});

it("limits the calls of one address, and no other", async () => {
  const [doctor] = await server.sql<{ id: string }[]>`select id from doctors limit 1`;
  const statuses: number[] = [];
  for (let i = 0; i <= LIMITS["verification-status"].max; i++) statuses.push((await ask(doctor!.id, "203.0.113.2")).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(LIMITS["verification-status"].max);
  const refused = await ask(doctor!.id, "203.0.113.2");
  expect(refused.status).toBe(429);
  expect(Number(refused.retryAfter)).toBeGreaterThan(0);
  expect((await ask(doctor!.id, "203.0.113.3")).status).toBe(200);
});

it("counts the addresses of one IPv6 network together", async () => {
  const [doctor] = await server.sql<{ id: string }[]>`select id from doctors limit 1`;
  const { max } = LIMITS["verification-status"];
  const statuses: number[] = [];
  for (let i = 0; i <= max; i++) statuses.push((await ask(doctor!.id, `2001:db8:7:1::${(i + 1).toString(16)}`)).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(max);
  expect(statuses.at(-1)).toBe(429);
  expect((await ask(doctor!.id, "2001:db8:8:1::1")).status).toBe(200);
});

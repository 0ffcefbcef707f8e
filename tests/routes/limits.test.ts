/** The limits of design/trust.md over HTTP: counted in the database, told as 429 with a page, outliving the process. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dropDatabase } from "../../scripts/databases.ts";
import { readable } from "../factories/booking.ts";
import { askCode, Caller, newAddress, tryCode } from "../factories/logins.ts";
import { newPhone, typed } from "../factories/people.ts";
import { cloneTemplate } from "../setup/database.ts";
import type { Answer } from "../setup/http.ts";
import { startServer, type TestServer } from "../setup/server.ts";

const database = await cloneTemplate("reference");
const start = () => startServer({ database, env: { TRUST_PROXY: "1" } });
let server: TestServer;
let offset = 0;
beforeAll(async () => {
  server = await start();
});
afterAll(async () => {
  await server?.stop();
  await dropDatabase(database);
});
const pass = (ms: number) => {
  offset += ms;
  server.clock.set(offset);
};

const send = (phone: string, address = newAddress()) =>
  new Caller(server.url, address).post("/dual-patient", { intent: "send", phoneNumber: typed(phone) });
/** 429 with the seconds to wait, told on the page with the number kept. */
function expectWait(answer: Answer, atMost: number, phone?: string) {
  expect(answer.status).toBe(429);
  const wait = Number(answer.headers.get("retry-after"));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(atMost);
  expect(readable(answer.text)).toContain(`Too many tries. Please wait ${wait} seconds and try again.`);
  if (phone) expect(answer.text).toContain(`value="${typed(phone)}"`);
  return wait;
}
const codesTo = async (phone: string) => (await server.outbox(phone)).length;

describe("sending, per phone", () => {
  it("one in 30 seconds, also for many presses at once from many addresses", async () => {
    const phone = newPhone();
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(phone)));
    expect(answers.filter((a) => a.status === 303)).toHaveLength(1);
    // A request that began before the one that won counts from its own beginning: a second more.
    expectWait(answers.find((a) => a.status === 429)!, 31, phone);
    expect(answers.filter((a) => a.status === 429)).toHaveLength(19);
    expect(await codesTo(phone)).toBe(1);
    // Ten seconds of room: the requests themselves take real time, on a busy machine too.
    pass(20_000);
    expectWait(await send(phone), 10);
    pass(11_000);
    expect((await send(phone)).status).toBe(303);
  });

  it("five in 15 minutes, ten in a day, whatever door and address", async () => {
    const phone = newPhone();
    const burst = async () => {
      for (let i = 0; i < 5; i++) {
        expect((await send(phone)).status).toBe(303);
        pass(31_000);
      }
    };
    await burst();
    expectWait(await send(phone), 15 * 60);
    // The doctors' door counts into the same limit.
    const doctors = await new Caller(server.url, newAddress()).post("/dual-doctor", {
      intent: "send-otp",
      mode: "register",
      email: "late@proof.test",
      password: "secret-enough",
      mobile: typed(phone),
    });
    expectWait(doctors, 15 * 60);
    pass(15 * 60_000);
    await burst();
    pass(16 * 60_000);
    const wait = expectWait(await send(phone), 86_400);
    expect(wait).toBeGreaterThan(80_000);
    expect(await codesTo(phone)).toBe(10);
    pass(86_400_000);
    expect((await send(phone)).status).toBe(303);
  });

  it("a limit of sending does not stop a code that was sent", async () => {
    const phone = newPhone();
    const browser = new Caller(server.url, newAddress());
    const code = await askCode(server, browser, phone);
    expectWait(await browser.post("/dual-patient", { intent: "resend" }), 30);
    expect((await tryCode(browser, code)).status).toBe(303);
  });
});

describe("per address", () => {
  it("20 sends an hour", async () => {
    const address = "198.51.100.20";
    for (let i = 0; i < 20; i++) expect((await send(newPhone(), address)).status).toBe(303);
    expectWait(await send(newPhone(), address), 3600);
    expect((await send(newPhone(), "198.51.100.21")).status).toBe(303);
    // The first entry of X-Forwarded-For is the client's own word.
    expect((await send(newPhone(), "1.2.3.4, 198.51.100.20")).status).toBe(429);
    pass(3_600_000);
    expect((await send(newPhone(), address)).status).toBe(303);
  });

  it("100 checks an hour, over all challenges", async () => {
    const address = "198.51.100.30";
    for (let round = 0; round < 10; round++) {
      const browser = new Caller(server.url, address);
      await askCode(server, browser, newPhone());
      const answers = await Promise.all(Array.from({ length: 10 }, () => tryCode(browser, "000000")));
      // One in a million is right; it is a check all the same.
      expect(answers.every((a) => a.status === 400 || a.status === 303)).toBe(true);
    }
    const browser = new Caller(server.url, address);
    const phone = newPhone();
    const code = await askCode(server, browser, phone);
    const refused = await tryCode(browser, code);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(3600);
    // Elsewhere, the same challenge goes on.
    const elsewhere = new Caller(server.url, newAddress());
    elsewhere.cookies.set("nadi_otp_patient", browser.cookies.get("nadi_otp_patient")!);
    expect((await tryCode(elsewhere, code)).status).toBe(303);
  });
});

it("limits and attempts outlive the process", async () => {
  const phone = newPhone();
  const address = "198.51.100.40";
  for (let i = 0; i < 19; i++) expect((await send(newPhone(), address)).status).toBe(303);
  const browser = new Caller(server.url, address);
  await askCode(server, browser, phone);
  await server.stop();
  server = await start();
  pass(0);
  expectWait(await send(phone), 30, phone);
  expectWait(await send(newPhone(), address), 3600);
  expect((await send(newPhone())).status).toBe(303);
});

it("what is kept of a phone and an address is a hash", async () => {
  const phone = newPhone();
  await send(phone, "198.51.100.50");
  const keys = JSON.stringify(await server.sql`select key from rate_limits`);
  for (const secret of [phone, typed(phone), "198.51.100.50"]) expect(keys).not.toContain(secret);
});

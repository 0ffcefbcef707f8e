/** The rate limits over HTTP: counted in the database, returned as 429 with a page, surviving a restart. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashToken } from "#app/lib/ids.server.ts";
import { dropDatabase } from "../../scripts/databases.ts";
import { readable } from "../factories/booking.ts";
import { askCode, Caller, newAddress, persist, tryCode } from "../factories/logins.ts";
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
/** Expects 429 with the seconds to wait, shown on the page, with the number preserved. */
function expectWait(answer: Answer, atMost: number, phone?: string) {
  expect(answer.status).toBe(429);
  const wait = Number(answer.headers.get("retry-after"));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(atMost);
  expect(readable(answer.text)).toContain(`Too many attempts. Please wait ${wait} seconds and try again.`);
  if (phone) expect(answer.text).toContain(`value="${typed(phone)}"`);
  return wait;
}
const codesTo = async (phone: string) => (await server.outbox(phone)).length;

describe("sending, per phone", () => {
  it("allows one in 30 seconds, also for concurrent requests from many addresses", async () => {
    const phone = newPhone();
    const answers = await Promise.all(Array.from({ length: 20 }, () => persist(() => send(phone))));
    expect(answers.filter((a) => a.status === 303)).toHaveLength(1);
    // A request that began before the accepted one counts from its own start: one second more.
    expectWait(answers.find((a) => a.status === 429)!, 31, phone);
    expect(answers.filter((a) => a.status === 429)).toHaveLength(19);
    expect(await codesTo(phone)).toBe(1);
    // Ten seconds of tolerance: the requests take real time, also on a busy machine.
    pass(20_000);
    expectWait(await send(phone), 10);
    pass(11_000);
    expect((await send(phone)).status).toBe(303);
  });

  it("allows five in 15 minutes and ten in a day for one address, on every login page", async () => {
    const phone = newPhone();
    const address = "198.51.100.60";
    const burst = async () => {
      for (let i = 0; i < 5; i++) {
        expect((await send(phone, address)).status).toBe(303);
        pass(31_000);
      }
    };
    await burst();
    expectWait(await send(phone, address), 15 * 60);
    // The doctors' login counts in the same limit.
    const doctors = await new Caller(server.url, address).post("/dual-doctor", {
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
    const wait = expectWait(await send(phone, address), 86_400);
    expect(wait).toBeGreaterThan(80_000);
    expect(await codesTo(phone)).toBe(10);
    // The owner on a new device elsewhere is not locked out by that one address.
    expect((await send(phone, "198.51.100.61")).status).toBe(303);
    pass(86_400_000);
    expect((await send(phone, address)).status).toBe(303);
  });

  it("allows eight in 15 minutes and thirty in a day for all unknown devices together", async () => {
    const phone = newPhone();
    let sent = 0;
    for (let i = 0; i < 8; i++) {
      expect((await send(phone, `2001:db8:${i}::1`)).status).toBe(303);
      sent++;
      pass(31_000);
    }
    expectWait(await send(phone, "2001:db8:99::1"), 15 * 60);
    for (let round = 0; round < 6; round++) {
      pass(16 * 60_000);
      for (let i = 0; i < 8; i++) {
        if ((await send(phone, `2001:db8:${round}${i}::1`)).status === 303) sent++;
        pass(31_000);
      }
    }
    expect(sent).toBe(30);
    expect(await codesTo(phone)).toBe(30);
  });

  it("does not lock out the owner: a known device has codes of its own", async () => {
    const phone = newPhone();
    const owner = new Caller(server.url, newAddress());
    expect((await tryCode(owner, await askCode(server, owner, phone))).status).toBe(303);
    const line = owner.cookies.get("nadi_device")!;
    expect(line).not.toContain(phone.slice(3));
    await owner.post("/logout");
    expect(owner.cookies.get("nadi_device")).toBe(line);
    const refused: number[] = [];
    for (let i = 0; i < 40; i++) {
      pass(20 * 60_000);
      refused.push((await send(phone, `198.51.100.${70 + (i % 8)}`)).status);
    }
    expect(refused).toContain(429);
    const stranger = await send(phone, "198.51.100.90");
    expectWait(stranger, 86_400, phone);
    const code = await askCode(server, owner, phone);
    // A code sent to another browser does not end it.
    await send(phone, "198.51.100.91");
    expect((await tryCode(owner, code)).status).toBe(303);
    // At the staff login the same phone is another account, so the token does not count there.
    const doctors = await owner.post("/dual-doctor", {
      intent: "send-otp",
      mode: "register",
      email: "mark@proof.test",
      password: "secret-enough",
      mobile: typed(phone),
    });
    expect(doctors.status).toBe(429);
  });

  it("preserves the code of one browser while another requests one", async () => {
    const phone = newPhone();
    const [first, second] = [new Caller(server.url, newAddress()), new Caller(server.url, newAddress())];
    const code = await askCode(server, first, phone);
    pass(31_000);
    const other = await askCode(server, second, phone);
    expect((await tryCode(first, code)).status).toBe(303);
    expect((await tryCode(second, other)).status).toBe(303);
  });

  it("a limit of sending does not refuse a code that was sent", async () => {
    const phone = newPhone();
    const browser = new Caller(server.url, newAddress());
    const code = await askCode(server, browser, phone);
    expectWait(await browser.post("/dual-patient", { intent: "resend" }), 30);
    expect((await tryCode(browser, code)).status).toBe(303);
  });
});

describe("per address", () => {
  it("delays unknown devices after 20 sends an hour by 5 to 60 seconds, and then accepts them", async () => {
    const address = "198.51.100.20";
    for (let i = 0; i < 20; i++) expect((await send(newPhone(), address)).status).toBe(303);
    // The client writes the first entry of X-Forwarded-For.
    expect((await send(newPhone(), "1.2.3.4, 198.51.100.20")).status).toBe(429);
    expect((await send(newPhone(), "198.51.100.21")).status).toBe(303);
    const browser = new Caller(server.url, address);
    const phone = newPhone();
    const ask = () => browser.post("/dual-patient", { intent: "send", phoneNumber: typed(phone) });
    expect(expectWait(await ask(), 5, phone)).toBe(5);
    const ticket = browser.cookies.get("nadi_wait")!;
    expect(ticket).not.toContain(typed(phone));
    // Too early. The ticket is for this phone and this address only.
    expectWait(await ask(), 5, phone);
    expect(browser.cookies.get("nadi_wait")).toBe(ticket);
    pass(6_000);
    const elsewhere = new Caller(server.url, address);
    elsewhere.cookies.set("nadi_wait", ticket);
    expect((await elsewhere.post("/dual-patient", { intent: "send", phoneNumber: typed(newPhone()) })).status).toBe(429);
    expect((await ask()).status).toBe(303);
    expect(browser.cookies.has("nadi_wait")).toBe(false);
    expect(await codesTo(phone)).toBe(1);
    // Once: a copy of the ticket does not count.
    pass(31_000);
    const copy = new Caller(server.url, address);
    copy.cookies.set("nadi_wait", ticket);
    expect((await copy.post("/dual-patient", { intent: "send", phoneNumber: typed(phone) })).status).toBe(429);
    // The next one waits longer.
    const next = new Caller(server.url, address);
    expectWait(await next.post("/dual-patient", { intent: "send", phoneNumber: typed(newPhone()) }), 60);
    pass(3_600_000);
    expect((await send(newPhone(), address)).status).toBe(303);
  });

  it("stays bounded for an address that waits as required", async () => {
    const address = "198.51.100.22";
    for (let i = 0; i < 20; i++) await send(newPhone(), address);
    const key = `otp-send-waited:${hashToken(address)}`;
    await server.sql`insert into rate_limits (key, at) select ${key}, ${new Date(Date.now() + offset)} from generate_series(1, 200)`;
    const browser = new Caller(server.url, address);
    const ask = () => browser.post("/dual-patient", { intent: "send", phoneNumber: "9812345670" });
    expect(expectWait(await ask(), 60)).toBe(60);
    pass(61_000);
    expect(expectWait(await ask(), 60)).toBe(60);
    expect(await codesTo("+919812345670")).toBe(0);
  });

  it("does not count a known device in the limit of its address", async () => {
    const address = "198.51.100.23";
    const phone = newPhone();
    const owner = new Caller(server.url, address);
    await tryCode(owner, await askCode(server, owner, phone));
    for (let i = 0; i < 20; i++) await send(newPhone(), address);
    expect((await send(newPhone(), address)).status).toBe(429);
    expect((await owner.post("/dual-patient", { intent: "send", phoneNumber: typed(phone) })).status).toBe(303);
  });

  it("counts all addresses of an IPv6 /64 as one", async () => {
    for (let i = 0; i < 20; i++) expect((await send(newPhone(), `2001:db8:64:1::${i}`)).status).toBe(303);
    expectWait(await send(newPhone(), "2001:db8:64:1:aaaa::1"), 60);
    expect((await send(newPhone(), "2001:db8:64:2::1")).status).toBe(303);
  });

  it("100 checks an hour, over all challenges", async () => {
    const address = "198.51.100.30";
    for (let round = 0; round < 10; round++) {
      const browser = new Caller(server.url, address);
      await askCode(server, browser, newPhone());
      const answers = await Promise.all(Array.from({ length: 10 }, () => tryCode(browser, "000000")));
      // One in a million is right, and it is checked too.
      expect(answers.every((a) => a.status === 400 || a.status === 303)).toBe(true);
    }
    const browser = new Caller(server.url, address);
    const phone = newPhone();
    const code = await askCode(server, browser, phone);
    const refused = await tryCode(browser, code);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(3600);
    // Elsewhere, the same challenge continues.
    const elsewhere = new Caller(server.url, newAddress());
    elsewhere.cookies.set("nadi_otp_patient", browser.cookies.get("nadi_otp_patient")!);
    expect((await tryCode(elsewhere, code)).status).toBe(303);
  });
});

it("limits and attempts survive a restart", async () => {
  const phone = newPhone();
  const address = "198.51.100.40";
  for (let i = 0; i < 19; i++) expect((await send(newPhone(), address)).status).toBe(303);
  const browser = new Caller(server.url, address);
  await askCode(server, browser, phone);
  await server.stop();
  server = await start();
  pass(0);
  expectWait(await send(phone), 30, phone);
  expectWait(await send(newPhone(), address), 60);
  expect((await send(newPhone())).status).toBe(303);
});

describe("the sends of a minute in total", () => {
  it("refuse unknown devices, with an alarm in the metrics and the log, and not a known device", async () => {
    const own = await startServer({ seed: false, env: { TRUST_PROXY: "1", SMS_CODES_PER_MINUTE: "4" } });
    try {
      const figures = async () => (await fetch(`${own.url}/metrics`)).text();
      const phone = newPhone();
      const owner = new Caller(own.url, newAddress());
      expect((await tryCode(owner, await askCode(own, owner, phone))).status).toBe(303);
      expect(await figures()).toMatch(/^code_breaker_open 0$/m);
      const from = (address: string) =>
        new Caller(own.url, address).post("/dual-patient", { intent: "send", phoneNumber: typed(newPhone()) });
      const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => persist(() => from(`192.0.2.${i}`))));
      expect(answers.filter((a) => a.status === 303)).toHaveLength(3);
      for (const refused of answers.filter((a) => a.status === 429)) expectWait(refused, 60);
      expect(await figures()).toMatch(/^code_breaker_open 1$/m);
      expect(await figures()).toMatch(/^code_breaker_trips_total 5$/m);
      // The log comes through a pipe, so a line may arrive after the response.
      const alarms = () => own.logs().filter((line) => line.level === "error" && line.alarm === "code-breaker").length;
      await expect.poll(alarms).toBe(1);
      // An unknown device that waits as required gets a code, however many others request one.
      const patient = new Caller(own.url, "192.0.2.99");
      const ask = () => patient.post("/dual-patient", { intent: "send", phoneNumber: "9812345671" });
      expectWait(await ask(), 60);
      own.clock.advance(61_000);
      await Promise.all(Array.from({ length: 8 }, (_, i) => persist(() => from(`192.0.2.${i + 20}`))));
      expect((await ask()).status).toBe(303);
      own.clock.advance(31_000);
      expect((await owner.post("/dual-patient", { intent: "send", phoneNumber: typed(phone) })).status).toBe(303);
      own.clock.advance(61_000);
      expect((await from("192.0.2.77")).status).toBe(303);
    } finally {
      await own.stop();
    }
  });
});

it("stores phones and addresses as hashes", async () => {
  const phone = newPhone();
  await send(phone, "198.51.100.50");
  const keys = JSON.stringify(await server.sql`select key from rate_limits`);
  for (const secret of [phone, typed(phone), "198.51.100.50"]) expect(keys).not.toContain(secret);
});

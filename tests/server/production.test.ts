import { afterAll, beforeAll, expect, test } from "vitest";
import { makePlace } from "../factories/members.ts";
import { loginAs } from "../setup/people.ts";
import { freePort, startServer, type TestServer } from "../setup/server.ts";

/** What must and must not exist outside demo mode. */
let server: TestServer;
async function startProduction(more: Record<string, string> = {}): Promise<TestServer> {
  const port = await freePort();
  return startServer({
    own: true,
    seed: false,
    env: {
      DEMO: "0",
      PORT: String(port),
      CLOCK_FILE: undefined,
      APP_URL: `http://localhost:${port}`,
      SESSION_SECRET: "a-secret-of-a-test-server-of-32-letters",
      SMS_PROVIDER: "msg91",
      MSG91_AUTH_KEY: "test-key",
      MSG91_BASE_URL: "http://127.0.0.1:9",
      SMTP_URL: "smtp://127.0.0.1:9",
      UPI_VPA: "nadi@upi",
      ...more,
    },
  });
}
beforeAll(async () => {
  server = await startProduction();
});
afterAll(() => server?.stop());

test.each(["/dev/outbox", "/dev/outbox.json", "/dev/outbox?to=9000000001", "/dev/ui", "/dev/phone"])(
  "outside demo mode %s is not found",
  async (path) => {
    const answer = await fetch(server.url + path);
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toContain("OTP");
  },
);

test("outside demo mode the first page works, without demo payee and demo accounts", async () => {
  const answer = await fetch(`${server.url}/choose-role`);
  expect(answer.status).toBe(200);
  expect(await answer.text()).not.toMatch(/9000000001|demo\.test/);
  expect(server.output()).not.toMatch(/9000000001|demo1234/);
});

test("outside demo mode without a channel for messages nothing of conversations is there", async () => {
  for (const provider of ["twilio", "msg91", "kannel", "whatsapp", "call"])
    for (const method of ["GET", "POST"])
      expect((await fetch(`${server.url}/webhooks/message/${provider}`, { method })).status, `${method} ${provider}`).toBe(404);
  const place = await makePlace(server.db);
  const [owner] = await server.sql<{ email: string }[]>`select email from users where id = ${place.owner.userId}`;
  const browser = await loginAs(server, { role: "staff", email: owner!.email });
  const desk = await browser.get("/desk");
  expect(desk.status).toBe(200);
  expect(desk.text).toContain('href="/desk/queue"');
  expect(desk.text).not.toContain("/desk/messages");
  for (const path of ["/desk/messages", "/desk/messages/keywords"]) {
    expect((await browser.get(path)).status).toBe(404);
    expect((await browser.post(path, { intent: "hand-back" })).status).toBe(404);
  }
});

test("behind a proxy a stopping process reports it first, and serves further requests", async () => {
  const behind = await startProduction({ TRUST_PROXY: "1" });
  behind.child.kill("SIGTERM");
  await expect.poll(async () => (await fetch(`${behind.url}/readyz`)).status).toBe(503);
  const late = await fetch(`${behind.url}/dual-patient`, {
    method: "POST",
    headers: { origin: behind.url, "content-type": "application/x-www-form-urlencoded" },
    body: "intent=send&phoneNumber=12",
  });
  expect(late.status).toBe(400);
  expect(await behind.stop()).toEqual({ code: 0, signal: null });
});

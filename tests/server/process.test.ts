import { spawn, spawnSync } from "node:child_process";
import { createServer } from "node:http";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { dropDatabase } from "../../scripts/databases.ts";
import { proxyDatabase } from "../mocks/database-proxy.ts";
import { cloneTemplate, urlOf } from "../setup/database.ts";
import { raw } from "../setup/http.ts";
import { DEMO, loginAs } from "../setup/people.ts";
import { freePort, startServer } from "../setup/server.ts";

const pause = (ms: number) => new Promise((ok) => setTimeout(ok, ms));

/** Sends a post whose second half is sent later. */
function halfPost(port: number) {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk;
  });
  const ended = new Promise<string>((ok) => socket.on("close", () => ok(text)));
  socket.write(
    `POST /dual-patient HTTP/1.1\r\nHost: localhost:${port}\r\nOrigin: http://localhost:${port}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 7\r\n\r\npho`,
  );
  return { rest: () => socket.write("ne=1"), ended };
}

test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
  "%s lets an open request finish, and a second signal does not interrupt it",
  async (signal) => {
    const server = await startServer({ own: true, seed: false });
    const open = halfPost(server.port);
    const idle = connect(server.port, "127.0.0.1");
    await pause(200);
    server.child.kill(signal);
    await pause(150);
    server.child.kill(signal);
    await pause(150);
    expect(server.child.exitCode).toBeNull();
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
    open.rest();
    expect(await open.ended).toMatch(/^HTTP\/1\.1 400 /); // an invalid phone: the page's own response
    expect(await server.stop(signal)).toEqual({ code: 0, signal: null });
    idle.destroy();
  },
);

test("stops within five seconds while 200 posts never end, and answers every other request", async () => {
  const server = await startServer({ own: true });
  const patient = await loginAs(server, DEMO.patient);
  const stalled = Array.from({ length: 200 }, () => halfPost(server.port));
  const honest = Array.from({ length: 20 }, () => halfPost(server.port));
  const pages = Array.from({ length: 20 }, () => patient.get("/patient-dashboard"));
  // Connections are accepted in their order: when this is answered, the server has all requests.
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  const began = performance.now();
  server.child.kill("SIGTERM");
  await expect.poll(() => server.output()).toContain("draining");
  for (const one of honest) one.rest();
  for (const one of honest) expect(await one.ended).toMatch(/^HTTP\/1\.1 400 /);
  for (const page of await Promise.all(pages)) expect(page.status).toBe(200);
  for (const one of stalled) expect(await one.ended).toMatch(/^HTTP\/1\.1 503 /);
  expect(await server.stop()).toEqual({ code: 0, signal: null });
  // A figure of issue 42.
  expect(performance.now() - began).toBeLessThan(5_000);
});

test("a new connection may still send its request", async () => {
  const server = await startServer({ own: true, seed: false });
  const socket = connect(server.port, "127.0.0.1");
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk;
  });
  const ended = new Promise<string>((ok) => socket.on("close", () => ok(text)));
  await new Promise<void>((ok) => socket.on("connect", ok));
  // The server has accepted it when it answers a later connection.
  expect((await fetch(`${server.url}/healthz`, { headers: { connection: "close" } })).status).toBe(200);
  server.child.kill("SIGTERM");
  await expect.poll(() => server.output()).toContain("draining");
  socket.write(`GET /healthz HTTP/1.1\r\nHost: localhost:${server.port}\r\n\r\n`);
  expect(await ended).toMatch(/^HTTP\/1\.1 200 /);
  expect(await server.stop()).toEqual({ code: 0, signal: null });
});

test("CLOCK_FILE sets the clock from the next request on", async () => {
  const server = await startServer({ own: true });
  try {
    const patient = await loginAs(server, DEMO.patient);
    expect((await patient.get("/patient/calendar")).status).toBe(200);
    server.clock.set(401 * 86_400_000); // after the end of the session
    expect((await patient.get("/patient/calendar")).status).toBe(303);
    server.clock.set(0);
    expect((await patient.get("/patient/calendar")).status).toBe(200);
  } finally {
    await server.stop();
  }
});

test("prints the ready line and the demo accounts on stdout, in demo mode only", async () => {
  const server = await startServer({ own: true, seed: false });
  expect(server.output().split("\n")).toContain(`ready at ${server.url}`);
  expect(server.output()).toContain("doctor@demo.test");
  await server.stop();
});

test("reports a missing database, and is ready when it starts", async () => {
  const database = await cloneTemplate("reference");
  const proxy = await proxyDatabase(database);
  await proxy.disconnect();
  let output = "";
  const port = await freePort();
  const child = spawn(process.execPath, ["server.ts"], {
    env: { ...process.env, NODE_ENV: "production", DATABASE_URL: urlOf(proxy.address), DEMO: "1", PORT: String(port) },
  });
  try {
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    await expect
      .poll(() => output, { timeout: 30_000 })
      .toContain(`listening at http://localhost:${port}, but the database does not answer`);
    expect((await fetch(`http://localhost:${port}/readyz`)).status).toBe(503);
    expect(output).not.toContain("ready at");
    await proxy.giveBack();
    await expect.poll(() => output, { timeout: 30_000 }).toContain(`ready at http://localhost:${port}`);
    expect((await fetch(`http://localhost:${port}/readyz`)).status).toBe(200);
  } finally {
    const ended = new Promise((ok) => child.once("exit", ok));
    child.kill();
    expect(await ended).toBe(0);
    await proxy.stop();
    await dropDatabase(database);
  }
});

test("reports a port in use in one line", async () => {
  const port = await freePort();
  const other = createServer().listen(port, "127.0.0.1");
  try {
    await expect(startServer({ own: true, seed: false, env: { PORT: String(port) } })).rejects.toThrow(
      new RegExp(`Port ${port} is already in use`),
    );
  } finally {
    other.close();
  }
});

test("reports every problem of the environment at once", () => {
  const { PATH = "", HOME = "" } = process.env;
  const run = spawnSync(process.execPath, ["server.ts"], {
    env: { PATH, HOME, NODE_ENV: "production", DEMO: "0", DATABASE_URL: "postgres://localhost/x", PORT: "x" },
    encoding: "utf8",
  });
  expect(run.status).toBe(1);
  expect(run.stderr).toContain("PORT:");
  const more = spawnSync(process.execPath, ["server.ts"], {
    env: { PATH, HOME, NODE_ENV: "production", DEMO: "0", DATABASE_URL: "postgres://localhost/x" },
    encoding: "utf8",
  });
  for (const name of ["APP_URL", "SESSION_SECRET", "ENCRYPTION_KEY", "SMS_PROVIDER", "SMTP_URL"]) expect(more.stderr).toContain(`${name}:`);
  expect(more.stderr).not.toContain("    at ");
});

test("a page that waits for a locked table answers 503 in time, and the next one works", async () => {
  const server = await startServer({ own: true });
  try {
    const patient = await loginAs(server, DEMO.patient);
    let letGo: () => void = () => undefined;
    const blocked = server.sql.begin(async (tx) => {
      await tx`lock table sessions in access exclusive mode`;
      await new Promise<void>((ok) => {
        letGo = ok;
      });
    });
    await pause(100);
    const began = performance.now();
    const answer = await patient.get("/patient-dashboard");
    expect(answer.status).toBe(503);
    expect(performance.now() - began).toBeLessThan(11_000);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(answer.text).toContain("Nadi is not available right now.");
    letGo();
    await blocked;
    expect((await patient.get("/patient-dashboard")).status).toBe(200);
  } finally {
    await server.stop();
  }
});

test("TRUST_PROXY decides which header gives the address", async () => {
  const from = async (trust: string, forwarded: string) => {
    const server = await startServer({ own: true, seed: false, env: { TRUST_PROXY: trust } });
    try {
      await raw(server.url, {
        method: "POST",
        path: "/dual-patient",
        headers: { origin: server.url, "content-type": "application/x-www-form-urlencoded", "x-forwarded-for": forwarded },
        body: "intent=send&phoneNumber=9876501234",
      });
      const [row] = await server.sql<{ ip: string }[]>`select ip from otp_challenges order by created_at desc limit 1`;
      return row?.ip;
    } finally {
      await server.stop();
    }
  };
  expect(await from("0", "6.6.6.6")).toBe("127.0.0.1");
  expect(await from("1", "6.6.6.6, 203.0.113.5")).toBe("203.0.113.5");
});

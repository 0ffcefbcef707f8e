/** The database is down for a while: the server does not listen, and open pages are asked to reload once it does. */
import { io, type Socket } from "socket.io-client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { dropDatabase } from "../../scripts/databases.ts";
import { newPhone } from "../factories/people.ts";
import { type DatabaseProxy, proxyDatabase } from "../mocks/database-proxy.ts";
import { cloneTemplate } from "../setup/database.ts";
import { type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

const database = await cloneTemplate("reference");
let proxy: DatabaseProxy;
let server: TestServer;
let patient: LoggedIn;
let socket: Socket;
beforeAll(async () => {
  proxy = await proxyDatabase(database);
  server = await startServer({ database: proxy.address });
  patient = await loginAs(server, { role: "patient", phone: newPhone() });
});
afterAll(async () => {
  socket?.disconnect();
  await proxy.giveBack();
  await server?.stop();
  await proxy.stop();
  await dropDatabase(database);
});

it("after an outage open pages reload once, and live updates continue", async () => {
  socket = io(server.url, {
    path: "/socket.io",
    transports: ["websocket"],
    extraHeaders: { cookie: `nadi_session=${patient.token}`, origin: server.url },
  });
  const received: string[] = [];
  socket.on("receiveNotification", ({ _id }: { _id: string }) => received.push(_id));
  let missed = 0;
  const again = new Promise<void>((ok) =>
    socket.on("missed", () => {
      missed++;
      ok();
    }),
  );
  await new Promise<void>((ok) => socket.on("connect", ok));
  await proxy.disconnect();
  await proxy.giveBack();
  await again;
  const send = (id: string) =>
    server.sql`select pg_notify('nadi_events', ${JSON.stringify({ userId: patient.userId, event: "receiveNotification", data: { _id: id } })})`;
  for (let n = 0; received.length === 0 && n < 100; n++) {
    await send(`n${n}`).catch(() => undefined);
    await new Promise((ok) => setTimeout(ok, 100));
  }
  expect(new Set(received).size).toBe(received.length);
  expect(received.length).toBeGreaterThan(0);
  expect(missed).toBe(1);
  expect(socket.connected).toBe(true);
}, 60_000);

import { connect } from "node:net";
import { io, type Socket } from "socket.io-client";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { hashToken } from "#app/lib/ids.server.ts";
import { connectLive } from "#app/realtime/connect-live.ts";
import { raw } from "../setup/http.ts";
import { DEMO, type LoggedIn, loginAs } from "../setup/people.ts";
import { startServer, type TestServer } from "../setup/server.ts";

let server: TestServer;
let patient: LoggedIn;
let doctor: LoggedIn;
const open: Socket[] = [];

beforeAll(async () => {
  server = await startServer();
  patient = await loginAs(server, DEMO.patient);
  doctor = await loginAs(server, DEMO.doctor);
});
afterAll(() => server?.stop());
afterEach(() => {
  for (const socket of open.splice(0)) socket.disconnect();
});

type Options = { token?: string; bearer?: unknown; origin?: string | null; transports?: string[]; extra?: Record<string, string> };
/** `origin`: ours, as a browser sends it. Null: none. */
function dial({ token, bearer, origin = server.url, transports = ["websocket"], extra = {} }: Options): Promise<Socket> {
  const socket = io(server.url, {
    path: "/socket.io",
    transports,
    reconnection: false,
    forceNew: true,
    auth: bearer === undefined ? {} : { token: bearer },
    extraHeaders: { ...(token ? { cookie: `nadi_session=${token}` } : {}), ...(origin ? { origin } : {}), ...extra },
  });
  open.push(socket);
  return new Promise((ok, no) => {
    socket.on("connect", () => ok(socket));
    socket.on("connect_error", no);
  });
}
const ended = (socket: Socket) => new Promise<string>((ok) => socket.on("disconnect", ok));
const pause = (ms: number) => new Promise((ok) => setTimeout(ok, ms));
const notify = (userId: string, id: string) =>
  server.sql`select pg_notify('nadi_events', ${JSON.stringify({ userId, event: "receiveNotification", data: { _id: id } })})`;
function notificationsOf(socket: Socket): string[] {
  const ids: string[] = [];
  socket.on("receiveNotification", (n: { _id: string }) => ids.push(n._id));
  return ids;
}

test("sends committed notifications to the user's sockets only", async () => {
  const [mine, theirs] = [await dial({ token: patient.token, origin: server.url }), await dial({ token: doctor.token })];
  const [got, other] = [notificationsOf(mine), notificationsOf(theirs)];
  await notify(patient.userId, "n1");
  await server.sql
    .begin(async (tx) => {
      await tx`select pg_notify('nadi_events', ${JSON.stringify({ userId: patient.userId, event: "receiveNotification", data: { _id: "rolled back" } })})`;
      throw new Error("undo");
    })
    .catch(() => undefined);
  await pause(300);
  expect(got).toEqual(["n1"]);
  expect(other).toEqual([]);
});

test("sends a read or deletion to the user's other pages", async () => {
  const reader = await loginAs(server, { role: "patient", phone: "+919811200001" });
  const [open, other] = [await dial({ token: reader.token }), await dial({ token: doctor.token })];
  const received: unknown[] = [];
  for (const event of ["notificationRead", "notificationDeleted"]) {
    open.on(event, (data: unknown) => received.push([event, data]));
    other.on(event, (data: unknown) => received.push(["to another user", data]));
  }
  const rows = await server.sql<{ id: string }[]>`
    insert into notifications (user_id, kind, type, params) select ${reader.userId}, 'appointment-accepted', 'success', '{}' from generate_series(1, 2) returning id`;
  const [one, two] = rows.map(({ id }) => id);
  await reader.post("/patient/notifications", { intent: "open", id: one! });
  await reader.post("/patient/notifications", { intent: "delete", id: two! });
  await reader.post("/patient/notifications", { intent: "read-all" });
  await vi.waitFor(() => expect(received).toHaveLength(3), { timeout: 15_000 });
  expect(received).toEqual([
    ["notificationRead", { _id: one }],
    ["notificationDeleted", { _id: two }],
    ["notificationRead", { _id: null }],
  ]);
});

test("supports polling", async () => {
  const socket = await dial({ token: patient.token, transports: ["polling"] });
  const got = notificationsOf(socket);
  await notify(patient.userId, "n2");
  await pause(400);
  expect(got).toEqual(["n2"]);
});

test("refuses a page of another origin with the user's cookie", async () => {
  await expect(dial({ token: patient.token, origin: "https://evil.example" })).rejects.toThrow();
  await expect(dial({ token: patient.token, origin: "https://evil.example", transports: ["polling"] })).rejects.toThrow();
  await expect(dial({ token: patient.token, origin: "null" })).rejects.toThrow();
  await expect(dial({ token: patient.token, extra: { "sec-fetch-site": "cross-site" } })).rejects.toThrow();
  const answer = await raw(server.url, {
    path: "/socket.io/?EIO=4&transport=polling",
    headers: { host: "evil.example", cookie: `nadi_session=${patient.token}` },
  });
  expect(answer.status).toBe(403);
});

test("refuses a websocket with a cookie and no Origin", async () => {
  await expect(dial({ token: patient.token, origin: null })).rejects.toThrow();
  await dial({ bearer: patient.token, origin: null }); // a phone app
  await dial({ token: patient.token, origin: null, transports: ["polling"] }); // a browser's own poll
});

test("closes a socket that sends 6,000 events, and lets its user wait", async () => {
  const loud = await loginAs(server, { role: "patient", phone: "+919811200077" });
  const socket = await dial({ token: loud.token });
  const over = ended(socket);
  for (let i = 0; i < 6000; i++) socket.emit("join", loud.userId);
  await over;
  await expect(dial({ token: loud.token })).rejects.toThrow("too many events");
  // Another user of the same address, and 60 events at once.
  const quiet = await dial({ token: patient.token });
  const answers = await Promise.all(Array.from({ length: 60 }, () => quiet.emitWithAck("join", patient.userId)));
  expect(answers.every(({ success }) => success)).toBe(true);
});

test("closes a polling connection that sends thousands of packets", async () => {
  const loud = await loginAs(server, { role: "patient", phone: "+919811200078" });
  const socket = await dial({ token: loud.token, transports: ["polling"] });
  const over = ended(socket);
  for (let i = 0; i < 3000; i++) socket.emit("join", "x");
  await over;
});

test("refuses a visitor, an invalid token, and an invalid bearer token beside a valid cookie", async () => {
  await expect(dial({})).rejects.toThrow("unauthenticated");
  await expect(dial({ token: "wrong" })).rejects.toThrow("unauthenticated");
  await expect(dial({ token: patient.token, bearer: "wrong" })).rejects.toThrow("unauthenticated");
  await expect(dial({ bearer: { $gt: "" } })).rejects.toThrow("unauthenticated");
  await expect(dial({ bearer: patient.token })).resolves.toBeTruthy();
});

test("join accepts the user's own id and refuses every other", async () => {
  const socket = await dial({ token: patient.token });
  const join = (id: unknown) => socket.timeout(2000).emitWithAck("join", id);
  expect(await join(patient.userId)).toEqual({ success: true });
  for (const id of [doctor.userId, `user:${doctor.userId}`, [doctor.userId], { id: doctor.userId }, null, ""])
    expect(await join(id)).toEqual({ success: false });
  const got = notificationsOf(socket);
  await notify(doctor.userId, "private");
  await pause(300);
  expect(got).toEqual([]);
});

test("malformed messages do not end the process", async () => {
  const socket = await dial({ token: patient.token });
  socket.emit("join");
  socket.emit("join", patient.userId, "not a function");
  socket.emit("constructor", {});
  socket.emit("receiveNotification", { _id: "forged" });
  for (const payload of ["", "{", "null", '{"userId":1}', `{"userId":"${patient.userId}","event":"disconnect","data":{}}`]) {
    await server.sql`select pg_notify('nadi_events', ${payload})`;
    if (!payload.includes(patient.userId)) await server.sql`select pg_notify('nadi_sessions', ${payload})`;
  }
  await pause(300);
  expect(socket.connected).toBe(true);
  expect((await raw(server.url, { path: "/healthz" })).status).toBe(200);
});

test("a message over 16 kB closes the socket", async () => {
  const socket = await dial({ token: patient.token });
  const end = ended(socket);
  socket.emit("join", "x".repeat(20_000));
  expect(await end).toBe("transport close");
  await expect(dial({ token: patient.token })).resolves.toBeTruthy();
});

test("accepts ten sockets for a user, not eleven", async () => {
  const reviewer = await loginAs(server, DEMO.reviewer);
  for (let i = 0; i < 10; i++) await dial({ token: reviewer.token });
  await expect(dial({ token: reviewer.token })).rejects.toThrow("too many connections");
});

test("the end of a session closes its sockets", async () => {
  const again = await loginAs(server, DEMO.patient);
  const [one, other] = [await dial({ token: again.token }), await dial({ token: patient.token })];
  const end = ended(one);
  await server.sql`select pg_notify('nadi_sessions', ${JSON.stringify({ tokenHash: hashToken(again.token) })})`;
  expect(await end).toBe("io server disconnect");
  expect(other.connected).toBe(true);
});

test("refuses more than 500 connections of one address without a login", async () => {
  const connections = await Promise.all(
    Array.from({ length: 520 }, () => raw(server.url, { path: "/socket.io/?EIO=4&transport=polling" })),
  );
  expect(connections.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(500);
  expect(connections.some(({ status }) => status === 403)).toBe(true);
  // They are closed soon, and other users can connect again.
  await vi.waitFor(() => dial({ token: patient.token }), { timeout: 30_000, interval: 500 });
});

test("three pages that lost their connection reload once each, with all that they missed", async () => {
  const reader = await loginAs(server, { role: "patient", phone: "+919811200033" });
  const read = async () => (await server.sql`select from notifications where user_id = ${reader.userId}`).length;
  const pages = await Promise.all(
    (["websocket", "polling", "websocket"] as const).map(async (transport) => {
      const socket = await dial({ token: reader.token, transports: [transport] });
      const reloads: number[] = [];
      const toasts: string[] = [];
      connectLive(socket as never, reader.userId, {
        show: ({ message }) => toasts.push(message),
        refresh: () => void read().then((count) => reloads.push(count)),
      });
      return { socket, reloads, toasts };
    }),
  );
  const send = async (text: string) => {
    await server.sql`insert into notifications (user_id, kind, type, params) values (${reader.userId}, 'appointment-accepted', 'success', '{}')`;
    const data = { _id: text, message: text, type: "info" };
    await server.sql`select pg_notify('nadi_events', ${JSON.stringify({ userId: reader.userId, event: "receiveNotification", data })})`;
  };
  // The first connect of a page that is loaded is not a reconnect.
  for (const { socket } of pages) socket.disconnect().connect();
  await vi.waitFor(() => expect(pages.every(({ socket }) => socket.connected)).toBe(true), { timeout: 10_000 });
  for (const { reloads } of pages) reloads.length = 0;

  // A page that connects again by itself, or before all has arrived at the server, would not have missed it.
  for (const { socket } of pages) socket.io.reconnection(false).engine.close();
  await vi.waitFor(() => expect(pages.some(({ socket }) => socket.connected)).toBe(false), { timeout: 10_000 });
  const arrived = notificationsOf(await dial({ token: reader.token, transports: ["websocket"] }));
  for (const text of ["first", "second", "third"]) await send(text);
  await vi.waitFor(() => expect(arrived).toEqual(["first", "second", "third"]), { timeout: 10_000 });
  for (const { socket } of pages) socket.connect();
  await vi.waitFor(() => expect(pages.map(({ reloads }) => reloads)).toEqual([[3], [3], [3]]), { timeout: 10_000 });
  // What was missed is on the page, not in a late toast.
  expect(pages.map(({ toasts }) => toasts)).toEqual([[], [], []]);
  await send("fourth");
  await vi.waitFor(() => expect(pages.map(({ toasts }) => toasts)).toEqual([["fourth"], ["fourth"], ["fourth"]]), { timeout: 10_000 });
  await pause(300);
  expect(pages.map(({ reloads }) => reloads)).toEqual([
    [3, 4],
    [3, 4],
    [3, 4],
  ]);
});

test("goes on when connections are cut while their handshakes wait for each other", async () => {
  const { hostname, port } = new URL(server.url);
  const head = `GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: ${hostname}:${port}\r\nOrigin: ${server.url}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: bmFkaSBuYWRpIG5hZGkgbg==\r\n\r\n`;
  const sockets = await Promise.all(
    Array.from({ length: 200 }, () => {
      const socket = connect({ host: hostname, port: Number(port) });
      return new Promise<typeof socket>((ok, no) => socket.once("connect", () => ok(socket)).once("error", no));
    }),
  );
  for (const socket of sockets) socket.on("error", () => undefined).write(head);
  // A reset, unlike an end, is an error for the server.
  for (const socket of sockets) socket.resetAndDestroy();
  const socket = await dial({ token: patient.token });
  expect(socket.connected).toBe(true);
});

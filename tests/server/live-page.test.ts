/** How an open page uses its connection (specification 001 §4.4), with a server of its own. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Server } from "socket.io";
import { io, type Socket } from "socket.io-client";
import { afterEach, expect, test, vi } from "vitest";
import { connectLive, LIVE_OPTIONS } from "#app/realtime/connect-live.ts";
import type { ClientEvents, ServerEvents } from "#app/realtime/events.ts";
import type { ToastMessage } from "#app/ui/toast.tsx";

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

async function openPage({ transports = ["polling", "websocket"] as ("polling" | "websocket")[] } = {}) {
  const http = createServer();
  const server = new Server<ClientEvents, ServerEvents>(http, { transports });
  const joined: string[] = [];
  server.on("connection", (socket) => socket.on("join", (userId) => joined.push(userId)));
  await new Promise<void>((ok) => http.listen(0, "127.0.0.1", ok));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const socket: Socket<ServerEvents, ClientEvents> = io(url, { ...LIVE_OPTIONS, forceNew: true });
  stops.push(() => {
    socket.close();
    void server.close();
  });
  const shown: ToastMessage[] = [];
  const refresh = vi.fn();
  connectLive(socket, "me", { show: (toast) => shown.push(toast), refresh });
  await vi.waitFor(() => expect(joined).toEqual(["me"]), { timeout: 15_000 });
  return { server, socket, shown, refresh, joined };
}

const news = (message: string, type: "success" | "warning" | "danger" | "info") => ({
  _id: "n1",
  title: "Title",
  message,
  type,
  read: false,
  createdAt: "2026-11-21T06:00:00.000Z",
  targetPath: null,
});

test("joins with its own id, shows a toast with the message or New notification received, and reloads its data", async () => {
  const { server, shown, refresh } = await openPage();
  server.emit("receiveNotification", news("Dr. Rao will see you.", "success"));
  server.emit("receiveNotification", news("", "danger"));
  server.emit("receiveNotification", news("Moved", "warning"));
  await vi.waitFor(() => expect(shown).toHaveLength(3), { timeout: 15_000 });
  expect(shown).toEqual([
    { type: "success", message: "Dr. Rao will see you." },
    { type: "error", message: "New notification received" },
    { type: "warning", message: "Moved" },
  ]);
  expect(refresh).toHaveBeenCalledTimes(3);
});

test("reloads without a toast when a notification was read or deleted elsewhere", async () => {
  const { server, shown, refresh } = await openPage();
  server.emit("notificationRead", { _id: null });
  server.emit("notificationDeleted", { _id: "n1" });
  server.emit("missed");
  await vi.waitFor(() => expect(refresh).toHaveBeenCalledTimes(3), { timeout: 15_000 });
  expect(shown).toEqual([]);
});

test("reloads without a toast when an appointment changed on another page", async () => {
  const { server, shown, refresh } = await openPage();
  server.emit("appointmentChanged", { _id: "a1" });
  await vi.waitFor(() => expect(refresh).toHaveBeenCalledTimes(1), { timeout: 15_000 });
  expect(shown).toEqual([]);
});

test("reconnects after the server closed the connection, and reloads what it missed", async () => {
  const { server, refresh, joined } = await openPage();
  expect(refresh).not.toHaveBeenCalled();
  server.disconnectSockets(false);
  await vi.waitFor(() => expect(joined).toEqual(["me", "me"]), { timeout: 15_000 });
  await vi.waitFor(() => expect(refresh).toHaveBeenCalledTimes(1), { timeout: 15_000 });
});

test("uses polling where websockets are blocked", async () => {
  const { socket } = await openPage({ transports: ["polling"] });
  expect(socket.io.engine.transport.name).toBe("polling");
});

test("retries without limit, 1 s to 5 s apart, with 20 s for a connection", async () => {
  const { socket } = await openPage();
  const manager = socket.io;
  expect([manager.reconnection(), manager.reconnectionAttempts()]).toEqual([true, Number.POSITIVE_INFINITY]);
  expect([manager.reconnectionDelay(), manager.reconnectionDelayMax(), manager.timeout()]).toEqual([1000, 5000, 20_000]);
  expect(manager.opts).toMatchObject({ path: "/socket.io", transports: ["websocket", "polling"], withCredentials: true });
  expect(socket.io.engine.transport.name).toBe("websocket");
});

import type { ManagerOptions, Socket, SocketOptions } from "socket.io-client";
import { m } from "#app/paraglide/messages.js";
import type { ToastMessage } from "#app/ui/toast.tsx";
import type { ClientEvents, LiveNotification, ServerEvents } from "./events.ts";

/** Websocket first, then polling; reconnects without limit, 1 to 5 s apart; 20 s to connect (specification 001 §4.4, §9). */
export const LIVE_OPTIONS = {
  path: "/socket.io",
  transports: ["websocket", "polling"],
  tryAllTransports: true,
  withCredentials: true,
  reconnectionDelay: 1000,
  reconnectionDelayMax: 5000,
  timeout: 20_000,
} satisfies Partial<ManagerOptions & SocketOptions>;

const TONES = { success: "success", danger: "error", warning: "warning", info: "info" } as const;

/**
 * Connects an open page to live notifications: joins the user's room and shows a toast for each notification. Reloads the
 * page's data after each one, after a read or delete in another tab, and after a reconnect.
 */
export function connectLive(
  socket: Socket<ServerEvents, ClientEvents>,
  userId: string,
  page: { show: (toast: ToastMessage) => void; refresh: () => void },
): void {
  let before = false;
  socket.on("connect", () => {
    socket.emit("join", userId);
    // The page's data includes what it missed meanwhile.
    if (before) page.refresh();
    before = true;
  });
  socket.on("disconnect", (reason) => {
    // socket.io does not reconnect by itself when the server disconnects (at shutdown, or after a session check).
    if (reason === "io server disconnect") socket.connect();
  });
  socket.on("receiveNotification", ({ message, type }: Partial<LiveNotification>) => {
    page.show({ type: (type && TONES[type]) ?? "info", message: message || m.notifications_received() });
    page.refresh();
  });
  socket.on("notificationRead", page.refresh);
  socket.on("notificationDeleted", page.refresh);
  socket.on("appointmentChanged", page.refresh);
  socket.on("missed", page.refresh);
}

import type { ManagerOptions, Socket, SocketOptions } from "socket.io-client";
import { m } from "#app/paraglide/messages.js";
import type { ToastMessage } from "#app/ui/toast.tsx";
import type { ClientEvents, LiveNotification, ServerEvents } from "./events.ts";

/** Spec 001 §4.4 and §9: websocket first, then polling; without limit, 1 s to 5 s apart, 20 s to connect. */
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
 * What an open page does with its connection: confirms its own room, tells each piece of news, and asks for its data again
 * after news, after what was read or deleted elsewhere, and after it was cut off.
 */
export function keepLive(
  socket: Socket<ServerEvents, ClientEvents>,
  userId: string,
  page: { tell: (toast: ToastMessage) => void; refresh: () => void },
): void {
  let before = false;
  socket.on("connect", () => {
    socket.emit("join", userId);
    // What was told meanwhile is in the page's own data.
    if (before) page.refresh();
    before = true;
  });
  socket.on("disconnect", (reason) => {
    // Told to go by the server (it stops, or the session was looked at again): this alone is not tried again by itself.
    if (reason === "io server disconnect") socket.connect();
  });
  socket.on("receiveNotification", ({ message, type }: Partial<LiveNotification>) => {
    page.tell({ type: (type && TONES[type]) ?? "info", message: message || m.notifications_received() });
    page.refresh();
  });
  socket.on("notificationRead", page.refresh);
  socket.on("notificationDeleted", page.refresh);
  socket.on("appointmentChanged", page.refresh);
  socket.on("missed", page.refresh);
}

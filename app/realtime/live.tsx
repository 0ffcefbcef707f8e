import { useEffect } from "react";
import { useRevalidator } from "react-router";
import type { Socket } from "socket.io-client";
import { m } from "#app/paraglide/messages.js";
import { showToast } from "#app/ui/toast.tsx";
import type { ClientEvents, ServerEvents } from "./events.ts";

/** After the page is usable: the connection is a bonus and must not compete with it. */
const START_AFTER = 1500;

/**
 * Keeps a person's open page alive, with JavaScript only: a toast for each piece of news, and the page's own data asked
 * for again, so that the list and the bell are what the server says and nothing is shown twice. After a reconnect the
 * data is asked for too: what was told meanwhile is in it. Put it into the frame of an area.
 */
export function Live({ userId }: { userId: string }) {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    let socket: Socket<ServerEvents, ClientEvents> | undefined;
    let over = false;
    const timer = setTimeout(async () => {
      const { io } = await import("socket.io-client");
      if (over) return;
      // Spec 000 §7: websocket first, then polling; without limit, 1 s to 5 s apart, 20 s to connect.
      socket = io({
        path: "/socket.io",
        transports: ["websocket", "polling"],
        tryAllTransports: true,
        withCredentials: true,
        reconnectionDelay: 1000,
        reconnectionDelayMax: 5000,
        timeout: 20_000,
      });
      const refresh = () => void revalidate();
      let before = false;
      socket.on("connect", () => {
        socket?.emit("join", userId);
        if (before) refresh();
        before = true;
      });
      socket.on("disconnect", (reason) => {
        if (reason === "io server disconnect") socket?.connect();
      });
      socket.on("receiveNotification", ({ message, type }) => {
        const tone = ({ success: "success", danger: "error", warning: "warning", info: "info" } as const)[type] ?? "info";
        showToast({ type: tone, message: message || m.notifications_received() });
        refresh();
      });
      socket.on("notificationRead", refresh);
      socket.on("notificationDeleted", refresh);
      socket.on("missed", refresh);
    }, START_AFTER);
    return () => {
      over = true;
      clearTimeout(timer);
      socket?.close();
    };
  }, [userId, revalidate]);
  return null;
}

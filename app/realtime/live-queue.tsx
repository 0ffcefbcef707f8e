import { useEffect } from "react";
import type { Socket } from "socket.io-client";
import { useQuietReload } from "#app/ui/quiet-reload.ts";
import { LIVE_OPTIONS } from "./connect-live.ts";
import type { ClientEvents, ServerEvents } from "./events.ts";

/** Changes within this time, in milliseconds, reload the page once. */
const TOGETHER = 150;

/**
 * Reloads the page's data when one of these queues changes, and once after each connect: the server sends `queueChanged` then. `visits`: also when an
 * appointment changes, which the page's frame hears of only a while after loading. Presses that are on their way are not disturbed.
 */
export function LiveQueue({ sessionIds, visits = false }: { sessionIds: readonly string[]; visits?: boolean }) {
  const watched = sessionIds.join();
  const reload = useQuietReload();
  useEffect(() => {
    let socket: Socket<ServerEvents, ClientEvents> | undefined;
    let over = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = () => {
      clearTimeout(timer);
      timer = setTimeout(() => void reload(), TOGETHER);
    };
    void import("./socket-client.ts")
      .then((client) => {
        if (over) return;
        socket = client.io({ ...LIVE_OPTIONS, forceNew: true });
        socket.on("connect", () => void socket?.emit("watchQueue", watched.split(",")));
        socket.on("disconnect", (reason) => {
          if (reason === "io server disconnect") socket?.connect();
        });
        socket.on("queueChanged", refresh);
        socket.on("missed", refresh);
        if (visits) socket.on("appointmentChanged", refresh);
      })
      // Without the network for this chunk the page is not live.
      .catch(() => {});
    return () => {
      over = true;
      clearTimeout(timer);
      socket?.close();
    };
  }, [watched, visits, reload]);
  return null;
}

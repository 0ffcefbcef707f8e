import { useEffect } from "react";
import type { Socket } from "socket.io-client";
import { useQuietReload } from "#app/ui/quiet-reload.ts";
import { showToast } from "#app/ui/toast.tsx";
import { connectLive, LIVE_OPTIONS } from "./connect-live.ts";
import type { ClientEvents, ServerEvents } from "./events.ts";

/** Delay in milliseconds: the connection must not compete with loading the page. */
const START_AFTER = 1500;

/** Shows live notifications and reloads the page's data after each. Put it into the frame of an area. */
export function Live({ userId }: { userId: string }) {
  const reload = useQuietReload();
  useEffect(() => {
    let socket: Socket<ServerEvents, ClientEvents> | undefined;
    let over = false;
    const timer = setTimeout(async () => {
      // Without the network for this chunk the page is not live.
      const client = await import("./socket-client.ts").catch(() => null);
      if (over || !client) return;
      socket = client.io(LIVE_OPTIONS);
      connectLive(socket, userId, { show: showToast, refresh: () => void reload() });
    }, START_AFTER);
    return () => {
      over = true;
      clearTimeout(timer);
      socket?.close();
    };
  }, [userId, reload]);
  return null;
}

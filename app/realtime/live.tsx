import { useEffect } from "react";
import { useRevalidator } from "react-router";
import type { Socket } from "socket.io-client";
import { showToast } from "#app/ui/toast.tsx";
import type { ClientEvents, ServerEvents } from "./events.ts";
import { keepLive, LIVE_OPTIONS } from "./keep-live.ts";

/** After the page is usable: the connection is a bonus and must not compete with it. */
const START_AFTER = 1500;

/**
 * Keeps a person's open page alive, with JavaScript only: a toast for each piece of news, and the page's own data asked
 * for again, so that the list and the bell are what the server says and nothing is shown twice. Put it into the frame of
 * an area.
 */
export function Live({ userId }: { userId: string }) {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    let socket: Socket<ServerEvents, ClientEvents> | undefined;
    let over = false;
    const timer = setTimeout(async () => {
      // Without the network for this chunk the page is not live.
      const client = await import("socket.io-client").catch(() => null);
      if (over || !client) return;
      socket = client.io(LIVE_OPTIONS);
      keepLive(socket, userId, { tell: showToast, refresh: () => void revalidate() });
    }, START_AFTER);
    return () => {
      over = true;
      clearTimeout(timer);
      socket?.close();
    };
  }, [userId, revalidate]);
  return null;
}

/** Open pages with sockets, in a process of their own, so that they do not delay the requests that the proof times. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { io, type Socket } from "socket.io-client";

export type Phone = { cookie: string; address: string };
type Order = { kind: "open"; port: number; phones: Phone[]; atOnce: number } | { kind: "cut" } | { kind: "read" };
/** `delays`: milliseconds from `sentAt` in an event until a phone has it, since the last report. `back`: from the last cut until connected. */
export type Report = { connected: number; refused: Record<string, number>; delays: number[]; back: number[] };

/** Milliseconds that two processes of a machine agree on. */
export const now = () => performance.timeOrigin + performance.now();

export class Phones {
  private readonly child: ChildProcess = fork(import.meta.filename, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  private async ask(order: Order): Promise<Report> {
    this.child.send(order);
    const [report] = (await once(this.child, "message")) as [Report];
    return report;
  }
  /** Opens a socket for each phone. Resolves when each is connected or refused. */
  open = (port: number, phones: Phone[], atOnce: number) => this.ask({ kind: "open", port, phones, atOnce });
  /** Breaks all connections at once. The phones connect again as the product's pages do. */
  cut = () => this.ask({ kind: "cut" });
  read = () => this.ask({ kind: "read" });
  async close(): Promise<void> {
    const gone = once(this.child, "exit");
    this.child.kill("SIGKILL");
    await gone;
  }
}

if (import.meta.main) {
  const sockets: Socket[] = [];
  let refused: Record<string, number> = {};
  let delays: number[] = [];
  let back: number[] = [];
  let cutAt = 0;
  const report = (): Report => {
    const made = { connected: sockets.filter((socket) => socket.connected).length, refused, delays, back };
    [refused, delays] = [{}, []];
    return made;
  };
  const dial = (port: number, { cookie, address }: Phone) =>
    new Promise<void>((ok) => {
      // The options of app/realtime/connect-live.ts, with what a browser sends.
      const socket = io(`http://127.0.0.1:${port}`, {
        path: "/socket.io",
        transports: ["websocket"],
        reconnectionDelay: 1000,
        reconnectionDelayMax: 5000,
        timeout: 20_000,
        forceNew: true,
        extraHeaders: { host: `localhost:${port}`, cookie, origin: `http://localhost:${port}`, "x-forwarded-for": address },
      });
      sockets.push(socket);
      socket.on("connect", () => {
        if (cutAt) back.push(now() - cutAt);
        ok();
      });
      socket.on("connect_error", ({ message }) => {
        refused[message] = (refused[message] ?? 0) + 1;
      });
      socket.on("receiveNotification", ({ sentAt }: { sentAt: number }) => delays.push(now() - sentAt));
    });
  process.on("message", async (order: Order) => {
    if (order.kind === "open") {
      const waiting = [...order.phones];
      await Promise.all(
        Array.from({ length: order.atOnce }, async () => {
          for (let phone = waiting.pop(); phone; phone = waiting.pop()) await dial(order.port, phone);
        }),
      );
    }
    if (order.kind === "cut") {
      [cutAt, back] = [now(), []];
      for (const socket of sockets)
        (socket.io.engine as unknown as { transport: { ws: { terminate(): void } } } | undefined)?.transport.ws.terminate();
    }
    process.send!(report());
  });
}

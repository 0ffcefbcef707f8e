/** A server that speaks Redis's protocol (RESP2) for one stream: the commands that live events use, and errors for all others. */
import { createServer, type Server, type Socket } from "node:net";

type Entry = { id: string; ms: number; fields: string[] };
type Waiting = { socket: Socket; after: string; count: number; answer: (reply: Reply) => void };
type Reply = string | number | null | Reply[] | { simple: string } | { error: string };

const encode = (reply: Reply): string => {
  if (reply === null) return "*-1\r\n";
  if (typeof reply === "number") return `:${reply}\r\n`;
  if (typeof reply === "string") return `$${Buffer.byteLength(reply)}\r\n${reply}\r\n`;
  if (Array.isArray(reply)) return `*${reply.length}\r\n${reply.map(encode).join("")}`;
  return "error" in reply ? `-ERR ${reply.error}\r\n` : `+${reply.simple}\r\n`;
};

/** Takes complete commands from the start of `bytes`: arrays of strings. */
function takeCommands(bytes: Buffer): { commands: string[][]; rest: Buffer } {
  const commands: string[][] = [];
  let start = 0;
  for (;;) {
    let at = start;
    const line = () => {
      const end = bytes.indexOf("\r\n", at);
      if (end < 0) return null;
      const text = bytes.toString("utf8", at, end);
      at = end + 2;
      return text;
    };
    const head = line();
    if (head === null) break;
    const parts: string[] = [];
    for (let i = 0; i < Number(head.slice(1)); i++) {
      const size = line();
      const length = Number(size?.slice(1));
      if (size === null || at + length + 2 > bytes.length) return { commands, rest: bytes.subarray(start) };
      parts.push(bytes.toString("utf8", at, at + length));
      at += length + 2;
    }
    commands.push(parts);
    start = at;
  }
  return { commands, rest: bytes.subarray(start) };
}

const isAfter = (id: string, other: string) => {
  const [a, b] = [id, other].map((one) => one.split("-").map(Number) as [number, number]) as [[number, number], [number, number]];
  return a[0] > b[0] || (a[0] === b[0] && a[1] > b[1]);
};

/** Starts it on a port. `close` breaks all connections and forgets the stream, as a Redis without persistence does. */
export async function startRedisWire(port: number): Promise<{ close(): Promise<void>; freeze(): void; thaw(): void }> {
  let entries: Entry[] = [];
  let waiting: Waiting[] = [];
  let sequence = 0;
  let frozen = false;
  const sockets = new Map<Socket, () => void>();

  const read = (after: string, count: number): Reply => {
    const found = entries.filter(({ id }) => isAfter(id, after)).slice(0, count);
    return found.length ? [["stream", found.map(({ id, fields }): Reply => [id, fields])]] : null;
  };
  const append = (args: string[]): Reply => {
    const trim = args.findIndex((arg) => arg.toUpperCase() === "MINID");
    const star = args.indexOf("*");
    const ms = Date.now();
    const entry = { id: `${ms}-${sequence++}`, ms, fields: args.slice(star + 1) };
    entries = [...entries.filter((one) => trim < 0 || one.ms >= Number(args[star - 1])), entry];
    for (const one of waiting.splice(0)) one.answer(read(one.after, one.count));
    return entry.id;
  };
  /** Returns undefined when the reply comes later. */
  const run = ([name = "", ...args]: string[], socket: Socket, send: (reply: Reply) => void): Reply | undefined => {
    const option = (wanted: string) => args[args.findIndex((arg) => arg.toUpperCase() === wanted) + 1]!;
    switch (name.toUpperCase()) {
      case "PING":
        return { simple: "PONG" };
      case "SELECT":
      case "CLIENT":
        return { simple: "OK" };
      case "PEXPIRE":
        return 1;
      case "XADD":
        return append(args);
      case "XREVRANGE":
        return entries.slice(-1).map(({ id, fields }): Reply => [id, fields]);
      case "XREAD": {
        const [after, count] = [args.at(-1)!, Number(option("COUNT"))];
        const now = read(after, count);
        if (now !== null) return now;
        const one: Waiting = {
          socket,
          after,
          count,
          answer(reply) {
            clearTimeout(timer);
            send(reply);
          },
        };
        const timer = setTimeout(
          () => {
            waiting = waiting.filter((other) => other !== one);
            send(null);
          },
          Number(option("BLOCK")),
        );
        waiting.push(one);
        return undefined;
      }
      default:
        return { error: `unknown command '${name}'` };
    }
  };
  const accept = (socket: Socket) => {
    let rest: Buffer = Buffer.alloc(0);
    let queued: string[][] | null = null;
    const send = (reply: Reply) => void socket.write(encode(reply));
    const work = () => {
      if (frozen) return;
      const taken = takeCommands(rest);
      rest = taken.rest;
      for (const command of taken.commands) {
        const name = command[0]?.toUpperCase();
        if (name === "MULTI") queued = [];
        else if (name === "EXEC") {
          const replies = (queued ?? []).map((one) => run(one, socket, send)!);
          queued = null;
          send(replies);
          continue;
        } else if (queued) {
          queued.push(command);
          send({ simple: "QUEUED" });
          continue;
        } else {
          const reply = run(command, socket, send);
          if (reply !== undefined) send(reply);
          continue;
        }
        send({ simple: "OK" });
      }
    };
    sockets.set(socket, work);
    socket.on("data", (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      work();
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      sockets.delete(socket);
      waiting = waiting.filter((one) => one.socket !== socket);
    });
  };
  const server: Server = createServer(accept);
  await new Promise<void>((ok, no) => server.once("error", no).listen(port, "127.0.0.1", ok));
  return {
    close: () =>
      new Promise<void>((ok) => {
        server.close(() => ok());
        for (const socket of sockets.keys()) socket.destroy();
      }),
    freeze() {
      frozen = true;
    },
    thaw() {
      frozen = false;
      for (const work of sockets.values()) work();
    },
  };
}

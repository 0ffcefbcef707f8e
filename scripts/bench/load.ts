/** A load generator with keep-alive sockets, one request at a time on each. Costs less CPU than the server. */
import { connect, type Socket } from "node:net";

export type Load = {
  /** Responses per second. */
  rate: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  answers: number;
  /** Number of responses with an unexpected status, by status. */
  odd: Record<string, number>;
};
export type LoadOptions = {
  port: number;
  /** Returns the bytes of the n-th request; null: no more. */
  request: (n: number) => string | null;
  connections: number;
  /** Ends after this many milliseconds. */
  ms: number;
  expect: number;
};

/** Returns the bytes of a request with the headers of a browser. */
export function wire(port: number, method: string, path: string, headers: Record<string, string> = {}, body = ""): string {
  const all = { host: `localhost:${port}`, "accept-encoding": "gzip, deflate, br, zstd", accept: "text/html", ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  if (method !== "GET") lines.push(`content-length: ${Buffer.byteLength(body)}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}

export async function load(options: LoadOptions): Promise<Load> {
  const times: number[] = [];
  const odd: Record<string, number> = {};
  let sent = 0;
  const began = performance.now();
  const until = began + options.ms;
  const next = () => (performance.now() < until ? options.request(sent++) : null);
  await Promise.all(
    Array.from({ length: options.connections }, () =>
      talk(options.port, next, (status, ms) => {
        times.push(ms);
        if (status !== options.expect) odd[status] = (odd[status] ?? 0) + 1;
      }),
    ),
  );
  const seconds = (performance.now() - began) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { rate: times.length / seconds, p50: at(0.5), p99: at(0.99), answers: times.length, odd };
}

/** Runs one connection: sends, waits for the whole response, sends again. */
function talk(port: number, next: () => string | null, onResponse: (status: number, ms: number) => void): Promise<void> {
  return new Promise((ok, no) => {
    const socket: Socket = connect(port, "127.0.0.1");
    socket.setNoDelay(true);
    let began = 0;
    let got: Buffer = Buffer.alloc(0);
    const send = () => {
      const request = next();
      if (request === null) {
        socket.end();
        return ok();
      }
      began = performance.now();
      socket.write(request);
    };
    socket.on("connect", send);
    socket.on("data", (chunk: Buffer) => {
      got = got.length ? Buffer.concat([got, chunk]) : chunk;
      const answer = whole(got);
      if (!answer) return;
      onResponse(answer.status, performance.now() - began);
      got = Buffer.alloc(0);
      send();
    });
    socket.on("error", no);
    socket.on("close", () => ok());
  });
}

/** Returns the status when the response is complete. */
function whole(got: Buffer): { status: number } | null {
  const end = got.indexOf("\r\n\r\n");
  if (end < 0) return null;
  const head = got.toString("latin1", 0, end);
  const status = Number(head.slice(9, 12));
  const length = /\r\ncontent-length: (\d+)/i.exec(head);
  if (length) return got.length >= end + 4 + Number(length[1]) ? { status } : null;
  if (/\r\ntransfer-encoding: chunked/i.test(head)) return got.subarray(-5).equals(LAST_CHUNK) ? { status } : null;
  return { status };
}
const LAST_CHUNK = Buffer.from("0\r\n\r\n");

/** The contract of every response, with a real node:http server: no step can leave a request without one. */
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { answer } from "./answer.ts";
import { BodyTooLarge, readWhole } from "./body.ts";
import type { Exchange, Step } from "./exchange.ts";
import { startInTurn } from "./in-turn.ts";
import { endUnanswered } from "./last-resort.ts";

vi.mock("./route-rules.ts", () => ({}));

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const exchangeOf = (req: IncomingMessage, res: ServerResponse) =>
  ({ req, res, requestId: "r", head: { method: req.method, url: req.url, headers: req.headers }, rules: {} }) as unknown as Exchange;

async function listen(on: (exchange: Exchange) => void): Promise<number> {
  server = createServer((req, res) => on(exchangeOf(req, res)));
  await new Promise<void>((ok) => server?.listen(0, "127.0.0.1", ok));
  return (server.address() as AddressInfo).port;
}

const post = (port: number, path: string) =>
  new Promise<{ status: number; text: string }>((ok, no) => {
    const sent = request(
      { port, host: "127.0.0.1", method: "POST", path, headers: { "content-type": "text/plain" }, agent: false },
      (res) => {
        let text = "";
        res.on("data", (part) => {
          text += part;
        });
        res.on("end", () => ok({ status: res.statusCode ?? 0, text }));
        res.on("error", no);
      },
    );
    sent.on("error", no);
    sent.end("a=1");
  });

const read: Step = async ({ req }) => {
  await readWhole(req, 1024);
  return false;
};
const pass: Step = () => false;
const fail: Step = () => {
  throw new Error("a fault");
};
const failLater: Step = async () => {
  await new Promise((ok) => setImmediate(ok));
  throw new Error("a fault");
};

describe("a step that throws after the body was read", () => {
  const PATHS = ["/dual-patient", "/dual-patient.data", "/api/appointments/book", "/webhooks/local", "/payments/return/x", "/rx/a"];
  const orders: Step[][] = [
    [read, fail],
    [read, failLater],
    [read, pass, fail],
    [read, pass, pass, failLater],
  ];
  it.each(PATHS)("is answered with 500 at %s", async (path) => {
    for (const steps of orders) {
      const port = await listen((exchange) => void answer(exchange, steps));
      const { status, text } = await post(port, path);
      expect(status).toBe(500);
      if (path.startsWith("/api")) expect(JSON.parse(text)).toMatchObject({ success: false });
      else expect(text).toContain("<!doctype html>");
      server?.close();
    }
  });
  it("is answered with 413 when the body was too large", async () => {
    const port = await listen(
      (exchange) =>
        void answer(exchange, [
          read,
          () => {
            throw new BodyTooLarge();
          },
        ]),
    );
    expect((await post(port, "/dual-patient")).status).toBe(413);
  });
  it("closes the connection when the response has begun", async () => {
    const begin: Step = ({ res }) => {
      res.writeHead(200, { "content-length": "10" });
      res.write("half");
      return false;
    };
    const port = await listen((exchange) => void answer(exchange, [read, begin, fail]));
    await expect(post(port, "/dual-patient")).rejects.toThrow();
  });
});

describe("the last resort", () => {
  it("answers with 503 what no step answers", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    try {
      const arrived = Promise.withResolvers<void>();
      const port = await listen((exchange) => {
        endUnanswered(exchange);
        exchange.req.resume().once("end", arrived.resolve);
      });
      const response = post(port, "/webhooks/local");
      await arrived.promise;
      await vi.advanceTimersByTimeAsync(35_001);
      expect((await response).status).toBe(503);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("requests of one connection", () => {
  it("run eight at a time, in order, and all are answered", async () => {
    let running = 0;
    let most = 0;
    const waiting: (() => void)[] = [];
    const started: string[] = [];
    const port = await listen(({ req, res }) =>
      startInTurn(req, res, () => {
        started.push(req.url ?? "");
        running += 1;
        most = Math.max(most, running);
        waiting.push(() => {
          running -= 1;
          res.end("x");
        });
      }),
    );
    const COUNT = 2_000;
    const socket = connect(port, "127.0.0.1");
    let text = "";
    socket.on("data", (part) => {
      text += part;
    });
    socket.write(Array.from({ length: COUNT }, (_, i) => `GET /${i} HTTP/1.1\r\nHost: x\r\n\r\n`).join(""));
    await expect.poll(() => waiting.length).toBe(8);
    const work = async () => {
      while (started.length < COUNT || waiting.length > 0) {
        for (const finish of waiting.splice(0)) finish();
        await new Promise((ok) => setImmediate(ok));
      }
    };
    await work();
    await expect.poll(() => text.split("HTTP/1.1 200").length - 1).toBe(COUNT);
    expect(most).toBe(8);
    expect(started).toEqual(Array.from({ length: COUNT }, (_, i) => `/${i}`));
    socket.destroy();
  });

  it("do not all start after their client has gone", async () => {
    const started: ServerResponse[] = [];
    const port = await listen(({ req, res }) => startInTurn(req, res, () => void started.push(res)));
    const socket = connect(port, "127.0.0.1");
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".repeat(1_000));
    await expect.poll(() => started.length).toBe(8);
    socket.destroy();
    await expect
      .poll(() => {
        for (const res of started) res.end("x");
        return started.every((res) => res.destroyed);
      })
      .toBe(true);
    expect(started.length).toBeLessThan(1_000);
  });
});

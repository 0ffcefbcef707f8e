/**
 * Long polling with several workers on one port: a browser without websockets sends each poll to any worker, but its connection
 * is in one. Connection ids name their worker, and other workers pass the poll on. No sticky proxy is needed.
 */
import cluster from "node:cluster";
import { randomBytes } from "node:crypto";
import { Agent, createServer, type Server as HttpServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { noteWorkers, OWN_METRICS, sendOwnMetrics } from "./worker-metrics.ts";

/** What this module uses of engine.io's server, which socket.io types by its base class only. */
type Engine = { generateId: () => string; handleRequest(req: IncomingMessage, res: ServerResponse): void };
/** Messages between supervisor and worker (scripts/supervisor.ts): the loopback ports for polls, by worker id. */
type PollPorts = { type: "polls"; ports: Record<string, number> };

const WORKER_OF = /[?&]sid=(\d+)-/;
/** Headers of one connection, not of the message (RFC 9110 §7.6.1). */
const OF_CONNECTION = ["connection", "keep-alive", "proxy-connection", "te", "upgrade"];

/** Serves the polls and metrics of this worker to others, and passes on polls of theirs. Returns a function that stops serving. */
export function sharePolls(server: HttpServer, engine: Engine): () => void {
  const own = cluster.worker?.id;
  if (own === undefined) return () => {};
  engine.generateId = () => `${own}-${randomBytes(15).toString("base64url")}`;
  let ports: PollPorts["ports"] = {};
  process.on("message", (message: Partial<PollPorts>) => {
    if (message.type !== "polls") return;
    ports = message.ports ?? {};
    noteWorkers(own, ports);
  });

  const siblings = createServer((req, res) => {
    if (req.url === OWN_METRICS) void sendOwnMetrics(res);
    else if (workerOf(req.url) === own) engine.handleRequest(req, res);
    else res.writeHead(404).end();
  });
  // Exclusive: otherwise the primary would open one port for all workers.
  siblings.listen({ port: 0, host: "127.0.0.1", exclusive: true }, () => {
    const { port } = siblings.address() as AddressInfo;
    process.send?.({ type: "polls", port });
  });

  const agent = new Agent({ keepAlive: true, maxSockets: 1_000 });
  const local = server.listeners("request") as ((req: IncomingMessage, res: ServerResponse) => void)[];
  server.removeAllListeners("request");
  server.on("request", (req, res) => {
    const answer = () => {
      for (const listener of local) listener.call(server, req, res);
    };
    const worker = workerOf(req.url);
    const port = worker === undefined || worker === own ? undefined : ports[worker];
    if (port === undefined) answer();
    else passOn(req, res, { port, agent }, answer);
  });
  return () => {
    siblings.close();
    siblings.closeAllConnections();
    agent.destroy();
  };
}

/** Returns the id of the worker that a connection id names. */
function workerOf(url = ""): number | undefined {
  if (!url.startsWith("/socket.io")) return undefined;
  const id = WORKER_OF.exec(url)?.[1];
  return id === undefined ? undefined : Number(id);
}

/** @param gone answers when the worker of the connection has ended: its id is unknown here, and the browser connects again */
function passOn(req: IncomingMessage, res: ServerResponse, to: { port: number; agent: Agent }, gone: () => void): void {
  const headers = { ...req.headers };
  for (const name of OF_CONNECTION) delete headers[name];
  const out = request({ host: "127.0.0.1", ...to, method: req.method, path: req.url, headers });
  let sending = false;
  out.on("socket", (socket) => {
    const send = () => {
      sending = true;
      req.pipe(out);
    };
    if (socket.connecting) socket.once("connect", send);
    else send();
  });
  out.on("response", (answer) => {
    for (const name of OF_CONNECTION) delete answer.headers[name];
    res.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(res);
    answer.on("error", () => res.destroy());
  });
  out.on("error", () => {
    if (!sending) gone();
    else if (res.headersSent) res.destroy();
    else res.writeHead(502).end();
  });
  res.on("close", () => out.destroy());
}

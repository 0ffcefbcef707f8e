/** Clients of the proofs: patients who book, cancel and move over HTTP, as a browser without scripts. */
import { Agent, request } from "node:http";
import { bookingForm } from "../../bench/booking-form.ts";
import type { Wish } from "../../bench/world.ts";

/** `status` 0: no response, for the reason `failed` (an error code of Node). */
export type Reply = { status: number; location: string; body: string; ms: number; failed: string };
type Sent = { cookie?: string; body?: string | Buffer; type?: string; headers?: Record<string, string> };
const FORM = "application/x-www-form-urlencoded";
const LATE = 40_000;

export class Clients {
  private readonly agent: Agent;
  private readonly port: number;
  /** @param sockets open at once; more requests wait. `keepAlive: false`: a new one for each request */
  constructor(port: number, sockets: number, { keepAlive = true } = {}) {
    this.port = port;
    this.agent = new Agent({ keepAlive, maxSockets: sockets });
  }
  send(method: string, path: string, { cookie, body, type = FORM, headers }: Sent = {}): Promise<Reply> {
    const began = performance.now();
    return new Promise((ok) => {
      const host = `localhost:${this.port}`;
      let text = "";
      const end = (status: number, location = "", failed = "") =>
        ok({ status, location, body: text, ms: performance.now() - began, failed });
      const req = request({
        host: "127.0.0.1",
        port: this.port,
        method,
        path,
        agent: this.agent,
        timeout: LATE,
        headers: {
          host,
          accept: "text/html",
          ...(cookie && { cookie }),
          ...(body !== undefined && { origin: `http://${host}`, "content-type": type, "content-length": String(Buffer.byteLength(body)) }),
          ...headers,
        },
      });
      req.on("response", (res) => {
        res.setEncoding("utf8");
        res.on("data", (chunk: string) => {
          text += chunk;
        });
        res.on("error", (error: NodeJS.ErrnoException) => end(0, "", error.code ?? "cut"));
        res.on("end", () => end(res.statusCode ?? 0, res.headers.location));
      });
      req.on("timeout", () => req.destroy());
      req.on("error", (error: NodeJS.ErrnoException) => end(0, "", error.code ?? "late"));
      req.end(body);
    });
  }
  get = (path: string, cookie?: string) => this.send("GET", path, cookie === undefined ? {} : { cookie });
  post = (path: string, cookie: string, fields: Record<string, string>) =>
    this.send("POST", path, { cookie, body: new URLSearchParams(fields).toString() });

  /** Books a time. A form that is sent again has the same key. */
  book(wish: Wish, key = `${wish.cookie.slice(-12)}${wish.doctorId}${wish.date}${wish.time}`): Promise<Reply> {
    const { path, type, body } = bookingForm(wish, { name: "Proof Patient", key });
    return this.send("POST", path, { cookie: wish.cookie, body, type });
  }
  cancel = (id: string, cookie: string) => this.post(`/patient/appointments/${id}/cancel`, cookie, {});
  move = (id: string, cookie: string, date: string, time: string) =>
    this.post(`/patient/appointments/${id}/reschedule`, cookie, { date, time });
  close = () => this.agent.destroy();
}

/** Returns the id of the booked appointment, or null. */
export const bookedId = ({ status, location }: Reply) => (status === 303 ? (/\/payment\/([\w-]{36})/.exec(location)?.[1] ?? null) : null);
/** Whether a cancellation or move was done. */
export const isDone = ({ status }: Reply) => status === 303;

/** HTTP clients: one that sends forms as a browser does, one that sends the exact bytes given. */
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";

export type Fields = Record<string, string | string[]>;
export type Answer = {
  status: number;
  headers: Headers;
  /** Target of a redirect, as a path. */
  location: string | null;
  text: string;
  /** Set-Cookie lines. */
  setCookies: string[];
};

/** A client with a cookie jar. Sends Origin as a browser does. Only `follow` follows redirects. */
export class Browser {
  readonly url: string;
  readonly cookies = new Map<string, string>();
  constructor(url: string) {
    this.url = url;
  }

  async send(method: string, path: string, init: { headers?: Record<string, string>; body?: BodyInit } = {}): Promise<Answer> {
    // Without this, fetch asks for compressed answers.
    const headers: Record<string, string> = { "accept-encoding": "identity", ...init.headers };
    if (this.cookies.size) headers.cookie = [...this.cookies].map(([k, v]) => `${k}=${v}`).join("; ");
    if (method !== "GET" && method !== "HEAD") headers.origin ??= new URL(this.url).origin;
    const answer = await fetch(this.url + path, { method, headers, body: init.body ?? null, redirect: "manual" });
    for (const line of answer.headers.getSetCookie()) this.take(line);
    const to = answer.headers.get("location");
    return {
      status: answer.status,
      headers: answer.headers,
      location: to?.replace(new URL(this.url).origin, "") ?? null,
      text: await answer.text(),
      setCookies: answer.headers.getSetCookie(),
    };
  }
  private take(line: string) {
    const [pair = "", ...attributes] = line.split(/;\s*/);
    const eq = pair.indexOf("=");
    const gone = attributes.some((a) => /^max-age=(0|-\d+)$/i.test(a));
    if (gone) this.cookies.delete(pair.slice(0, eq));
    else this.cookies.set(pair.slice(0, eq), pair.slice(eq + 1));
  }

  get = (path: string, headers?: Record<string, string>) => this.send("GET", path, headers ? { headers } : {});
  /** Posts a form without files. */
  post = (path: string, fields: Fields = {}, headers?: Record<string, string>) =>
    this.send("POST", path, { body: encode(fields), headers: { "content-type": "application/x-www-form-urlencoded", ...headers } });
  /** Posts a form with files. */
  postFiles = (path: string, form: FormData) => this.send("POST", path, { body: form });
  postJson = (path: string, value: unknown) =>
    this.send("POST", path, { body: JSON.stringify(value), headers: { "content-type": "application/json" } });

  /** Follows redirects. */
  async follow(answer: Answer): Promise<Answer> {
    let now = answer;
    for (let i = 0; i < 10 && now.location !== null; i++) now = await this.get(now.location);
    return now;
  }
}
function encode(fields: Fields): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) form.append(name, one);
  return form.toString();
}

export type RawAnswer = { status: number; headers: IncomingHttpHeaders; body: Buffer; text: string };
/** Sends exactly these headers and bytes. `chunks` are sent without Content-Length. */
export function raw(
  url: string,
  options: {
    method?: string;
    path?: string;
    headers?: Record<string, string | string[]>;
    body?: string | Buffer;
    chunks?: (string | Buffer)[];
  } = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((ok, no) => {
    const req = httpRequest(
      { host: hostname, port, method: options.method ?? "GET", path: options.path ?? "/", headers: options.headers ?? {}, agent: false },
      (res) => {
        const parts: Buffer[] = [];
        res.on("data", (part: Buffer) => parts.push(part));
        res.on("end", () => {
          const body = Buffer.concat(parts);
          ok({ status: res.statusCode ?? 0, headers: res.headers, body, text: body.toString() });
        });
        res.on("error", no);
      },
    );
    req.on("error", no);
    if (options.chunks) {
      req.setHeader("transfer-encoding", "chunked");
      for (const chunk of options.chunks) req.write(chunk);
      req.end();
    } else req.end(options.body);
  });
}

/** Writing answers: one `writeHead` and one `end` with a length, compressed as the browser likes. */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from "node:zlib";
import { sendResponse } from "@remix-run/node-fetch-server";

/** Buffered bodies ride beside their Response, so that no web stream is made for a page. */
export const bodies = new WeakMap<Response, Buffer>();

export type Encoding = "br" | "gzip";
/** The best encoding an Accept-Encoding header allows, `preferred` where two are as welcome; null: as it is. */
export function negotiate(accept: string | string[] | undefined, preferred: Encoding = "br"): Encoding | null {
  if (!accept) return null;
  const allowed = new Map<string, number>();
  for (const part of String(accept).split(",")) {
    const [name = "", ...parameters] = part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/);
    const q = parameters.find((p) => p.startsWith("q="));
    allowed.set(name, q ? Number(q.slice(2)) : 1);
  }
  const weight = (name: string) => allowed.get(name) ?? allowed.get("*") ?? 0;
  const br = weight("br");
  const gz = weight("gzip");
  if (br === 0 && gz === 0) return null;
  if (br === gz) return preferred;
  return br > gz ? "br" : "gzip";
}

/** `thorough` is worth its time for a first visit, whose CSS is in the page, and for a page that is kept. */
export type Effort = "swift" | "thorough";
const brotli = (size: number, effort: Effort) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: effort === "thorough" ? 5 : 4,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    // Without these it makes room for a text of 4 MB.
    [constants.BROTLI_PARAM_LGWIN]: 17,
    [constants.BROTLI_PARAM_SIZE_HINT]: size,
  },
});
const deflate = (effort: Effort) => ({ level: effort === "thorough" ? 9 : 4 });
/** Below this a round through the thread pool costs more than the work. */
const SYNC_LIMIT = 64 * 1024;
/** Below this compression wins nothing. */
const WORTH_IT = 860;

const brotliLater = promisify<Buffer, ReturnType<typeof brotli>, Buffer>(brotliCompress);
const gzipLater = promisify<Buffer, ReturnType<typeof deflate>, Buffer>(gzip);
export function compress(body: Buffer, encoding: Encoding, effort: Effort): Buffer | Promise<Buffer> {
  if (body.length > SYNC_LIMIT)
    return encoding === "br" ? brotliLater(body, brotli(body.length, effort)) : gzipLater(body, deflate(effort));
  return encoding === "br" ? brotliCompressSync(body, brotli(body.length, effort)) : gzipSync(body, deflate(effort));
}
const compressible = (body: Buffer, type: string | undefined) =>
  body.length >= WORTH_IT && /^(text\/|application\/(json|javascript|manifest\+json)|image\/svg\+xml)/.test(type ?? "");

export function addVary(headers: OutgoingHttpHeaders, ...names: string[]) {
  const present = headers.vary ? String(headers.vary).split(/\s*,\s*/) : [];
  const known = new Set(present.map((name) => name.toLowerCase()));
  headers.vary = [...present, ...names.filter((name) => !known.has(name.toLowerCase()))].join(", ");
}

/** The headers of a Response as node:http wants them, cookies one by one. */
export function plainHeaders(response: Response): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {};
  for (const [name, value] of response.headers) if (name !== "set-cookie") headers[name] = value;
  const cookies = response.headers.getSetCookie();
  if (cookies.length) headers["set-cookie"] = cookies;
  return headers;
}

/** Sends a Response with the given headers already laid under it. */
export async function send(
  req: IncomingMessage,
  res: ServerResponse,
  response: Response,
  under: OutgoingHttpHeaders,
  effort: Effort,
): Promise<void> {
  const body = bodies.get(response);
  if (res.destroyed || res.headersSent) return;
  if (!body) {
    for (const [name, value] of Object.entries(under))
      if (value !== undefined && !response.headers.has(name)) res.setHeader(name, value as string);
    await sendResponse(res, response);
    return;
  }
  await sendBuffer(req, res, response.status, { ...under, ...plainHeaders(response) }, body, effort);
}

/** Sends bytes, compressed when that helps. */
export async function sendBuffer(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  headers: OutgoingHttpHeaders,
  raw: Buffer,
  effort: Effort = "swift",
): Promise<void> {
  let body = raw;
  if (compressible(raw, headers["content-type"] as string | undefined)) {
    addVary(headers, "Accept-Encoding");
    // For a page made for one person gzip takes half of brotli's time and three hundredths more bytes.
    const encoding = negotiate(req.headers["accept-encoding"], effort === "thorough" ? "br" : "gzip");
    if (encoding) {
      const small = compress(raw, encoding, effort);
      body = small instanceof Buffer ? small : await small;
      headers["content-encoding"] = encoding;
    }
  }
  if (res.destroyed || res.headersSent) return;
  headers["content-length"] = String(body.length);
  res.writeHead(status, headers);
  if (req.method === "HEAD") res.end();
  else res.end(body);
}

/**
 * Cache of pages for visitors without a session: rendered without scripts, stored compressed, keyed by URL, language and the
 * stylesheets in the browser's cache. Never contains personal pages. Cleared when public data changes.
 */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { LRUCache } from "lru-cache";
import { etagOf, isUnchanged } from "#app/http/etag.ts";
import { ofDatabase } from "#app/lib/of-start.ts";
import { addVary, compress, type Encoding, negotiate } from "./send.ts";

export type Ready = {
  /** All headers except those of the encoding. */
  headers: OutgoingHttpHeaders;
  etag: string;
  html: Buffer;
  /** Compressed at the first request. */
  compressed: Partial<Record<Encoding, Buffer | Promise<Buffer>>>;
  /** How long it may be cached. */
  seconds: number;
  /** In the time of requests, so that CLOCK_FILE applies. */
  from: number;
  until: number;
};

const pages = ofDatabase(new LRUCache<string, Ready>({ max: 200 }));
const coming = new Map<string, Promise<Ready | null>>();
let generation = 0;

/** Clears the cache, also of renderings in progress. */
export function dropPages(): void {
  generation++;
  pages.clear();
  coming.clear();
}
/** Returns the version of the data, to compare after a rendering. */
export const currentGeneration = () => generation;

export function findPage(key: string, now: Date): Ready | null {
  const page = pages.get(key);
  const at = now.getTime();
  if (page && at >= page.from && at < page.until) return page;
  pages.delete(key);
  return null;
}

/** Caches a rendered page for `seconds`, unless the data changed since generation `since`. */
export function cachePage(key: string, html: Buffer, headers: OutgoingHttpHeaders, seconds: number, now: Date, since: number): Ready {
  const etag = etagOf(html);
  const complete: OutgoingHttpHeaders = { ...headers, etag, "cache-control": "private, no-cache" };
  addVary(complete, "Accept-Encoding", "Cookie");
  const page: Ready = {
    headers: complete,
    etag,
    html,
    compressed: {},
    seconds,
    from: now.getTime(),
    until: now.getTime() + seconds * 1000,
  };
  if (since === generation) pages.set(key, page);
  return page;
}

/** Shares one rendering between concurrent requests for a page. Resolves to null when the page is not cacheable. */
export function shareRendering(key: string, render: () => Promise<Ready | null>): Promise<Ready | null> {
  const known = coming.get(key);
  if (known) return known;
  const rendering = render().finally(() => {
    if (coming.get(key) === rendering) coming.delete(key);
  });
  coming.set(key, rendering);
  return rendering;
}
export const isComing = (key: string) => coming.get(key);

export async function sendPage(req: IncomingMessage, res: ServerResponse, page: Ready, extra: OutgoingHttpHeaders): Promise<void> {
  if (res.destroyed || res.headersSent) return;
  const headers = { ...page.headers, ...extra };
  if (isUnchanged(req.headers["if-none-match"], page.etag)) {
    delete headers["content-type"];
    delete headers["set-cookie"];
    res.writeHead(304, headers);
    res.end();
    return;
  }
  const encoding = negotiate(req.headers["accept-encoding"]);
  let body: Buffer = page.html;
  if (encoding) {
    page.compressed[encoding] ??= compress(page.html, encoding, "thorough");
    const small = page.compressed[encoding];
    body = small instanceof Buffer ? small : await small;
    headers["content-encoding"] = encoding;
    if (res.destroyed) return;
  }
  headers["content-length"] = String(body.length);
  res.writeHead(200, headers);
  if (req.method === "HEAD") res.end();
  else res.end(body);
}

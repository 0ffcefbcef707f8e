/** Headers of visitors' pages that a CDN may cache (docs/decisions/087). */
import type { OutgoingHttpHeaders } from "node:http";
import { languageInAddress } from "#app/http/language.server.ts";
import { keysOfPage } from "#app/lib/page-keys.ts";
import { env } from "#app/runtime/env.server.ts";
import type { Exchange } from "./exchange.ts";
import type { Ready } from "./page-cache.ts";

/** Seconds a CDN may serve an older page while it loads the new one. */
const STALE = 60;

/**
 * Returns the headers for a CDN: without cookies and ids of the request. null: no CDN is configured, or the request has a cookie or
 * credentials, so the page is the visitor's own.
 */
export function sharedHeaders({ head }: Exchange, page: Ready): OutgoingHttpHeaders | null {
  if (env().cdn.purgeUrls.length === 0 || head.headers.cookie !== undefined || head.headers.authorization !== undefined) return null;
  const { "set-cookie": _, ...headers } = page.headers;
  const keys = keysOfPage(head.url.replace(/\?.*$/s, ""));
  return {
    ...headers,
    // Save-Data does not change a page without scripts, and the browser's language none whose address names one.
    vary: languageInAddress(head.url) ? "Cookie, Accept-Encoding" : "Cookie, Accept-Encoding, Accept-Language",
    "cache-control": `public, max-age=0, s-maxage=${page.seconds}, stale-while-revalidate=${STALE}`,
    "surrogate-key": keys.join(" "),
    "cache-tag": keys.join(","),
  };
}

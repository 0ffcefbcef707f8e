/** The headers of every answer: pages, errors and files. */
import { env } from "#app/env.server.ts";
import { PERMISSIONS } from "#app/http/permissions.ts";
import { styleHashes } from "./css.ts";

const COMMON: Record<string, string> = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "permissions-policy": PERMISSIONS,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

let common: Record<string, string> | undefined;
/** What goes on everything, with HSTS wherever the public address is https. */
export function securityHeaders(): Record<string, string> {
  common ??=
    env().appUrl.protocol === "https:" ? { ...COMMON, "strict-transport-security": "max-age=31536000; includeSubDomains" } : COMMON;
  return common;
}

// Inline style attributes stay allowed: a countdown without JavaScript is a CSS animation whose length is in the page.
const rest = `style-src-attr 'unsafe-inline'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'`;

/**
 * What Google's map asks for beyond its script, which our own script brings ('strict-dynamic'): its pictures, its data, its
 * letters, and styles that carry the page's nonce.
 */
const MAP = {
  img: " https://*.googleapis.com https://*.gstatic.com https://*.google.com https://*.googleusercontent.com",
  connect: " https://*.googleapis.com https://*.gstatic.com https://*.google.com data: blob:",
  worker: " blob:",
  rest: "font-src 'self' https://fonts.gstatic.com; ",
};

/** The policy of a page. `nonce`: null means that the page has no scripts. `map`: it shows Google's map. */
export function pagePolicy(nonce: string | null, origin: string, { map = false } = {}): string {
  const scripts = nonce ? `'nonce-${nonce}' 'strict-dynamic'` : "'none'";
  const google = map && nonce ? MAP : { img: "", connect: "", worker: "", rest: "" };
  const styles = map && nonce ? ` 'nonce-${nonce}' https://fonts.googleapis.com` : "";
  return `default-src 'self'; script-src ${scripts}; style-src 'self' ${styleHashes}${styles}; img-src 'self' data: blob:${google.img}; media-src 'self' blob:; connect-src 'self' ${origin.replace(/^http/, "ws")}${google.connect}; worker-src 'self'${google.worker}; ${google.rest}${rest}`;
}
/** The policy of a file that is opened by itself: nothing in it may act. */
export const FILE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
/** The policy of what is no page: JSON, `.data`, csv, ics, zip, redirects. Opened by itself, nothing in it may act. */
export const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";
/** The policy of the service worker's file: it fetches our pages and nothing else (public/sw.js). */
export const WORKER_POLICY = "default-src 'none'; connect-src 'self'";

/** Security headers of every response: pages, errors and files. */

import { PERMISSIONS } from "#app/http/permissions.ts";
import { env } from "#app/runtime/env.server.ts";
import { NO_NETWORK_HASH } from "./no-network-script.ts";

const COMMON: Record<string, string> = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "permissions-policy": PERMISSIONS,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

const COMMON_OF_HTTPS = { ...COMMON, "strict-transport-security": "max-age=31536000; includeSubDomains" };
/** Returns the headers of all responses, with HSTS when the public URL is https. */
export const securityHeaders = () => (env().appUrl.protocol === "https:" ? COMMON_OF_HTTPS : COMMON);

// Inline style attributes are allowed: the countdown without JavaScript is a CSS animation with its length in the page.
const rest = () =>
  `style-src-attr 'unsafe-inline'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'${payPage()}`;
/** CSP source of the payment provider's page. On every page: a page opened by script has the policy of the first. */
const payPage = () => {
  const { gateway } = env();
  return gateway ? ` ${new URL(gateway.baseUrl).origin}` : "";
};

/**
 * CSP sources of Google Maps: images, data, fonts, and styles with the page's nonce. Our script loads its script
 * ('strict-dynamic').
 */
const MAP = {
  img: " https://*.googleapis.com https://*.gstatic.com https://*.google.com https://*.googleusercontent.com",
  connect: " https://*.googleapis.com https://*.gstatic.com https://*.google.com data: blob:",
  worker: " blob:",
  rest: "font-src 'self' https://fonts.gstatic.com; ",
};

/**
 * Returns the CSP of a page. `nonce` null: no scripts but the one of no-network.js, and `script`, the URL of a file of ours. `styles`: hashes of its
 * inline sheets. `map`: shows Google Maps.
 */
export function pagePolicy(
  nonce: string | null,
  origin: string,
  styles: readonly string[],
  { map = false, script }: { map?: boolean; script?: string | undefined } = {},
): string {
  const scripts = nonce ? `'nonce-${nonce}' 'strict-dynamic'` : [NO_NETWORK_HASH, ...(script ? [origin + script] : [])].join(" ");
  const google = map && nonce ? MAP : { img: "", connect: "", worker: "", rest: "" };
  const inline = [...styles, ...(map && nonce ? [`'nonce-${nonce}'`, "https://fonts.googleapis.com"] : [])]
    .map((source) => ` ${source}`)
    .join("");
  return `default-src 'self'; script-src ${scripts}; style-src 'self'${inline}; img-src 'self' data: blob:${google.img}; media-src 'self' blob:; connect-src 'self' ${origin.replace(/^http/, "ws")}${google.connect}; worker-src 'self'${google.worker}; ${google.rest}${rest()}`;
}
/** CSP of a file opened by itself: no active content. */
export const FILE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
/** CSP of other responses: JSON, `.data`, csv, ics, zip, redirects. No active content. */
export const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";
/** CSP of the service worker (public/sw.js): it fetches our pages only. */
export const WORKER_POLICY = "default-src 'none'; connect-src 'self'";

/** The headers of every answer (design/trust.md): pages, errors and files. */
import { env } from "#app/env.server.ts";
import { styleHashes } from "./css.ts";

const COMMON: Record<string, string> = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "permissions-policy": "geolocation=(self), microphone=(self), camera=()",
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

/** The policy of a page. `nonce`: null means that the page has no scripts. */
export function pagePolicy(nonce: string | null, origin: string): string {
  const scripts = nonce ? `'nonce-${nonce}' 'strict-dynamic'` : "'none'";
  return `default-src 'self'; script-src ${scripts}; style-src 'self' ${styleHashes}; img-src 'self' data: blob:; media-src 'self' blob:; connect-src 'self' ${origin.replace(/^http/, "ws")}; ${rest}`;
}
/** The policy of a file that is opened by itself: nothing in it may act. */
export const FILE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

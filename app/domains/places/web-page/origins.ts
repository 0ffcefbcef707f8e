import { isLoopback } from "#app/lib/loopback.ts";

/** Websites that may show the frame of a place. */
export const MOST_ORIGINS = 10;

/**
 * Returns the origin of a website's address: "clinic.example/contact" gives "https://clinic.example". null: not the address of a website, or one
 * without TLS, whose pages anyone on the way can change; http is allowed on this machine. The result is a source of a CSP, so it has no spaces, semicolons or wildcards.
 */
export function readOrigin(text: string): string | null {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  if (!url || url.username || url.password) return null;
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname))) return null;
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(url.hostname)) return null;
  return url.hostname.includes(".") || url.hostname === "localhost" ? url.origin : null;
}

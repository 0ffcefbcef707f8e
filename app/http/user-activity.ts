import { pagePathOf } from "#app/lib/data-url.ts";
import type { RouteRules } from "#app/lib/route-rules.ts";

/** Sec-Fetch-Dest of parts of a page and of `fetch`. */
const PARTS = new Set(["image", "audio", "video", "track", "font", "style", "script", "manifest", "worker", "serviceworker", "empty"]);

/**
 * True when the user acts: opens a page, follows a link, sends a form. False for requests of an open page: images, polling,
 * and reloading its data (after a notification or a timeout). React Router sends the page as the Referer: a request for the
 * same page is such a reload, unless the user pressed reload.
 */
export function isUserActivity({ method, headers, url }: Request, { polled }: RouteRules): boolean {
  if (method !== "GET" && method !== "HEAD") return true;
  if (polled) return false;
  const { pathname, search } = new URL(url);
  const isData = pathname.endsWith(".data");
  if (!isData && headers.get("sec-fetch-site") !== null && PARTS.has(headers.get("sec-fetch-dest") ?? "")) return false;
  if (headers.get("sec-fetch-user") === "?1") return true;
  const referer = headers.get("referer") ?? "";
  if (!URL.canParse(referer)) return true;
  const from = new URL(referer);
  return pageOf(from.pathname, from.search) !== pageOf(pathname, search);
}

/** Returns the page URL of a `.data` URL. */
function pageOf(pathname: string, search: string): string {
  const query = new URLSearchParams(search);
  query.delete("_routes");
  return `${pagePathOf(pathname).replace(/(.)\/$/, "$1")}?${query}`;
}

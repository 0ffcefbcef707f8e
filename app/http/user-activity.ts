/** Parts of a page, and what a page asks for by itself. */
const PARTS = new Set(["image", "audio", "video", "track", "font", "style", "script", "manifest", "worker", "serviceworker", "empty"]);
/** Addresses that a page asks for by itself while it is open. */
const POLLED = new Set(["/doctor/registration-status", "/account/session"]);

/**
 * True when the user does something: opens a page, follows a link, sends a form. False for what an open page does by itself:
 * its pictures, a status that it polls, and asking again for its own data (after news, or as its time runs out). React Router
 * sends the address of the page as the Referer: asking for the same page again is a refresh, unless the user pressed reload.
 */
export function isUserActivity({ method, headers, url }: Request): boolean {
  if (method !== "GET" && method !== "HEAD") return true;
  const { pathname, search } = new URL(url);
  if (POLLED.has(pathname)) return false;
  const isData = pathname.endsWith(".data");
  if (!isData && headers.get("sec-fetch-site") !== null && PARTS.has(headers.get("sec-fetch-dest") ?? "")) return false;
  if (headers.get("sec-fetch-user") === "?1") return true;
  const referer = headers.get("referer") ?? "";
  if (!URL.canParse(referer)) return true;
  const from = new URL(referer);
  return pageOf(from.pathname, from.search) !== pageOf(pathname, search);
}

/** The address of the page that an address with `.data` belongs to. */
function pageOf(pathname: string, search: string): string {
  const query = new URLSearchParams(search);
  query.delete("_routes");
  const path = pathname === "/_root.data" ? "/" : pathname.replace(/\.data$/, "");
  return `${path.replace(/(.)\/$/, "$1")}?${query}`;
}

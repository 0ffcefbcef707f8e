import { type Head, isApi, isUnsafe, type Site } from "#app/http/request-head.ts";

/**
 * CSRF check of a state-changing request by Sec-Fetch-Site, Origin, then Referer. Returns the reason of a refusal, or null.
 * `hasSession`: it has a session cookie.
 */
export function crossSite(head: Head, site: Site, hasSession: boolean): string | null {
  if (!isUnsafe(head.method)) return null;
  const { origin } = head.headers;
  const fetchSite = head.headers["sec-fetch-site"];
  const api = isApi(head.url);
  const listed = api && origin !== undefined && (site.apiOrigins ?? []).includes(origin);
  if (origin !== undefined && !listed && !site.origins.includes(origin)) return "other origin";
  if (fetchSite !== undefined && fetchSite !== "same-origin" && fetchSite !== "none" && !listed) return "cross-site";
  // Text browsers and old phones send neither, but a Referer. A phone app sends none of them; the API uses its bearer token
  // only.
  if (origin === undefined && fetchSite === undefined && hasSession && !api && !isOwnReferer(head.headers.referer, site))
    return "session without origin";
  return null;
}

/** True if the Referer is one of our pages. With our Referrer-Policy `same-origin` browsers send it only to us. */
function isOwnReferer(referer: string | undefined, { origins }: Site): boolean {
  return referer !== undefined && URL.canParse(referer) && origins.includes(new URL(referer).origin);
}

import { type Head, isApi, type Site } from "#app/http/request-head.ts";

/** Returns CORS headers for allow-listed origins, none for others. */
export function corsHeaders(head: Head, site: Site): Record<string, string> {
  const { origin } = head.headers;
  if (!isApi(head.url) || !site.apiOrigins?.length) return {};
  if (origin === undefined || !site.apiOrigins.includes(origin)) return { vary: "Origin" };
  return {
    vary: "Origin",
    "access-control-allow-origin": origin,
    "access-control-expose-headers": "ETag, Link, Retry-After, Idempotency-Replayed, X-Request-Id",
  };
}

/** Returns the headers of a CORS preflight response, or null when the call is not allowed. */
export function preflight(head: Head, site: Site): Record<string, string> | null {
  const headers = corsHeaders(head, site);
  if (!headers["access-control-allow-origin"]) return null;
  return {
    ...headers,
    "access-control-allow-methods": "GET, POST, PUT, DELETE",
    "access-control-allow-headers": "Authorization, Content-Type, Idempotency-Key, If-None-Match",
    "access-control-max-age": "600",
  };
}

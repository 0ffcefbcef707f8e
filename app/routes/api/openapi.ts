import { documentOf } from "#app/http/api/document.server.ts";
import { etagOf, isUnchanged } from "#app/http/etag.ts";
import type { RouteRules } from "#app/lib/route-rules.ts";
import type { Route } from "./+types/openapi.ts";
import { ENDPOINTS } from "./endpoints.server.ts";
import { API_GROUPS } from "./groups.ts";

export const handle = { cookies: false } satisfies RouteRules;

/** `GET /api/openapi.json` */
export function loader({ url, request }: Route.LoaderArgs) {
  const text = JSON.stringify(documentOf(ENDPOINTS, API_GROUPS, url.origin));
  const etag = etagOf(text);
  const headers = { ETag: etag, "Cache-Control": "public, no-cache", "Content-Type": "application/json" };
  if (isUnchanged(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  return new Response(text, { headers });
}

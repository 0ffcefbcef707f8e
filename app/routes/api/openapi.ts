import { createHash } from "node:crypto";
import { documentOf } from "#app/http/api/document.server.ts";
import type { RouteRules } from "#app/lib/route-rules.ts";
import type { Route } from "./+types/openapi.ts";
import { ENDPOINTS } from "./endpoints.server.ts";
import { API_GROUPS } from "./groups.ts";

export const handle = { cookies: false } satisfies RouteRules;

/** `GET /api/openapi.json` */
export function loader({ url, request }: Route.LoaderArgs) {
  const text = JSON.stringify(documentOf(ENDPOINTS, API_GROUPS, url.origin));
  const etag = `W/"${createHash("sha256").update(text).digest("base64url").slice(0, 27)}"`;
  const headers = { ETag: etag, "Cache-Control": "public, no-cache", "Content-Type": "application/json" };
  if (request.headers.get("if-none-match")?.includes(etag.slice(2))) return new Response(null, { status: 304, headers });
  return new Response(text, { headers });
}

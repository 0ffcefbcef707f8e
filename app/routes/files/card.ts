import { openCard } from "#app/domains/directory/share-cards/open-card.server.ts";
import { ctxOf } from "#app/http/context.ts";
import { isUnchanged } from "#app/http/etag.ts";
import { answerFileRefusal } from "#app/http/file-refusal.server.ts";
import type { RouteRules } from "#app/lib/route-rules.ts";
import type { Route } from "./+types/card.ts";

export const handle = { cookies: false } satisfies RouteRules;

/**
 * Returns the image of a shared link: `/cards/doctor/<id>`, `/cards/hospital/<id>`, `/cards/nadi`, with `?lang=te&v=<version>`. A
 * URL with the current version is cached for a month, because another name, fee or rating changes the version; others for an
 * hour.
 */
export async function loader({ context, params, request, url }: Route.LoaderArgs) {
  try {
    const { kind, id } = "kind" in params ? params : { kind: "nadi", id: undefined };
    const { png, version } = await openCard(ctxOf(context), kind, id);
    const etag = `"${version}"`;
    const headers = {
      ETag: etag,
      "Cache-Control": `public, max-age=${url.searchParams.get("v") === version ? 2_592_000 : 3600}`,
      "Content-Security-Policy": "default-src 'none'; sandbox",
      Vary: "Accept-Language, Cookie",
    };
    if (isUnchanged(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
    return new Response(png as Uint8Array<ArrayBuffer>, {
      headers: { ...headers, "Content-Type": "image/png", "Content-Length": String(png.byteLength) },
    });
  } catch (error) {
    return answerFileRefusal(error);
  }
}

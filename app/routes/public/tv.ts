/** `/tv/{key}`: the screen of a waiting room. Its key is a secret of the place, so it needs no login; it shows no names of patients. */
import { openPlaceKey } from "#app/domains/waiting-room/place-links/place-links.server.ts";
import { getBoard } from "#app/domains/waiting-room/screen/board.server.ts";
import { ctxOf } from "#app/http/context.ts";
import { etagOf, isUnchanged } from "#app/http/etag.ts";
import { load } from "#app/http/load.server.ts";
import { asRefusal, refusals } from "#app/http/refusals.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import type { RouteRules } from "#app/lib/route-rules.ts";
import { m } from "#app/paraglide/messages.js";
import { refusedTvPage, TV_POLICY, tvPage } from "../light/tv-html.ts";
import type { Route } from "./+types/tv.ts";

export const handle = { session: false, polled: true, secret: "key" } satisfies RouteRules;

export const loader = load(async ({ context, params, request }: Route.LoaderArgs) => {
  const ctx = ctxOf(context);
  try {
    const place = await openPlaceKey(ctx, "tv", params.key);
    const { html, tag } = tvPage(await getBoard(ctx, place.id), ctx.now, etagOf);
    if (isUnchanged(request.headers.get("if-none-match"), tag)) return new Response(null, { status: 304, headers: HEADERS });
    return page(200, html, { ETag: tag });
  } catch (error) {
    return refused(error);
  }
});

/** Answers a refusal as a page. */
function refused(error: unknown): Response {
  const refusal = asRefusal(error);
  if (!(refusal instanceof DomainError)) throw refusal;
  if (refusal.code === "not-found") return page(404, refusedTvPage(m.tv_unknown(), m.tv_unknown_hint()));
  const { status, sentence } = refusals[refusal.code];
  return page(status, refusedTvPage(refusal.code === "too-many" ? m.tv_too_many() : sentence(), null));
}

const HEADERS = {
  "Cache-Control": "no-store",
  "X-Robots-Tag": "noindex",
  "Referrer-Policy": "no-referrer",
  Vary: "Accept-Language, Cookie",
};
const page = (status: number, html: string, more: Record<string, string> = {}) =>
  new Response(html, {
    status,
    headers: { ...HEADERS, "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": TV_POLICY, ...more },
  });

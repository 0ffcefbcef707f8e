/** `/embed/{slug}`: the free times of a place in a frame of other websites. No session, cookies or scripts. */
import { redirect } from "react-router";
import type { Ctx } from "#app/domains/context.server.ts";
import { getPublicHospital } from "#app/domains/directory/hospitals/directory.server.ts";
import { listDoctorsToday } from "#app/domains/directory/hospitals/today.server.ts";
import { findByShortName } from "#app/domains/directory/short-names/short-names.server.ts";
import { listEmbedOrigins } from "#app/domains/places/web-page/web-page.server.ts";
import { ctxOf } from "#app/http/context.ts";
import { etagOf, isUnchanged } from "#app/http/etag.ts";
import { languageInAddress } from "#app/http/language.server.ts";
import { load } from "#app/http/load.server.ts";
import { readOpen } from "#app/http/open-load.server.ts";
import { asRefusal, refusals } from "#app/http/refusals.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import type { RouteRules } from "#app/lib/route-rules.ts";
import { embedPage, embedPolicy, refusedEmbedPage } from "../light/embed-html.ts";
import type { Route } from "./+types/embed.ts";

export const handle = { session: false, cookies: false } satisfies RouteRules;

export const loader = load(async ({ context, params, request, url }: Route.LoaderArgs) => {
  const ctx = ctxOf(context);
  try {
    const { slug, name, doctors, origins } = await readOpen(context, ctx, (ctx) => readPlace(ctx, params.slug));
    if (slug !== params.slug) return redirect(`/embed/${slug}${url.search}`, 301);
    const html = embedPage({ name, path: `/h/${slug}`, doctors, today: todayInIndia(ctx.now), lang: languageInAddress(request.url) });
    const policy = embedPolicy(origins);
    // Who may frame it is a part of what a browser has stored.
    const headers = { ...HEADERS, "Content-Security-Policy": policy, ETag: etagOf(html + policy) };
    if (isUnchanged(request.headers.get("if-none-match"), headers.ETag)) return new Response(null, { status: 304, headers });
    return new Response(html, { headers: { ...headers, ...HTML } });
  } catch (error) {
    const refusal = asRefusal(error);
    if (!(refusal instanceof DomainError)) throw refusal;
    const { status, sentence } = refusals[refusal.code];
    const headers = { ...HEADERS, ...HTML, "Content-Security-Policy": embedPolicy([]) };
    return new Response(refusedEmbedPage(refusal.message || sentence()), { status, headers });
  }
});

const HTML = { "Content-Type": "text/html; charset=utf-8" };
const HEADERS = {
  "Cache-Control": "private, no-cache",
  // Websites with Cross-Origin-Embedder-Policy may show it too.
  "Cross-Origin-Resource-Policy": "cross-origin",
  "X-Robots-Tag": "noindex",
  Vary: "Accept-Language",
};

async function readPlace(ctx: Ctx, asked: string | undefined) {
  const { id, slug } = await findByShortName(ctx, "hospital", asked);
  const [{ name }, doctors, origins] = await Promise.all([
    getPublicHospital(ctx, id),
    listDoctorsToday(ctx, id),
    listEmbedOrigins(ctx, id),
  ]);
  return { slug, name, doctors, origins };
}

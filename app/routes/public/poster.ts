/** `/h/{slug}/poster?size=a5`: a printable poster with the QR code of the place's page. */
import { href, redirect } from "react-router";
import { qrCode } from "#app/domains/booking/payments/qr-code.server.ts";
import { getPublicHospital } from "#app/domains/directory/hospitals/directory.server.ts";
import { findByShortName } from "#app/domains/directory/short-names/short-names.server.ts";
import { ctxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { withLanguage } from "#app/lib/language.server.ts";
import { LANGUAGES, type Language } from "#app/lib/language.ts";
import type { RouteRules } from "#app/lib/route-rules.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { embedPolicy, refusedEmbedPage } from "../light/embed-html.ts";
import { POSTER_SIZES, posterPage, posterPolicy } from "../light/poster-html.ts";
import type { Route } from "./+types/poster.ts";

export const handle = { session: false } satisfies RouteRules;

export const loader = load(async ({ context, params, url }: Route.LoaderArgs) => {
  const ctx = ctxOf(context);
  const found = await findByShortName(ctx, "hospital", params.slug).catch((error: unknown) => {
    if (error instanceof DomainError) return null;
    throw error;
  });
  if (!found) return new Response(refusedEmbedPage(m.directory_hospital_not_found()), { status: 404, headers: headersOf(embedPolicy([])) });
  const { id, slug } = found;
  const base = href("/h/:slug/poster", { slug });
  if (slug !== params.slug) return redirect(base + url.search, 301);
  const size = POSTER_SIZES.find((one) => one === url.searchParams.get("size")) ?? "a4";
  const inEach = await Promise.all(LANGUAGES.map((one) => withLanguage(one, () => getPublicHospital(ctx, id))));
  const names = Object.fromEntries(LANGUAGES.map((one, i) => [one, inEach[i]!.name])) as Record<Language, string>;
  const { area, city } = inEach[LANGUAGES.indexOf("en")]!;
  const address = env().appUrl.origin + href("/h/:slug", { slug });
  const html = posterPage({ names, town: [area, city].filter(Boolean).join(", "), url: address, qr: qrCode(address), size, base });
  return new Response(html, { headers: headersOf(posterPolicy(size)) });
});

const headersOf = (policy: string) => ({
  "Content-Type": "text/html; charset=utf-8",
  "Cache-Control": "no-store",
  "X-Robots-Tag": "noindex",
  "Content-Security-Policy": policy,
});

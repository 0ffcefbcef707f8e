/** `/calendar/{key}.ics`: the appointments of a patient or doctor for calendar apps. The key is the secret, so it needs no login. */
import { openFeed } from "#app/domains/booking/calendar-feed/open-feed.server.ts";
import { ctxOf } from "#app/http/context.ts";
import { etagOf, isUnchanged } from "#app/http/etag.ts";
import { load } from "#app/http/load.server.ts";
import { asRefusal, refusals } from "#app/http/refusals.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import type { RouteRules } from "#app/lib/route-rules.ts";
import { env } from "#app/runtime/env.server.ts";
import type { Route } from "./+types/calendar-feed.ts";

export const handle = { session: false, cookies: false, polled: true, secret: "key" } satisfies RouteRules;

export const loader = load(async ({ context, params, request }: Route.LoaderArgs) => {
  try {
    const text = await openFeed(ctxOf(context), (params.key ?? "").replace(/\.ics$/, ""), env().appUrl.origin);
    const headers = { ...HEADERS, ETag: etagOf(text) };
    if (isUnchanged(request.headers.get("if-none-match"), headers.ETag)) return new Response(null, { status: 304, headers });
    return new Response(text, { headers: { ...headers, "Content-Type": "text/calendar; charset=utf-8" } });
  } catch (error) {
    const refusal = asRefusal(error);
    if (!(refusal instanceof DomainError)) throw refusal;
    return new Response(null, { status: refusals[refusal.code].status, headers: HEADERS });
  }
});

const HEADERS = { "Cache-Control": "private, no-cache", "X-Robots-Tag": "noindex", "Referrer-Policy": "no-referrer" };

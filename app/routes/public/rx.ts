/** `/rx/{code}`: the check of a signed prescription for a pharmacist. The code is the key; no login. */
import { LRUCache } from "lru-cache";
import type { Ctx } from "#app/domains/context.server.ts";
import { spendLimits } from "#app/domains/platform/limits/limit.server.ts";
import { checkDocument } from "#app/domains/visit/documents/verify.server.ts";
import { ctxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { asRefusal, refusals } from "#app/http/refusals.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { minutes } from "#app/lib/durations.ts";
import { ofDatabase } from "#app/lib/of-start.ts";
import type { RouteRules } from "#app/lib/route-rules.ts";
import { m } from "#app/paraglide/messages.js";
import { RX_POLICY, refusedRxPage, rxPage } from "../light/rx-html.ts";
import type { Route } from "./+types/rx.ts";

export const handle = { session: false, secret: "code" } satisfies RouteRules;

/** Wrong codes by address while the database cannot count them. */
const uncounted = ofDatabase(new LRUCache<string, number>({ max: 10_000, ttl: minutes(10) }));
const MOST_UNCOUNTED = 30;

export const loader = load(async ({ context, params }: Route.LoaderArgs) => {
  const ctx = ctxOf(context);
  try {
    return page(200, rxPage(await checkDocument(ctx, params.code), ctx.now));
  } catch (error) {
    const refusal = asRefusal(error);
    if (!(refusal instanceof DomainError)) throw refusal;
    if (refusal.code !== "not-found")
      return page(refusals[refusal.code].status, refusedRxPage(refusals[refusal.code].sentence(), m.rx_later()));
    return (await isFull(ctx))
      ? page(429, refusedRxPage(m.rx_too_many(), m.rx_later()))
      : page(404, refusedRxPage(m.rx_unknown(), m.rx_unknown_text()));
  }
});

/** Counts a wrong code of an address. While the database is read-only this process counts. */
async function isFull(ctx: Ctx): Promise<boolean> {
  try {
    await spendLimits(ctx, [{ limit: "rx-wrong", address: ctx.ip }]);
    return false;
  } catch (error) {
    if (error instanceof DomainError && error.code === "too-many") return true;
    const count = (uncounted.get(ctx.ip) ?? 0) + 1;
    uncounted.set(ctx.ip, count);
    return count > MOST_UNCOUNTED;
  }
}

const page = (status: number, html: string) =>
  new Response(html, {
    status,
    headers: {
      "Cache-Control": "no-store",
      "X-Robots-Tag": "noindex",
      "Referrer-Policy": "no-referrer",
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": RX_POLICY,
    },
  });

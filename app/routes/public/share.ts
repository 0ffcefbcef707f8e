/**
 * `/s/{secret}`: the first page of a link to one record. It opens nothing: previews of messages and scanners of mail load it, and do not count.
 * The secret is the key; no login.
 */
import { findShare } from "#app/domains/visit/sharing/open-share.server.ts";
import { ctxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import type { RouteRules } from "#app/lib/route-rules.ts";
import { answerShare, sharePage } from "../light/share-html.ts";
import type { Route } from "./+types/share.ts";

export const handle = { session: false, secret: "key" } satisfies RouteRules;

export const loader = load(({ context, params }: Route.LoaderArgs) => {
  const ctx = ctxOf(context);
  return answerShare(async () => {
    return sharePage(params.key, await findShare(ctx, params.key));
  });
});

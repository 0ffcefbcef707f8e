import { fitting, suggest } from "#app/domains/directory/suggestions/suggest.server.ts";
import type { Suggestion } from "#app/domains/directory/suggestions/suggestion.ts";
import { findSearchDanger, type SearchDanger } from "#app/domains/guidance/emergency/find-danger.server.ts";
import { SUGGESTIONS } from "#app/domains/platform/limits/limits.ts";
import { countAddress } from "#app/http/api/call-limit.server.ts";
import { loadOpen } from "#app/http/open-load.server.ts";
import { nearOf } from "#app/http/place.server.ts";
import type { Route } from "./+types/suggestions.ts";

export type Suggestions = { found: Suggestion[]; danger?: SearchDanger };

/** What the search offers while a user types: for its script only. @throws DomainError("too-many") */
export const loader = loadOpen(async (ctx, { context, request, url }: Route.LoaderArgs) => {
  countAddress(SUGGESTIONS, ctx.ip, ctx.now, "suggestions");
  const text = (url.searchParams.get("q") ?? "").slice(0, 100);
  const near = await nearOf(context, request);
  const [found, danger] = await Promise.all([suggest(ctx, text, near), findSearchDanger(ctx, text, near)]);
  return Response.json(fitting({ found, ...(danger && { danger }) } satisfies Suggestions));
});

import { homeOf } from "#app/areas.ts";
import { dismissAnnouncement } from "#app/domains/oversight/announcements/queries.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { redirectTo } from "#app/http/redirects.server.ts";
import { orRefuse } from "#app/http/refusals.server.ts";
import type { Route } from "./+types/announcement-dismiss.ts";

/** A link that was opened instead of pressed leads home. */
export const loader = ({ context }: Route.LoaderArgs) => redirectTo(homeOf(actorCtxOf(context).actor.role));

/** Closes the banner of an announcement for the user. */
export async function action({ context, params }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  await orRefuse(() => dismissAnnouncement(ctx, params.id));
  return redirectTo(homeOf(ctx.actor.role));
}

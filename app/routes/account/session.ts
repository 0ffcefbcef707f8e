import { ctxOf, sessionContext } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { idleOf } from "#app/http/session.server.ts";
import type { RouteRules } from "#app/lib/route-rules.ts";
import type { Route } from "./+types/session.ts";

export const handle = { polled: true } satisfies RouteRules;

/**
 * Returns the seconds until this session ends if it is not used; 0 when it has ended. Open pages poll it, which does not count as
 * use.
 */
const answer = ({ context }: Pick<Route.LoaderArgs, "context">) =>
  Response.json({ left: idleOf(context.get(sessionContext), ctxOf(context).now)?.left ?? 0 });

export const loader = load(answer);
/** "Stay logged in": a post counts as use (http/user-activity.ts). */
export const action = load(answer);

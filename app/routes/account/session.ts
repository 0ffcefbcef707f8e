import { ctxOf, sessionContext } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { idleOf } from "#app/http/session.server.ts";
import type { Route } from "./+types/session.ts";

/** How long this session lasts if it is not used again, in seconds: 0 when it has ended. Asked by an open page, so it is no use. */
const answer = ({ context }: Pick<Route.LoaderArgs, "context">) =>
  Response.json({ left: idleOf(context.get(sessionContext), ctxOf(context).now)?.left ?? 0 });

export const loader = load(answer);
/** "Stay logged in": a post is use like any other (http/user-activity.ts). */
export const action = load(answer);

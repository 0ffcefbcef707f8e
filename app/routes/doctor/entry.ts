import { href } from "react-router";
import { homeOf } from "#app/areas.ts";
import { sessionContext } from "#app/http/context.ts";
import { redirectTo, redirectWithToast } from "#app/http/redirects.server.ts";
import { m } from "#app/paraglide/messages.js";
import type { Route } from "./+types/entry.ts";

/** Spec 000 §2 and §6: the target after a session has ended. Redirects a user with a session to their home page. */
export function loader({ context }: Route.LoaderArgs) {
  const session = context.get(sessionContext);
  if (session) return redirectTo(homeOf(session.role));
  return redirectWithToast(href("/dual-doctor"), m.profile_session_expired(), { type: "info" });
}

import { sessionContext } from "#app/http/context.ts";
import { homeOf } from "#app/http/middleware.server.ts";
import { redirectTo, redirectWithToast } from "#app/http/redirects.server.ts";
import { m } from "#app/paraglide/messages.js";
import type { Route } from "./+types/entry.ts";

/** Spec 000 §2 and §6: where a doctor is sent when the session is over. Who has one is led to their own pages. */
export function loader({ context }: Route.LoaderArgs) {
  const session = context.get(sessionContext);
  if (session) return redirectTo(homeOf(session.role));
  return redirectWithToast("/dual-doctor", m.profile_session_expired(), { type: "info" });
}

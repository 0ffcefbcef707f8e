import { homeOf } from "#app/areas.ts";
import { sessionContext } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { redirectTo } from "#app/http/redirects.server.ts";
import type { Route } from "./+types/start.ts";

/** Start of the installed app (routes/public/manifest.ts): the home page, or the first page for visitors. */
export const loader = load(({ context }: Route.LoaderArgs) => {
  const session = context.get(sessionContext);
  throw redirectTo(session ? homeOf(session.role) : "/");
});

import { sessionContext } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { homeOf } from "#app/http/middleware.server.ts";
import { redirectTo } from "#app/http/redirects.server.ts";
import type { Route } from "./+types/start.ts";

/** Where the installed app begins (routes/public/manifest.ts): at home, or at the first page for whoever is not logged in. */
export const loader = load(({ context }: Route.LoaderArgs) => {
  const session = context.get(sessionContext);
  throw redirectTo(session ? homeOf(session.role) : "/");
});

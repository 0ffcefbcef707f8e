/** Answers a POST whose route needs no page (`direct` in route-rules.ts): React Router compares each request with all routes, twice. */
import type { RouterContextProvider } from "react-router";
import { ctxContext, factsContext } from "#app/http/context.ts";
import { visitorCtx } from "#app/http/middleware.server.ts";
import type { RouteAt } from "./find-rules.ts";

/** Calls the action of a route for a visitor. */
export async function callAction(request: Request, context: RouterContextProvider, route: RouteAt): Promise<Response> {
  const { action, pattern, params } = route;
  if (!action) return new Response(null, { status: 405 });
  context.set(ctxContext, visitorCtx(context.get(factsContext)));
  return (await action({ request, context, params, pattern, url: new URL(request.url) })) as Response;
}

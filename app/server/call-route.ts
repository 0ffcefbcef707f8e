/** Answers a POST whose route needs no page (`direct` in route-rules.ts): React Router compares each request with all routes, twice. */
import type { RouterContextProvider } from "react-router";
import { ctxContext, factsContext } from "#app/http/context.ts";
import { visitorCtx } from "#app/http/middleware.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { Turns } from "#app/lib/turns.ts";
import type { RouteAt } from "./find-rules.ts";

/** A webhook takes about a millisecond: a page waits for no more than some of them. Those that wait longer than a second are refused. */
const turns = new Turns({ each: 8, waiting: 300 });

/** Calls the action of a route for a visitor. Its sender repeats what was answered with 503, when too many wait. */
export async function callAction(newRequest: () => Request, context: RouterContextProvider, route: RouteAt): Promise<Response> {
  const { action, pattern, params } = route;
  if (!action) return new Response(null, { status: 405 });
  context.set(ctxContext, visitorCtx(context.get(factsContext)));
  try {
    await turns.next();
    const request = newRequest();
    return (await action({ request, context, params, pattern, url: new URL(request.url) })) as Response;
  } catch (error) {
    if (error instanceof DomainError && error.code === "unavailable") return new Response(null, { status: 503 });
    throw error;
  }
}

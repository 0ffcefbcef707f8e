import { answerCall } from "#app/http/api/answer-call.server.ts";
import { ctxOf } from "#app/http/context.ts";
import type { RouteRules } from "#app/lib/route-rules.ts";
import type { Route } from "./+types/call.ts";
import { ENDPOINTS } from "./endpoints.server.ts";

// The API reads a bearer token, never a cookie. Upload limits and deadlines are in each call of the table.
export const handle = { cookies: false } satisfies RouteRules;

/** Answers every call of the API from the table, and all other paths below /api and /api1 with 404 in JSON. */
const call = ({ context, request, url }: Route.LoaderArgs | Route.ActionArgs) =>
  answerCall(ENDPOINTS, { ...ctxOf(context), actor: null }, request, url);

export const loader = (args: Route.LoaderArgs) => call(args);
export const action = (args: Route.ActionArgs) => call(args);

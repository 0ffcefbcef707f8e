import { answerCall } from "#app/http/api/answer-call.server.ts";
import { ctxOf } from "#app/http/context.ts";
import type { Route } from "./+types/call.ts";
import { ENDPOINTS } from "./endpoints.server.ts";

/** Every call of the API: what it does stands in the table. The session of a cookie is not looked at (middleware.server.ts). */
const call = ({ context, request, url }: Route.LoaderArgs | Route.ActionArgs) =>
  answerCall(ENDPOINTS, { ...ctxOf(context), actor: null }, request, url);

export const loader = (args: Route.LoaderArgs) => call(args);
export const action = (args: Route.ActionArgs) => call(args);

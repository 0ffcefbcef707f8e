import * as build from "virtual:react-router/server-build";
import { ENDPOINTS } from "#app/routes/api/endpoints.server.ts";
import { rulesFinder } from "./find-rules.ts";

/** The rules of this build's routes. */
export const { rulesOf, routeAt, loggedPath } = rulesFinder(build.routes, ENDPOINTS);

/** Finds the rules of a request's route before React Router runs: in the `handle` of its route, or in its call of the API. */
import { createMultiMatcher } from "@remix-run/route-pattern/match";
import type { ActionFunction, ServerBuild } from "react-router";
import { type AreaName, areaOf } from "#app/areas.ts";
import type { EndpointTable } from "#app/http/api/endpoint.ts";
import { callsAt } from "#app/http/api/find-endpoint.ts";
import { isApi } from "#app/http/request-head.ts";
import { pagePathOf } from "#app/lib/data-url.ts";
import type { RouteRules } from "#app/lib/route-rules.ts";

/** Each request asks several times for the route of its path. */
const REMEMBERED = 200;

type Routes = ServerBuild["routes"];
/** `pattern`: as React Router passes it to middleware. `action`: of the route itself. */
export type RouteAt = {
  pattern: string;
  area: AreaName;
  rules: RouteRules;
  action: ActionFunction | undefined;
  params: Record<string, string | undefined>;
};

export type RulesFinder = {
  /** Returns the rules of a request; none for a malformed URL, which is refused (gates.ts). */
  rulesOf(head: { method: string; url: string }): RouteRules;
  /** Returns the path of a URL for the log: without query, and without secrets in the path. */
  loggedPath(url: string): string;
  /** Returns the route of a URL; undefined for a malformed path. */
  routeAt(url: string): RouteAt | undefined;
};

/** Reads the rules of all routes once. The rules of a layout apply to its pages. @throws for a route without an area */
export function rulesFinder(routes: Routes, endpoints: EndpointTable): RulesFinder {
  const matcher = createMultiMatcher<Omit<RouteAt, "params">>({ ignoreCase: true });
  const secretPaths = new Set<string>();
  for (const route of Object.values(routes)) {
    // The root and layouts have neither: they are no page of their own.
    if (!route?.path && !route?.index) continue;
    const chain = withParents(routes, route);
    const path = chain.flatMap(({ path }) => path || []).join("/");
    const area = areaOf(route.id);
    if (!area) throw new Error(`app/routes.ts: /${path} is in no area`);
    const rules = Object.assign({}, ...chain.map(({ module }) => module.handle)) as RouteRules;
    matcher.add(path === "" || path.endsWith("*") ? `/${path}` : `/${path}(/)`, {
      pattern: path || "/",
      area,
      rules,
      action: route.module.action,
    });
    if (rules.secret) secretPaths.add(firstPart(`/${path}`));
  }
  const found = new Map<string, { route: RouteAt | undefined }>();
  const routeOf = (path: string): RouteAt | undefined => {
    const before = found.get(path);
    if (before) return before.route;
    const match = matcher.match(urlOf(path));
    const route = match ? { ...match.data, params: match.params } : undefined;
    if (found.size >= REMEMBERED) found.clear();
    found.set(path, { route });
    return route;
  };

  return {
    rulesOf({ method, url }) {
      const path = pagePathOf(pathOf(url));
      const rules = routeOf(path)?.rules ?? {};
      return isApi(url) ? { ...rules, ...callsAt(endpoints, urlOf(path))?.calls.get(method)?.entry } : rules;
    },

    loggedPath(url) {
      const path = pathOf(url);
      // Compared first, because this runs for every request and most paths have no secret.
      if (!secretPaths.has(firstPart(path))) return path.slice(0, 200);
      const route = routeOf(pagePathOf(path));
      const parts = ["", ...(route?.pattern.split("/") ?? [])];
      const isSecret = (place: number) => (route?.rules.secret ? parts[place] === `:${route.rules.secret}` : place > 1);
      return path
        .split("/")
        .map((part, place) => (isSecret(place) ? `…${part.endsWith(".data") ? ".data" : ""}` : part))
        .join("/")
        .slice(0, 200);
    },

    routeAt: (url) => routeOf(pagePathOf(pathOf(url))),
  };
}

type Route = NonNullable<Routes[string]>;
/** Returns the route after its parents. */
function withParents(routes: Routes, route: Route): Route[] {
  const parent = route.parentId === undefined ? undefined : routes[route.parentId];
  return parent ? [...withParents(routes, parent), route] : [route];
}

/** React Router drops empty parts of a path. */
const pathOf = (url: string) => url.split("?", 1)[0]!.replace(/\/{2,}/g, "/");

function urlOf(path: string): URL {
  const url = new URL("http://route");
  url.pathname = path;
  return url;
}

/** Returns the first part of a path as routes are matched: decoded, in lower case. */
function firstPart(path: string): string {
  const [, part = ""] = path.split("/", 2);
  try {
    return decodeURIComponent(part).toLowerCase();
  } catch {
    return part;
  }
}

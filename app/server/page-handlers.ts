/**
 * Runs React Router with the routes of one page: it matches a request against each route of its build, several times, and copies
 * the list of them for each response. With a hundred routes that was a tenth of a page's processor time (docs/performance.md).
 */
import { createRequestHandler, matchRoutes, type RouteObject, type ServerBuild } from "react-router";
import { pagePathOf } from "#app/lib/data-url.ts";

type Handler = ReturnType<typeof createRequestHandler>;
type Page = { handle: Handler; tree: RouteObject[] };

/**
 * Returns a handler that uses one React Router handler per page, created at the page's first request. Paths for which React
 * Router may choose another page go to the handler of all routes.
 * @param routeIdsAt returns the ids of the route at a path and of its parents
 */
export function handlePages(build: ServerBuild, routeIdsAt: (pathname: string) => readonly string[] | undefined): Handler {
  const whole = createRequestHandler(build, "production");
  const unclear = unclearRoutes(build.routes);
  // As many as there are pages.
  const pages = new Map<string, Page>();
  return (request, context) => {
    const { pathname } = new URL(request.url);
    // React Router drops empty parts.
    const ids = pathname.includes("//") ? undefined : routeIdsAt(pathname);
    const id = ids?.at(-1);
    if (!ids || id === undefined || unclear.has(id)) return whole(request, context);
    const page = pages.get(id) ?? pageOf(build, ids);
    pages.set(id, page);
    return (matchRoutes(page.tree, pagePathOf(pathname)) ? page.handle : whole)(request, context);
  };
}

/** @param ids the route after its parents */
function pageOf(build: ServerBuild, ids: readonly string[]): Page {
  const routes = Object.fromEntries(ids.map((id) => [id, build.routes[id]]));
  const tree = ids.reduceRight<RouteObject[]>((children, id) => {
    const { path, index } = build.routes[id] ?? {};
    return [index ? { id, path, index } : { id, path, children }];
  }, []);
  return { handle: createRequestHandler({ ...build, routes }, "production"), tree };
}

/**
 * Returns the ids of routes that share paths with a route that is more specific in another part of the path, as `a/:b` and
 * `:a/b` do: which of them React Router ranks first depends on its scores.
 */
export function unclearRoutes(routes: ServerBuild["routes"]): Set<string> {
  const all = Object.values(routes).flatMap((route) =>
    route && (route.index || route.path) ? [{ id: route.id, parts: partsOf(routes, route.id) }] : [],
  );
  const isOpen = (part: string | undefined) => part === undefined || part.startsWith(":") || part === "*";
  // `a/*` also matches `a`, which the page "not found" is found for.
  const unclear = all.filter(
    ({ parts }) =>
      parts[0] === "*" ||
      all.some(({ parts: others }) => {
        const places = parts.map((_, i) => i).slice(0, others.includes("*") ? others.length - 1 : parts.length);
        const overlap =
          (others.length === parts.length || others.includes("*") || parts.includes("*")) &&
          places.every((i) => isOpen(parts[i]) || isOpen(others[i]) || parts[i] === others[i]);
        return (
          overlap &&
          places.some((i) => isOpen(parts[i]) && !isOpen(others[i])) &&
          places.some((i) => !isOpen(parts[i]) && isOpen(others[i]))
        );
      }),
  );
  return new Set(unclear.map(({ id }) => id));
}

function partsOf(routes: ServerBuild["routes"], id: string): string[] {
  const { path, parentId } = routes[id] ?? {};
  return [...(parentId ? partsOf(routes, parentId) : []), ...(path ? path.split("/") : [])];
}

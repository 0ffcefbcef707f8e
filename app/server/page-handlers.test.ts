import type { RouteConfigEntry } from "@react-router/dev/routes";
import fc from "fast-check";
import { matchRoutes, type RouteObject, RouterContextProvider, type ServerBuild } from "react-router";
import { describe, expect, it } from "vitest";
import config from "#app/routes.ts";
import { rulesFinder } from "./find-rules.ts";
import { handlePages, unclearRoutes } from "./page-handlers.ts";

type Routes = ServerBuild["routes"];
/** Returns the product's routes as the build has them, with an empty module each, and as React Router matches them. */
function productRoutes(): { routes: Routes; tree: RouteObject[] } {
  const routes: Record<string, unknown> = { root: { id: "root", path: "", module: {} } };
  let layouts = 0;
  const read = (entries: RouteConfigEntry[], parentId: string): RouteObject[] =>
    entries.map(({ id = `route-${layouts++}`, path, index, children = [] }) => {
      routes[id] = { id, path, index, parentId, module: {} };
      return index ? { id, path, index } : { id, path, children: read(children, id) };
    });
  const children = read(config as RouteConfigEntry[], "root");
  return { routes: routes as Routes, tree: [{ id: "root", path: "", children }] };
}

describe("the routes of a path", () => {
  const { routes, tree } = productRoutes();
  const { routeIdsAt } = rulesFinder(routes, {} as never);
  const chosen = (path: string) => matchRoutes(tree, path)?.map(({ route }) => route.id);
  const patterns = Object.values(routes).flatMap((route) => {
    const parts: string[] = [];
    for (let at = route; at; at = at.parentId ? routes[at.parentId] : undefined) if (at.path) parts.unshift(at.path);
    return [`/${parts.join("/")}`];
  });
  const words = [...new Set(patterns.flatMap((pattern) => pattern.split("/")))].filter((word) => !/^[:*]|^$/.test(word));
  const word = fc.constantFrom(...words, "7", "New", "a%20b", "a.b", "తె", "%E0", "..", ":id", "*");

  const unclear = unclearRoutes(routes);

  it("are clear for all but a few pages", () => {
    expect([...unclear].map((id) => routes[id]?.path)).toEqual([
      "patient/appointments/:id/calendar.ics",
      "patient/appointments/:id/cancel",
      "patient/appointments/:id/proposal",
      "patient/appointments/:id/reschedule",
      "patient/appointments/:id/review",
      "patient/appointments/payment/:id",
      "*",
    ]);
  });

  it("are those that React Router chooses, for each pattern that is clear", () => {
    for (const pattern of patterns)
      for (const value of ["7", "add", "calendar.ics", "A-b"])
        for (const end of ["", "/"]) {
          const path = pattern.replace(/:\w+/g, value).replace("*", "x/y") + (pattern === "/" ? "" : end);
          const ids = routeIdsAt(path);
          if (!unclear.has(ids?.at(-1) as string)) expect(ids, path).toEqual(chosen(path));
        }
  });

  it("are those that React Router chooses, or the page's own routes do not match, for any path", () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), fc.constantFrom("", "/", ".data"), (parts, end) => {
        const { pathname } = new URL(`http://x/${parts.join("/")}${end}`);
        if (pathname.includes("//")) return true;
        const path = pathname.replace(/(?<=\/)_\.data$|\.data$/, "");
        const ids = routeIdsAt(pathname);
        if (!ids || unclear.has(ids.at(-1) as string) || ids.join() === chosen(path)?.join()) return true;
        const own = ids.reduceRight<RouteObject[]>((children, id) => {
          const { path, index } = routes[id] ?? {};
          return [index ? { id, path, index } : { id, path, children }];
        }, []);
        return matchRoutes(own, path) === null;
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("handlers of pages", () => {
  const page = (id: string, path: string | undefined, parentId: string | undefined, loader?: () => unknown) => ({
    [id]: { id, path, parentId, module: loader ? { loader: () => Response.json(loader()) } : {} },
  });
  const routes = {
    ...page("root", "", undefined),
    ...page("new", "x/new", "root", () => "new"),
    ...page("one", "x/:id", "root", () => "one"),
    ...page("rest", "*", "root", () => "rest"),
  } as unknown as Routes;
  const build = { routes, entry: { module: {} }, ssr: true, routeDiscovery: { mode: "initial" }, future: {}, assets: {}, basename: "/" };
  const asked: string[] = [];
  const { routeIdsAt } = rulesFinder(routes, {} as never);
  const handle = handlePages(build as unknown as ServerBuild, (path) => {
    asked.push(path);
    return path === "/x/wrong/way" ? ["root", "one"] : routeIdsAt(path);
  });
  const answerAt = async (path: string) =>
    (await handle(new Request(`http://localhost${path}`), new RouterContextProvider())).json() as Promise<string>;

  it.each([
    ["/x/new", "new"],
    ["/x/7", "one"],
    ["/x/8?a=b", "one"],
    ["/nowhere", "rest"],
    // Found by mistake: React Router does not match it to that page.
    ["/x/wrong/way", "rest"],
  ])("%s is answered by its own route", async (path, route) => expect(await answerAt(path)).toBe(route));
});

import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RouteConfigEntry } from "@react-router/dev/routes";
import type { matchRoutes, RouteObject } from "react-router";
import { expect, it, onTestFinished, vi } from "vitest";
import routes from "../app/routes.ts";
import { CHANGED_FILES, withoutUnusedParts } from "../vite/react-router-parts.ts";

const ROOT = join(import.meta.dirname, "../node_modules/react-router/dist/production");
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");

it("finds every part of the installed React Router that browsers do not get", () => {
  expect(CHANGED_FILES.length).toBeGreaterThan(3);
  for (const file of CHANGED_FILES) expect(withoutUnusedParts(read(file), join(ROOT, file))).not.toBe(read(file));
  expect(withoutUnusedParts(read("lib/href.js"), join(ROOT, "lib/href.js"))).toBe(null);
});

it("fails the build when React Router changes such a part", () => {
  const [file] = CHANGED_FILES as [string];
  expect(() => withoutUnusedParts("export {};", join(ROOT, file))).toThrow("React Router has changed");
});

it("removes only options that the app does not set", () => {
  const read = (path: string) => readFileSync(join(import.meta.dirname, "..", path), "utf8");
  expect(read("react-router.config.ts")).toMatch(/ssr: true,[\s\S]+routeDiscovery: \{ mode: "initial" \}/);
  expect(read("react-router.config.ts")).not.toMatch(/unstable_customRouteDiscovery|unstable_apiOnly/);
  expect(read("app/entry.client.tsx")).toContain("<HydratedRouter />");
});

it("finds the same route for each path as the installed React Router", async () => {
  const changed = join(import.meta.dirname, "../node_modules/.cache/react-router-parts");
  onTestFinished(() => rmSync(changed, { recursive: true, force: true }));
  cpSync(join(ROOT, "lib/router"), changed, { recursive: true });
  writeFileSync(join(changed, "utils.js"), withoutUnusedParts(read("lib/router/utils.js"), join(ROOT, "lib/router/utils.js"))!);
  type Ranked = { start?: string }[];
  type Utils = {
    flattenAndRankRoutes(routes: RouteObject[]): Ranked;
    matchRoutesImpl(routes: RouteObject[], path: string, basename: string, partly: boolean, ranked: Ranked): ReturnType<typeof matchRoutes>;
  };

  const tree = (entries: readonly RouteConfigEntry[]): RouteObject[] =>
    entries.map(({ id, file, path, index, children = [] }) =>
      index ? { id: id ?? file, path, index } : { id: id ?? file, path, children: tree(children) },
    );
  const pathsOf = (entries: readonly RouteConfigEntry[], parent = ""): string[] =>
    entries.flatMap(({ path, children = [] }) => {
      const own = path ? `${parent}/${path}` : parent;
      return [own, ...pathsOf(children, own)];
    });
  const all = tree(await routes);
  const paths = [...new Set(pathsOf(await routes))];
  expect(paths.length).toBeGreaterThan(200);
  const matcherOf = async (folder: string) => {
    const { flattenAndRankRoutes, matchRoutesImpl } = (await import(join(folder, "utils.js"))) as Utils;
    const ranked = flattenAndRankRoutes(all);
    return (path: string) =>
      matchRoutesImpl(all, path, "/", false, ranked)?.map(({ route, params, pathname }) => [route.id, params, pathname]);
  };
  const [installed, ours] = [await matcherOf(join(ROOT, "lib/router")), await matcherOf(changed)];
  for (const path of paths) {
    const usual = path.replace(/:[\w-]+\??/g, "Some-1").replace("*", "a/b") || "/";
    const without = path.replace(/\/:[\w-]+\?|\/\*/g, "").replace(/:[\w-]+/g, "%E0%B0%85%2Fx") || "/";
    for (const at of [
      usual,
      without,
      usual.toUpperCase(),
      `${usual}/`,
      `${usual}//`,
      `/${usual}`,
      `${usual}/more`,
      `${usual}more`,
      usual.slice(0, -1),
    ])
      expect(ours(at), at).toEqual(installed(at));
  }
});

it("starts each page with the same data as the installed React Router", async () => {
  const file = "lib/dom/ssr/hydration.js";
  const changed = join(import.meta.dirname, "../node_modules/.cache/react-router-start");
  onTestFinished(() => rmSync(changed, { recursive: true, force: true }));
  cpSync(ROOT, changed, { recursive: true });
  writeFileSync(join(changed, file), withoutUnusedParts(read(file), join(ROOT, file))!);
  type Start = { state: { loaderData: Record<string, unknown> }; routes: RouteObject[]; location: { pathname: string }; future: object };
  type Hydration = { getHydrationData(start: Start & { getRouteInfo(id: string): { hasLoader: boolean } }): unknown };
  const [installed, ours] = (await Promise.all([ROOT, changed].map((folder) => import(join(folder, file))))) as [Hydration, Hydration];

  const routes: RouteObject[] = [
    {
      id: "root",
      path: "",
      children: [
        { id: "frame", children: [{ id: "page", path: "page" }] },
        { id: "other", path: "other" },
      ],
    },
  ];
  const modules: Record<string, string[]> = { "/page": ["root", "frame", "page"], "/other": ["root", "other"] };
  onTestFinished(() => void vi.unstubAllGlobals());
  for (const [pathname, ids] of Object.entries(modules))
    for (const loaders of [["root", "page"], ["frame", "other"], []]) {
      vi.stubGlobal("window", { __reactRouterRouteModules: Object.fromEntries(ids.map((id) => [id, {}])) });
      const loaderData = Object.fromEntries(ids.filter((id) => loaders.includes(id)).map((id) => [id, { of: id }]));
      const start = {
        state: { loaderData },
        routes,
        location: { pathname },
        future: {},
        getRouteInfo: (id: string) => ({ hasLoader: loaders.includes(id) }),
      };
      const data = ours.getHydrationData(start);
      expect(data).toEqual(installed.getHydrationData(start));
      expect(data).toHaveProperty("loaderData");
    }
});

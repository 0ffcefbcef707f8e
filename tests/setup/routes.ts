/** The routes of the product as one list, for tests that cover all of them. */
import type { RouteConfigEntry } from "@react-router/dev/routes";
import { type AreaName, areaOf } from "#app/areas.ts";
import routes from "#app/routes.ts";

/** `files`: from the outermost frame to the page. */
export type RouteOfTest = { pattern: string; id: string; area: AreaName; files: string[]; hasChildren: boolean };

function flatten(entries: RouteConfigEntry[], above = "", frames: string[] = []): RouteOfTest[] {
  return entries.flatMap(({ id = "", path, index, file, children = [] }) => {
    const pattern = path === undefined ? above : `${above}/${path}`;
    const files = [...frames, file];
    const page = { pattern: pattern || "/", id, area: areaOf(id) as AreaName, files, hasChildren: children.length > 0 };
    return [...(index || path !== undefined ? [page] : []), ...flatten(children, pattern, files)];
  });
}

export const ROUTES: readonly RouteOfTest[] = flatten(await routes);

import type { MiddlewareFunction } from "react-router";

/** The parts of React Router's manifest in the browser that this module reads. */
type Entry = { parentId?: string; path?: string; module: string; imports?: string[] };
type Manifest = { routes: Record<string, Entry | undefined> };

/** Returns the scripts of the routes with this pattern. @internal */
export function scriptsOf({ routes }: Manifest, pattern: string): string[] {
  const parentOf = ({ parentId }: Entry) => (parentId ? routes[parentId] : undefined);
  const patternOf = (entry: Entry): string => {
    const parent = parentOf(entry);
    return [parent && patternOf(parent), entry.path].filter(Boolean).join("/");
  };
  const files = new Set<string>();
  for (const route of Object.values(routes))
    if (route && patternOf(route) === pattern)
      for (let at: Entry | undefined = route; at; at = parentOf(at)) for (const file of [at.module, ...(at.imports ?? [])]) files.add(file);
  return [...files];
}

const requested = new Set<string>();
/**
 * Client middleware: requests the scripts of the next page, and the icons that it may need, beside its data. Otherwise the browser
 * finds the imports of a page's script only in the script: a second round trip.
 */
export const preloadScripts: MiddlewareFunction = ({ pattern }, next) => {
  const manifest = (window as { __reactRouterManifest?: Manifest }).__reactRouterManifest;
  for (const href of manifest ? scriptsOf(manifest, pattern) : []) {
    if (requested.has(href) || document.querySelector(`link[rel=modulepreload][href="${href}"]`)) continue;
    requested.add(href);
    document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
  }
  void import("./icon-paths.ts").catch(() => undefined);
  return next();
};

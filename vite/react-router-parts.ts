import type { Plugin } from "vite";

type Change = { file: string; find: string | RegExp; write: string };

/** Makes a function return at once: the minifier drops its body and what only that body uses. */
const returns = (file: string, name: string, value = "undefined"): Change => ({
  file,
  find: new RegExp(`function ${name}\\((?:[^()]|\\([^()]*\\))*\\) \\{`),
  write: `$& return ${value};`,
});
const FOG = "lib/dom/ssr/fog-of-war.js";
const HYDRATED = "lib/dom-export/hydrated-router.js";
const INSTRUMENTS = "lib/router/instrumentation.js";
const ROUTER = "lib/router/router.js";
const MATCHING = "lib/router/utils.js";
const HYDRATION = "lib/dom/ssr/hydration.js";

/** Options of React Router that Nadi does not set, decided at build time, and a faster start. */
const CHANGES: Change[] = [
  // The manifest has every route of the audience (`routeDiscovery`), so routes are never discovered.
  returns(FOG, "isFogOfWarEnabled", "false"),
  returns(FOG, "useFogOFWarDiscovery"),
  returns(FOG, "getPatchRoutesOnNavigationFunction"),
  returns(FOG, "getPartialManifest"),
  { file: HYDRATED, find: /ssrInfo\.context\.future\.unstable_customRouteDiscovery/g, write: "false" },
  { file: ROUTER, find: /future\.unstable_customRouteDiscovery/g, write: "false" },
  { file: ROUTER, find: /init\.patchRoutesOnNavigation/g, write: "false" },
  { file: ROUTER, find: /fogOfWar\.active &&/g, write: "false &&" },
  { file: ROUTER, find: /if \(isFogOfWar\)/g, write: "if (false)" },
  // No instrumentation.
  returns(INSTRUMENTS, "consumeInstrumentationClientResultMetaReceiver"),
  returns(INSTRUMENTS, "getRouteInstrumentationUpdates", "{}"),
  returns(INSTRUMENTS, "instrumentClientSideRouter", "router"),
  { file: ROUTER, find: /init\.instrumentations/g, write: "false" },
  // The server renders every page.
  { file: HYDRATED, find: /ssrInfo\.context\.isSpaMode/g, write: "false" },
  { file: HYDRATED, find: /ssrInfo\.context\.unstable_apiOnly === true/g, write: "false" },
  // No link has `prefetch`.
  returns("lib/dom/ssr/components.js", "PrefetchPageLinks", "null"),
  // A page that starts has the modules of its own routes only, so React Router need not rank and match all routes for them; the router
  // does it once more.
  {
    file: HYDRATION,
    find: /let dataRouteMatcher = createDataRouteMatcher\([^;]+;\s*dataRouteMatcher\.update\(routes\);\s*let initialMatches = dataRouteMatcher\.match\([^;]+;/,
    write: "let initialMatches = Object.keys(window.__reactRouterRouteModules).map((id) => ({ route: { id } }));",
  },
  // React Router makes a regular expression for each part of each route before a page can be used (docs/performance.md). With this it
  // makes them only for routes whose path begins as the page's does.
  {
    file: MATCHING,
    find: /routesMeta: routesMeta\.map\(\(meta, i\) => \{\s*let \[matcher, params\] = compilePath\([^;]+;\s*return \{[^}]+\};\s*\}\)/,
    write: 'routesMeta, start: path.replace(/\\/*[:*].*/, "").toLowerCase()',
  },
  {
    file: MATCHING,
    find: /for \(let i = 0; matches == null && i < branches\.length; \+\+i\)/,
    write: "let at = decoded.toLowerCase(); $& if (allowPartial || at.startsWith(branches[i].start))",
  },
];

/** Returns the browser's code of a file of React Router; null if the file is unchanged. @internal */
export function withoutUnusedParts(code: string, id: string): string | null {
  const path = id.replaceAll("\\", "/");
  const changes = CHANGES.filter(({ file }) => path.endsWith(`/react-router/dist/production/${file}`));
  if (!changes.length) return null;
  return changes.reduce((before, { find, write }) => {
    const after = before.replace(find, write);
    if (after === before) throw new Error(`React Router has changed: ${find} was not found (vite/react-router-parts.ts)`);
    return after;
  }, code);
}
/** The changed files. @internal */
export const CHANGED_FILES = [...new Set(CHANGES.map(({ file }) => file))];

/**
 * Removes parts of React Router that Nadi does not use from the browser's scripts, 5 KB of each page, and lets a page find its route
 * without those of all other pages (docs/performance.md).
 */
export function reactRouterParts(): Plugin {
  return {
    name: "nadi-react-router-parts",
    apply: "build",
    applyToEnvironment: (environment) => environment.name === "client",
    transform(code, id) {
      const changed = withoutUnusedParts(code, id);
      return changed === null ? null : { code: changed, map: null };
    },
  };
}

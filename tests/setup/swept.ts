/**
 * Which pages a sweep of the browser tests opens (axe, layout, sizes). `npm run test:all`, and a file that is run by name: all. `npm test`: a short
 * list, and the pages whose files have changed since the branch left main. On main itself that is the short list.
 */
import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { matchRoutes, type RouteObject } from "react-router";
import routes from "#app/routes.ts";
import { GATE } from "./long.ts";
import { ROUTES } from "./routes.ts";

const ROOT = join(import.meta.dirname, "../..");
/** One page of each kind: a login, a list, a page of a doctor, SOS, a dashboard, a day, a form, a document. */
export const SHORT_LIST = [
  "/dual-patient",
  "/doctorspages/Cards-data",
  "/details/doctor/:id",
  "/patient/emergency-contact",
  "/patient-dashboard",
  "/patient/appointments/datetime",
  "/patient/appointments/patient-detail",
  "/doctor-dashboard",
  "/doctor/visits/:id",
];
/** A file that more pages import is a shared one: it has the short list, or each change would sweep every page. */
const MOST_PAGES = 12;

const all = await routes;

/** Returns the paths that this run opens, in their order: of a page of the short list the first, of a changed page all. */
export function swept(paths: readonly string[]): string[] {
  if (!GATE) return [...paths];
  const taken = new Set<string>();
  return paths.filter((path) => {
    const pattern = patternOf(path);
    if (changedPatterns().has(pattern)) return true;
    const isFirst = SHORT_LIST.includes(pattern) && !taken.has(pattern);
    taken.add(pattern);
    return isFirst;
  });
}

/** The pattern of the route at a path, as in `SHORT_LIST`. */
function patternOf(path: string): string {
  const { pathname } = new URL(path, "http://route");
  const matches = matchRoutes(all as RouteObject[], pathname) ?? [];
  return `/${matches.flatMap(({ route }) => route.path || []).join("/")}`;
}

let changed: Set<string> | undefined;
function changedPatterns(): Set<string> {
  changed ??= patternsOf(changedFiles(), importersIn(ROOT));
  return changed;
}

function changedFiles(): string[] {
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
      .split("\n")
      .filter(Boolean);
  for (const main of ["origin/main", "main"])
    try {
      const [base] = git("merge-base", "HEAD", main);
      return [...git("diff", "--name-only", base!), ...git("ls-files", "--others", "--exclude-standard")];
    } catch {
      // No such branch, or no git: the next one, or the short list.
    }
  return [];
}

/** Returns the importers of each file of `app`. */
function importersIn(root: string): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  for (const file of globSync("app/**/*.{ts,tsx}", { cwd: root, exclude: (path) => path === "app/paraglide" })) {
    if (file.includes(".test.")) continue;
    for (const [, from = ""] of readFileSync(join(root, file), "utf8").matchAll(
      /^(?!import type).*(?:\bfrom |\bimport\()"((?:#app|\.)[^"]+)"/gm,
    )) {
      const path = from.startsWith("#") ? from.slice(1) : join(file, "..", from);
      importers.set(path, [...(importers.get(path) ?? []), file]);
    }
  }
  return importers;
}

/** Returns the patterns of the pages that import one of these files, without the files of many pages. */
export function patternsOf(files: readonly string[], importers: ReadonlyMap<string, readonly string[]>): Set<string> {
  const pages = pagesByFile();
  const found = new Set<string>();
  for (const file of files) {
    const reached = new Set([file]);
    for (const one of reached) for (const by of importers.get(one) ?? []) reached.add(by);
    const patterns = [...reached].flatMap((one) => pages.get(one) ?? []);
    if (patterns.length <= MOST_PAGES) for (const pattern of patterns) found.add(pattern);
  }
  return found;
}

/** Returns the patterns of each file of a page. A frame is a file of many pages. */
function pagesByFile(): Map<string, string[]> {
  const pages = new Map<string, string[]>();
  for (const { pattern, files } of ROUTES) {
    const file = `app/${files.at(-1)}`;
    pages.set(file, [...(pages.get(file) ?? []), pattern]);
  }
  return pages;
}

/** What a change touches: the pages whose files or parts have changed since the branch left main, and the tests about them. */
import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { matchRoutes, type RouteObject } from "react-router";
import routes from "#app/routes.ts";
import { ROUTES } from "./routes.ts";

const ROOT = join(import.meta.dirname, "../..");
const all = await routes;
const changed = filesOfChange();
const importers = changed.some((file) => file.startsWith("app/")) ? importersIn(ROOT) : new Map<string, string[]>();
/** Patterns of the changed pages, for sweeps and for whole test files. A changed file of more pages than the number is shared: it selects none. */
export const CHANGED_PAGES = { sweep: patternsOf(changed, importers, 12), tests: patternsOf(changed, importers, 40) };

/** Returns the pattern of the route at a path: `/details/doctor/:id`. */
export function patternOf(path: string): string {
  const { pathname } = new URL(path, "http://route");
  const matches = matchRoutes(all as RouteObject[], pathname) ?? [];
  return `/${matches.flatMap(({ route }) => route.path || []).join("/")}`;
}

/** True if a test file has changed, or one of the pages that it names. */
export function isOfChange(file: string): boolean {
  if (changed.includes(file)) return true;
  const pages = CHANGED_PAGES.tests;
  return pages.size > 0 && pagesIn(readFileSync(join(ROOT, file), "utf8")).some((page) => pages.has(page));
}

/** Returns the patterns of the pages whose paths are written in a source. */
export function pagesIn(source: string): string[] {
  const paths = [...source.matchAll(/["'`](\/[\w-]+(?:[/.\w-]|\$\{[^}]*\})*)/g)].map(([, path]) => path!.replace(/\$\{[^}]*\}/g, "x"));
  return [...new Set(paths.map(patternOf))].filter((pattern) => pattern !== "/" && pattern !== "/*");
}

/** Returns the files that differ from main, those that are not committed too. */
function filesOfChange(): string[] {
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
      .split("\n")
      .filter(Boolean);
  for (const main of ["origin/main", "main"])
    try {
      const [base] = git("merge-base", "HEAD", main);
      return [...git("diff", "--name-only", base!), ...git("ls-files", "--others", "--exclude-standard")];
    } catch {
      // No such branch, or no git: the next one, or no change.
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

/** Returns the patterns of the pages that import one of these files, without the files of more than `most` pages. */
export function patternsOf(files: readonly string[], importers: ReadonlyMap<string, readonly string[]>, most: number): Set<string> {
  const pages = pagesByFile();
  const found = new Set<string>();
  for (const file of files) {
    const reached = new Set([file]);
    for (const one of reached) for (const by of importers.get(one) ?? []) reached.add(by);
    const patterns = [...reached].flatMap((one) => pages.get(one) ?? []);
    if (patterns.length <= most) for (const pattern of patterns) found.add(pattern);
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

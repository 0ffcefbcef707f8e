/** What a change touches: the pages whose files or parts have changed since the branch left main, and the tests about them. */
import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { matchRoutes, type RouteObject } from "react-router";
import routes from "#app/routes.ts";
import { ROUTES } from "./routes.ts";

const ROOT = join(import.meta.dirname, "../..");
/** A file of more pages is a shared one and counts as none of them, or a change of it would be about every page: for a sweep, for tests by name. */
const MOST = { sweep: 12, tests: 40 };

const all = await routes;

/** Returns the pattern of the route at a path: `/details/doctor/:id`. */
export function patternOf(path: string): string {
  const { pathname } = new URL(path, "http://route");
  const matches = matchRoutes(all as RouteObject[], pathname) ?? [];
  return `/${matches.flatMap(({ route }) => route.path || []).join("/")}`;
}

/** True if a test file has changed, or one of the pages that it names. */
export function isOfChange(file: string): boolean {
  if (changedFiles().includes(file)) return true;
  const pages = changedPages("tests");
  return pages.size > 0 && pagesIn(readFileSync(join(ROOT, file), "utf8")).some((page) => pages.has(page));
}

/** Returns the patterns of the pages whose paths are written in a source. */
export function pagesIn(source: string): string[] {
  const paths = [...source.matchAll(/["'`](\/[\w-]+(?:[/.\w-]|\$\{[^}]*\})*)/g)].map(([, path]) => path!.replace(/\$\{[^}]*\}/g, "x"));
  return [...new Set(paths.map(patternOf))].filter((pattern) => pattern !== "/" && pattern !== "/*");
}

const known: { sweep?: Set<string>; tests?: Set<string> } = {};
/** Returns the patterns of the changed pages. */
export function changedPages(use: keyof typeof MOST): ReadonlySet<string> {
  known[use] ??= changedFiles().some((file) => file.startsWith("app/"))
    ? patternsOf(changedFiles(), importersIn(ROOT), MOST[use])
    : new Set();
  return known[use];
}

let files: string[] | undefined;
function changedFiles(): string[] {
  files ??= findChangedFiles();
  return files;
}
function findChangedFiles(): string[] {
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
export function patternsOf(files: readonly string[], importers: ReadonlyMap<string, readonly string[]>, most = MOST.sweep): Set<string> {
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

/** Checks that Biome and knip cannot do: modules that reach browsers, unused icons and CSS classes. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { bundledWith, readModule, sourcePaths } from "./modules.ts";

const ROOT = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const modules = new Map(sourcePaths(ROOT).map((path) => [path, readModule(ROOT, path)]));
const all = [...modules.values()];
const isTest = (path: string) => /^tests\/|\.test\.tsx?$|^scripts\/modules\.ts$/.test(path);

/** Exports that React Router removes from the browser's code. */
const SERVER_EXPORTS = ["loader", "action", "middleware", "headers"];
const PAGE_EXPORTS = ["default", "clientLoader", "clientAction", "ErrorBoundary", "Layout", "handle", "meta", "shouldRevalidate"];
const routeFiles = ["app/root.tsx", ...new Set([...read("app/routes.ts").matchAll(/"(routes\/[^"]+)"/g)].map(([, path]) => `app/${path}`))];
/** Staff pages that validate on blur, so they load zod. */
const WITH_ZOD = [
  "app/routes/auth/dual-doctor.tsx",
  "app/routes/doctor/availability/add.tsx",
  "app/routes/account/change-password.tsx",
  "app/routes/reviewer/case.tsx",
  "app/routes/admin/doctor.tsx",
  "app/routes/admin/doctor-visits.tsx",
  "app/routes/account/weak-password.tsx",
];

it("loads no server modules in browsers, and zod only on listed staff pages", { timeout: 60_000 }, () => {
  const heavy = (path: string) =>
    [...bundledWith(modules, path, PAGE_EXPORTS, SERVER_EXPORTS)].filter(([file]) =>
      /\.schema\.ts$|\.server\.ts$|^(zod|@conform-to\/zod)$|^node:/.test(file),
    );
  const found = routeFiles
    .filter((path) => path.endsWith(".tsx"))
    .map((path) => [path, heavy(path).map(([file, by]) => `${by} > ${file}`)] as const);
  expect(Object.fromEntries(found.filter(([path, files]) => files.length && !WITH_ZOD.includes(path)))).toEqual({});
  // Proves that the search finds zod.
  expect(found.filter(([path, files]) => files.length && WITH_ZOD.includes(path)).map(([path]) => path)).toEqual(WITH_ZOD);
});

const sheets = (readdirSync(join(ROOT, "app"), { recursive: true }) as string[]).filter((name) => name.endsWith(".css"));
const classesIn = (sheet: string) =>
  [
    ...read(`app/${sheet}`)
      .replace(/\/\*[\s\S]*?\*\/|"[^"]*"|url\([^)]*\)/g, "")
      .matchAll(/\.([a-z_][\w-]*)/gi),
  ].map(([, one]) => one!);

it("has little CSS of its own: components use utilities (app/styles/README.md)", () => {
  // Light pages and print pages are without components, and have small sheets of their own.
  const ofComponents = sheets.filter((name) => !name.startsWith("routes/light/"));
  const lines = ofComponents.reduce((sum, name) => sum + read(`app/${name}`).split("\n").length - 1, 0);
  expect(lines, "lines of all sheets outside app/routes/light: use utilities (app/styles/README.md)").toBeLessThanOrEqual(1200);
  expect(new Set(ofComponents.flatMap(classesIn)).size).toBeLessThanOrEqual(60);
});

it("has no unused icons and CSS classes", () => {
  const sources = all.filter(({ path }) => path.startsWith("app/") && !isTest(path));
  const words = new Set(sources.flatMap(({ path, text }) => (path === "app/ui/icon-paths.ts" ? [] : (text.match(/[\w-]+/g) ?? []))));
  const classes = sheets.flatMap(classesIn);
  const icons = [...read("app/ui/icon-paths.ts").matchAll(/^ {2}"?([\w-]+)"?:/gm)].map(([, name]) => name!);
  expect(Math.min(icons.length, classes.length)).toBeGreaterThan(50);
  // tv-html.ts writes the number of columns and rows into a class: n2, r3.
  expect([...icons, ...classes].filter((name) => !words.has(name) && !/^[nr]\d$/.test(name))).toEqual([]);
});

it("forgets each cache of rows when its database is replaced", () => {
  const kept = all
    .filter(({ path }) => path.startsWith("app/") && !isTest(path))
    .flatMap(({ path, text }) => [...text.matchAll(/^.*new LRUCache.*$/gm)].map(([line]) => `${path}: ${line.trim()}`));
  expect(kept.length).toBeGreaterThan(10);
  // app/lib/of-start.ts
  expect(kept.filter((line) => !line.includes("ofDatabase("))).toEqual([]);
});

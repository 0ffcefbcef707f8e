/** Every test file is in exactly one part, and the list of what `npm test` leaves out names tests that exist. */
import { globSync, readFileSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { expect, it } from "vitest";
import { pagesIn, patternsOf } from "../tests/setup/changed.ts";
import { GATE, LONG, longInBrowsers } from "../tests/setup/long.ts";
import { SHORT_LIST } from "../tests/setup/swept.ts";
import config from "../vitest.config.ts";

const ROOT = join(import.meta.dirname, "..");
const files = globSync("{app,demo,scripts,tests,vite}/**/*.{test,spec}.{ts,tsx}", { cwd: ROOT });
type Project = { test: { name: string; include: string[]; exclude: string[] } };
const projects = (config as { test: { projects: Project[] } }).test.projects;
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");

it("every test file is in exactly one part", () => {
  expect(files.length).toBeGreaterThan(400);
  const partsOf = (file: string) => [
    ...projects
      .filter(({ test }) => test.include.some((glob) => matchesGlob(file, glob)) && !test.exclude.some((glob) => matchesGlob(file, glob)))
      .map(({ test }) => test.name),
    ...(/^tests\/e2e\/.*\.spec\.ts$/.test(file) ? ["browser"] : []),
  ];
  // `npm test` leaves out some files as a whole.
  const wrong = files.map((file) => [file, partsOf(file)] as const).filter(([, parts]) => parts.length !== 1);
  expect(wrong.filter(([file, parts]) => !(GATE && LONG[file] === null && parts.length === 0))).toEqual([]);
});

it("the list of long tests names files that exist, and keeps tests of them", () => {
  for (const [file, kept] of Object.entries(LONG)) {
    expect(files, file).toContain(file);
    // Shorter ones name what fills a title.
    const { source } = kept && "left" in kept ? kept.left : (kept ?? { source: "" });
    for (const words of source.split("|"))
      if (words.split(" ").length > 3) expect(read(file).replaceAll("\\", ""), `${file}: ${words}`).toContain(words.replaceAll("\\", ""));
  }
});

it("leaves out the browser tests of the list, and no other", () => {
  const left = (title: string) => longInBrowsers().some((one) => one.test(title));
  expect(left("no-js visit-layout.spec.ts te: visit pages fit a small phone, also with large text @no-js")).toBe(true);
  expect(left("js languages.spec.ts the fonts of the suite @js")).toBe(false);
  expect(left("js live-two-servers.spec.ts by page load alone")).toBe(true);
  expect(left("js city.spec.ts a place Enter chooses the marked city @js")).toBe(true);
  expect(left("js journey.spec.ts a patient books a doctor, who accepts and completes the visit")).toBe(false);
});

it("sweeps a page whose file or part has changed, and none of the pages of a shared file", () => {
  const importers = new Map([
    ["app/domains/a/components/part.tsx", ["app/routes/patient/family-add.tsx", "app/domains/a/components/whole.tsx"]],
    ["app/domains/a/components/whole.tsx", ["app/routes/patient/family.tsx"]],
    ["app/ui/shared.tsx", globSync("app/routes/patient/*.tsx", { cwd: ROOT })],
  ]);
  const of = (...changed: string[]) => [...patternsOf(changed, importers, 12)].sort();
  expect(of("app/routes/patient/dashboard.tsx", "README.md")).toEqual(["/patient-dashboard"]);
  expect(of("app/routes/notifications/notifications.tsx")).toEqual(["/doctor/notifications", "/patient/notifications"]);
  expect(of("app/domains/a/components/part.tsx")).toEqual(["/patient/family", "/patient/family/add"]);
  expect(of("app/ui/shared.tsx")).toEqual([]);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a source
  const source = 'await page.goto(`/doctor/patient/${row.id}`); await patient.get("/patient/calendar?tab=past"); "/nowhere"; "a/b"';
  expect(pagesIn(source)).toEqual(["/doctor/patient/:id", "/patient/calendar"]);
  // Each file of a page alone: every pattern of the short list belongs to one.
  const pages = new Set(globSync("app/routes/**/*.{ts,tsx}", { cwd: ROOT }).flatMap((file) => of(file)));
  expect(SHORT_LIST.filter((pattern) => !pages.has(pattern))).toEqual([]);
});

/** Every test file is in exactly one part, and the list of what `npm test` leaves out names tests that exist. */
import { globSync, readFileSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { expect, it } from "vitest";
import { GATE, LONG, LONG_BROWSER, WITHOUT_SCRIPTS } from "../tests/setup/long.ts";
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
    for (const words of kept?.source.split("|") ?? [])
      if (words.split(" ").length > 3) expect(read(file).replaceAll("\\", ""), `${file}: ${words}`).toContain(words.replaceAll("\\", ""));
  }
  const browser = files
    .filter((file) => file.startsWith("tests/e2e/"))
    .map(read)
    .join("\n");
  for (const title of WITHOUT_SCRIPTS.source.split("|")) expect(browser, title).toContain(title);
});

it("leaves out the browser tests of the list, and no other", () => {
  const left = (title: string) => LONG_BROWSER.some((one) => one.test(title));
  expect(left("js large-text.spec.ts en: a patient's pages, also with large text @no-js")).toBe(true);
  expect(left("js large-text.spec.ts Contact Support hides while the dashboard is scrolled down @js")).toBe(false);
  expect(left("js live-two-servers.spec.ts by page load alone")).toBe(true);
  expect(left("js journey.spec.ts a patient books a doctor, who accepts and completes the visit")).toBe(false);
});

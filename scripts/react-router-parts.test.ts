import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CHANGED_FILES, withoutUnusedParts } from "../vite/react-router-parts.ts";

const ROOT = join(import.meta.dirname, "../node_modules/react-router/dist/production");
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");

it("finds every part of the installed React Router that browsers do not get", () => {
  expect(CHANGED_FILES.length).toBeGreaterThan(3);
  for (const file of CHANGED_FILES) expect(withoutUnusedParts(read(file), join(ROOT, file))).not.toBe(read(file));
  expect(withoutUnusedParts(read("lib/href.js"), join(ROOT, "lib/href.js"))).toBe(null);
});

it("fails the build when React Router changes such a part", () => {
  const [file] = CHANGED_FILES as [string];
  expect(() => withoutUnusedParts("export {};", join(ROOT, file))).toThrow("React Router has changed");
});

it("removes only options that the app does not set", () => {
  const read = (path: string) => readFileSync(join(import.meta.dirname, "..", path), "utf8");
  expect(read("react-router.config.ts")).toMatch(/ssr: true,[\s\S]+routeDiscovery: \{ mode: "initial" \}/);
  expect(read("react-router.config.ts")).not.toMatch(/unstable_customRouteDiscovery|unstable_apiOnly/);
  expect(read("app/entry.client.tsx")).toContain("<HydratedRouter />");
});

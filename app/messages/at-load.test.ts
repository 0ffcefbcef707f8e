import { expect, test, vi } from "vitest";

const spoken: string[] = [];
vi.mock("#app/paraglide/messages.js", () => ({
  m: new Proxy({}, { get: (_, key) => () => spoken.push(`${String(key)} ${new Error().stack?.split("\n")[2]?.trim()}`) }),
}));

/** A message that is read while a module loads would be English for every user. */
test("no module reads a message while it loads", { timeout: 120_000 }, async () => {
  const modules = import.meta.glob([
    "../**/*.{ts,tsx}",
    "!../**/*.test.{ts,tsx}",
    "!../paraglide/**",
    // They start processes, or need the build.
    "!../entry.*",
    "!../server/{css,exchange,headers,index,listener,refusal-page,route-rules,slow-bodies}.ts",
    "!../server/steps/{files,render,visitors}.ts",
  ]);
  expect(Object.keys(modules).length).toBeGreaterThan(400);
  const failed: string[] = [];
  for (const [path, load] of Object.entries(modules)) await load().catch((error: unknown) => failed.push(`${path}: ${error}`));
  expect(failed).toEqual([]);
  expect(spoken).toEqual([]);
});

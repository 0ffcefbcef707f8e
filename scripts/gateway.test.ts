/** `npm run gateway` without its variable. */
import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

it("says how to start it", () => {
  const { status, stderr } = spawnSync(process.execPath, ["scripts/gateway.ts"], {
    encoding: "utf8",
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DEMO: "1", DATABASE_URL: "postgres://nobody@nowhere.invalid/none" },
  });
  expect([status, stderr.split("\n").length]).toEqual([1, 2]);
  expect(stderr).toContain("npm run start:payments");
});

import { defineConfig } from "vitest/config";

/** The unit tests of a group of mutants (../mutants.ts). */
export default defineConfig({
  test: {
    include: JSON.parse(process.env.MUTANT_TESTS ?? "[]") as string[],
    exclude: ["**/*.db.test.ts", "node_modules/**"],
    env: { DEMO: "1", DATABASE_URL: "postgres://nobody@nowhere.invalid/none" },
    testTimeout: 20_000,
  },
});

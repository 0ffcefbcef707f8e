import { configDefaults, defineConfig } from "vitest/config";

const shared = { pool: "forks" as const, exclude: [...configDefaults.exclude, "build/**"] };

export default defineConfig({
  test: {
    projects: [
      // Pure: no database, no network.
      {
        test: {
          ...shared,
          name: "unit",
          include: ["app/**/*.test.{ts,tsx}", "scripts/**/*.test.ts"],
          exclude: [...shared.exclude, "app/**/*.db.test.ts"],
        },
      },
      // On real PostgreSQL; each file has its own copy of the database, and may start the real server.
      {
        test: {
          ...shared,
          name: "db",
          include: ["app/**/*.db.test.ts", "tests/**/*.test.ts"],
          globalSetup: ["tests/setup/global.ts"],
          setupFiles: ["tests/setup/worker.ts"],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
    maxWorkers: 2,
  },
});

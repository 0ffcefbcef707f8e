import { defineConfig } from "drizzle-kit";

// Only `drizzle-kit generate` is used: migrations are written here, read by scripts/migrate.ts and never pushed.
export default defineConfig({ dialect: "postgresql", schema: "./app/db/schema/index.ts", out: "./drizzle", casing: "snake_case" });

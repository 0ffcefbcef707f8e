/** Runs before each database test file: sets DATABASE_URL to a copy of the reference template. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { withAdmin } from "../../scripts/databases.ts";
import { asApplication, cloneTemplate, DEMO_KEY, PREFIX, serverAddress, urlOf } from "./database.ts";

// Reads DATABASE_URL before it is overwritten.
process.env.TEST_DATABASE_URL ??= urlOf(serverAddress());
const address = await cloneTemplate("reference");
const dataDir = mkdtempSync(join(tmpdir(), PREFIX));
process.env.DATABASE_URL = urlOf(asApplication(address));
process.env.DATA_DIR = dataDir;
process.env.DEMO = "1";
// The key of the demo template and the test servers.
process.env.ENCRYPTION_KEY ??= DEMO_KEY;
process.env.LOG_LEVEL = "silent";

afterAll(async () => {
  const { pool } = await import("#app/db/pool.server.ts");
  await pool().end();
  await (await import("./test-db.ts")).closeOwner();
  const name = "url" in address ? new URL(address.url).pathname.slice(1) : address.database;
  await withAdmin(serverAddress(), (admin) => admin.unsafe(`drop database if exists "${name}" with (force)`));
  rmSync(dataDir, { recursive: true, force: true });
});

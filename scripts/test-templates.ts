/** Drops what earlier runs left and creates the templates of test databases. Called by scripts/test.mjs, to time it apart from the tests. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// The seeds run commands of the product, which read the settings while they load.
const dataDir = mkdtempSync(join(tmpdir(), "nadi-templates-"));
process.env.DEMO = "1";
process.env.DATA_DIR = dataDir;
process.env.DATABASE_URL ??= process.env.TEST_DATABASE_URL;
const { ensureTemplate, sweep } = await import("../tests/setup/database.ts");

await sweep();
await ensureTemplate("demo");
rmSync(dataDir, { recursive: true, force: true });

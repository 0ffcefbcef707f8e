/**
 * Runs before each database test file: DATABASE_URL names a new copy of the reference template. Files of a worker run in one process,
 * one after the other, with the same modules: afterwards nothing is left of a file.
 */
import { mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, beforeEach, expect } from "vitest";
import { forgetStart } from "#app/lib/of-start.ts";
import { dropDatabase } from "../../scripts/databases.ts";
import { isOfChange } from "./changed.ts";
import { asApplication, cloneTemplate, DEMO_KEY, PREFIX, serverAddress, urlOf } from "./database.ts";
import { GATE, isAfterBeginning, isLong } from "./long.ts";
import { beginFile } from "./own-day.ts";

beginFile();
// Reads DATABASE_URL before it is overwritten.
process.env.TEST_DATABASE_URL ??= urlOf(serverAddress());
const address = await cloneTemplate("reference", `${PREFIX}${process.pid}_file`);
const dataDir = join(tmpdir(), `${PREFIX}${process.pid}_file`);
mkdirSync(dataDir, { recursive: true });
process.env.DATABASE_URL = urlOf(asApplication(address));
process.env.DATA_DIR = dataDir;
process.env.DEMO = "1";
// The key of the demo template and the test servers.
process.env.ENCRYPTION_KEY ??= DEMO_KEY;
process.env.LOG_LEVEL = "silent";
// Only now: modules of the product read the settings, some while they load.
const { shareServer } = await import("./server.ts");
shareServer();
const before = { ...process.env };

const file = relative(join(import.meta.dirname, "../.."), expect.getState().testPath ?? "");
if (GATE && !isOfChange(file))
  beforeEach(({ task, skip }) => {
    let title = task.name;
    for (let { suite } = task; suite; suite = suite.suite) title = `${suite.name} ${title}`;
    const group = (task.suite ?? task.file).tasks.filter(({ type }) => type === "test");
    if (isLong(file, title) || isAfterBeginning(file, task.name, group.indexOf(task))) skip("npm run test:all");
  });

afterAll(async () => {
  const { pool } = await import("#app/db/pool.server.ts");
  await pool().end();
  await (await import("./test-db.ts")).closeOwner();
  await closeQueue();
  await dropDatabase(address);
  forgetStart();
  rmSync(dataDir, { recursive: true, force: true });
  process.env = before;
  forgetTests();
});

/**
 * The next file evaluates the modules of tests again: some register hooks, or hold the server of a file. Not those that have what the
 * worker keeps.
 */
function forgetTests(): void {
  const { evaluatedModules } = (globalThis as unknown as { __vitest_worker__: { evaluatedModules: EvaluatedModules } }).__vitest_worker__;
  for (const [id, module] of evaluatedModules.idToModuleMap)
    if (/\/tests\/(setup|factories|mocks)\//.test(id) && !/\/setup\/(server|database|own-day|changed|routes)\.ts$/.test(id))
      evaluatedModules.invalidateModule(module);
}
type EvaluatedModules = { idToModuleMap: Map<string, unknown>; invalidateModule(module: unknown): void };

async function closeQueue(): Promise<void> {
  const { __nadiQueue: queue } = globalThis as { __nadiQueue?: Promise<{ stop(options: object): Promise<void> }> };
  await (await queue)?.stop({ graceful: false });
}

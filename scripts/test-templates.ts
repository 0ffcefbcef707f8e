/** Drops what earlier runs left and creates the templates of test databases. Called by scripts/test.mjs, to time it apart from the tests. */
import { ensureTemplate, sweep } from "../tests/setup/database.ts";

await sweep();
await ensureTemplate("demo");

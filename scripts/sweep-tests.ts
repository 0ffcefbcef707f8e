/** Drops every test database of this checkout. Called at the end of scripts/test.mjs. */
import { sweep } from "../tests/setup/database.ts";

await sweep({ all: true });

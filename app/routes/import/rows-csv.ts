import { load } from "#app/http/load.server.ts";
import { loadRowsFile } from "./moving.server.ts";

/** Returns the rows of an import as CSV. */
export const loader = load(loadRowsFile);

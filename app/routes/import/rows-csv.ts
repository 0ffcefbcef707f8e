import { load } from "#app/http/load.server.ts";
import { requireFreshProof } from "#app/http/proof.server.ts";
import { loadRowsFile } from "./moving.server.ts";

// After the proof the page of the import is shown: a download is no page.
export const middleware = [requireFreshProof("export-data", (url) => url.pathname.replace(/\/rows\.csv$/, "") + url.search)];

/** Returns the rows of an import as CSV. */
export const loader = load(loadRowsFile);

import { load } from "#app/http/load.server.ts";
import { requireFreshProof } from "#app/http/proof.server.ts";
import { loadExportFile } from "./moving.server.ts";

// After the proof the page of the exports is shown: a download is no page.
export const middleware = [requireFreshProof("export-data", (url) => url.pathname.replace(/\/[^/]+\/file$/, ""))];

/** Returns the file of an export. */
export const loader = load(loadExportFile);

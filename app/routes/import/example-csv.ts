import { load } from "#app/http/load.server.ts";
import { loadExample } from "./moving.server.ts";

/** Returns an example of a file that an import reads. */
export const loader = load(loadExample);

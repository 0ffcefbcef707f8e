import { load } from "#app/http/load.server.ts";
import { requireRole } from "#app/http/middleware.server.ts";
import { loadOwnArea } from "#app/http/own-area.server.ts";
import { OwnAreaFrame } from "../shared/own-area-frame.tsx";

/** Guards all pages of the area: layout middleware runs for its children, their actions and their `.data`. */
export const middleware = [requireRole("doctor", "reviewer", "admin", "staff")];

export const loader = load(loadOwnArea);

export default OwnAreaFrame;

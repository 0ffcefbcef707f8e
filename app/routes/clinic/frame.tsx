import { load } from "#app/http/load.server.ts";
import { requireRole } from "#app/http/middleware.server.ts";
import { loadOwnArea } from "#app/http/own-area.server.ts";
import { OwnAreaFrame } from "../shared/own-area-frame.tsx";

/** Guards all pages of the area. Each command checks the membership of the place (`requireActing`). */
export const middleware = [requireRole("staff", "doctor", "reviewer")];

export const loader = load(loadOwnArea);

export default OwnAreaFrame;

import { load } from "#app/http/load.server.ts";
import { loadOwnArea } from "#app/http/own-area.server.ts";
import { OwnAreaFrame } from "../shared/own-area-frame.tsx";

export const loader = load(loadOwnArea);

export default OwnAreaFrame;

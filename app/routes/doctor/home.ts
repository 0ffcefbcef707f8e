import { redirectTo } from "#app/http/redirects.server.ts";

/** The home icon of some pages leads here. */
export const loader = () => redirectTo("/doctor-dashboard");

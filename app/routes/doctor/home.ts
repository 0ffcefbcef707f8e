import { href } from "react-router";
import { redirectTo } from "#app/http/redirects.server.ts";

/** Target of the home icon on some pages. */
export const loader = () => redirectTo(href("/doctor-dashboard"));

import { href } from "react-router";
import { redirectTo } from "#app/http/redirects.server.ts";
import type { RouteRules } from "#app/lib/route-rules.ts";

export const handle = { polled: true } satisfies RouteRules;

/** Spec 000 §4 sends doctors who are not verified to this URL. /doctor-verify shows the status. */
export function loader() {
  return redirectTo(href("/doctor-verify"));
}

import { redirectTo } from "#app/http/redirects.server.ts";

/** Spec 000 §4 sends a known doctor who is not verified to this address; what it shows is /doctor-verify. */
export function loader() {
  return redirectTo("/doctor-verify");
}

import { href } from "react-router";
import { cameFrom } from "#app/http/redirects.server.ts";
import { FROM_APPOINTMENT, type Origin } from "./appointment-links.ts";

/** Returns from where a page that changes an appointment was opened. Its own links keep that in their query. */
export function originOf(request: Request, id: string): Origin {
  const { pathname, searchParams } = new URL(request.url);
  const opened =
    searchParams.get("from") === FROM_APPOINTMENT.from ||
    cameFrom(request, "patient", pathname) === href("/patient/appointments/:id", { id });
  return opened ? FROM_APPOINTMENT : {};
}

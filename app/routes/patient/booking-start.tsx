import { href } from "react-router";
import { load } from "#app/http/load.server.ts";
import { redirectTo, redirectWithToast } from "#app/http/redirects.server.ts";
import { m } from "#app/paraglide/messages.js";
import type { Route } from "./+types/booking-start.ts";

/** Redirects the root of the booking flow to its first step. */
export const loader = load(async ({ request }: Route.LoaderArgs) => {
  const doctorId = new URL(request.url).searchParams.get("doctorId");
  if (!doctorId) throw redirectWithToast(href("/patient-dashboard"), m.appointments_doctor_missing(), { type: "error" });
  throw redirectTo(`${href("/patient/appointments/datetime")}?doctorId=${encodeURIComponent(doctorId)}`);
});

export default function BookingStart() {
  return null;
}

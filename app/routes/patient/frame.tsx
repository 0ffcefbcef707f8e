import { Outlet, useRouteLoaderData } from "react-router";
import { DEFAULT_PLACE, getPatientHead } from "#app/domains/patients/queries.server.ts";
import { actorCtxOf, sessionContext } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { m } from "#app/paraglide/messages.js";
import { PatientShell } from "#app/ui/shell.tsx";
import type { Route } from "./+types/frame.ts";

/** Who is looking: a patient with a name and a city, or a visitor of the public pages. */
export const loader = load(async ({ context }: Route.LoaderArgs) => {
  if (context.get(sessionContext)?.role !== "patient") return { patient: null, city: DEFAULT_PLACE.name };
  const { name, place } = await getPatientHead(actorCtxOf(context));
  return { patient: { name }, city: place.name };
});

export const usePatientFrame = () => useRouteLoaderData<typeof loader>("routes/patient/frame");

export default function PatientFrame() {
  return (
    <PatientShell
      home="/patient-dashboard"
      places={[
        { to: "/patient-dashboard", label: m.ui_place_home(), icon: "house" },
        { to: "/doctorspages/Cards-data", label: m.doctors_place(), icon: "stethoscope", also: ["/details/doctor"] },
        { to: "/patient/calendar", label: m.appointments_place(), icon: "calendar-days", also: ["/patient/appointments"] },
        { to: "/patient/profile", label: m.ui_place_profile(), icon: "user-round" },
      ]}
    >
      <Outlet />
    </PatientShell>
  );
}

import { href, Outlet, useLocation } from "react-router";
import { Favourites } from "#app/domains/directory/favourites/components/favourites.tsx";
import { EnquiryOnDemand } from "#app/domains/guidance/enquiry/components/enquiry-on-demand.tsx";
import { ENQUIRY_DIALOG, ENQUIRY_PATH } from "#app/domains/guidance/enquiry/components/enquiry-opener.ts";
import { sessionContext } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { m } from "#app/paraglide/messages.js";
import { Live } from "#app/realtime/live.tsx";
import { env } from "#app/runtime/env.server.ts";
import { SheetOf } from "#app/ui/document.tsx";
import { PatientShell } from "#app/ui/shell.tsx";
import type { Route } from "./+types/frame.ts";

/** Returns the patient with the unread count, or null for a visitor of the public pages; and whether this is the demo. */
export const loader = load(({ context }: Route.LoaderArgs) => {
  const session = context.get(sessionContext);
  const demo = env().demo;
  if (session?.role !== "patient") return { patient: null, demo };
  return { demo, patient: { id: session.userId, unread: session.unread } };
});

export default function PatientFrame({ loaderData }: Route.ComponentProps) {
  const { patient, demo } = loaderData;
  // Hidden on the dashboard, whose top bar has the city and whose first view is full, and in the chat.
  const { pathname } = useLocation();
  const chat = !/^\/patient(-dashboard|\/(ai-)?chat)$/.test(pathname);
  // Pages without doctors and hospitals have no ribbon.
  const ribbon = demo && !/^\/patient\/(wallet|settings|help|terms|contact-us|data|profile|family)\b/.test(pathname);
  const home = patient ? href("/patient-dashboard") : href("/find-a-doctor");
  return (
    <PatientShell
      home={home}
      {...(patient ? {} : { login: href("/dual-patient") })}
      {...(patient && chat ? { chat: href("/patient/chat") } : {})}
      {...(patient ? { bell: { to: href("/patient/notifications"), unread: patient.unread } } : {})}
      {...(ribbon ? { ribbon: m.ui_demo_ribbon() } : {})}
      places={[
        {
          to: home,
          label: m.ui_place_home(),
          icon: "house",
          also: ["/doctorspages", href("/details/:id", { id: "doctor" })],
        },
        {
          to: href("/hospitalpages/Cards-data"),
          label: m.patients_place_hospitals(),
          icon: "hospital",
          also: ["/hospital", href("/details/:id", { id: "hospital" })],
        },
        {
          to: href("/patient/calendar"),
          label: m.patients_place_appointments(),
          icon: "calendar-days",
          also: [href("/patient/appointments")],
        },
        {
          to: href("/patient/profile"),
          label: m.ui_place_profile(),
          icon: "user-round",
          also: [href("/favourites"), href("/patient/records")],
        },
        { to: ENQUIRY_PATH, label: m.enquiry_place(), icon: "message-circle-question-mark", dialog: ENQUIRY_DIALOG },
      ]}
    >
      {patient && <SheetOf audience="patients" />}
      {patient && <Live userId={patient.id} />}
      {patient && <EnquiryOnDemand />}
      <Favourites own={patient !== null}>
        <Outlet />
      </Favourites>
    </PatientShell>
  );
}

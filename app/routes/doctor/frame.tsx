import { Outlet } from "react-router";
import { photoPath } from "#app/domains/doctors/photo.ts";
import { getDoctorHead } from "#app/domains/doctors/queries.server.ts";
import { countUnread } from "#app/domains/notifications/queries.server.ts";
import { actorCtxOf, sessionContext } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { requireRole, requireVerifiedDoctor } from "#app/http/middleware.server.ts";
import { redirectTo, redirectWithToast } from "#app/http/redirects.server.ts";
import { m } from "#app/paraglide/messages.js";
import { Live } from "#app/realtime/live.tsx";
import { DeskShell } from "#app/ui/shell.tsx";
import type { Route } from "./+types/frame.ts";

export const handle = { desk: true };
/** Guards every page of the area: middleware of a layout runs for each of its children, their actions and their `.data`. */
export const middleware: Route.MiddlewareFunction[] = [sayWhenOver, requireRole("doctor"), requireVerifiedDoctor];

/** Where the specification has words for a session that is over (000 §2, §8); everywhere else the login says nothing. */
function sayWhenOver({ context, request, url }: Parameters<Route.MiddlewareFunction>[0]) {
  if (context.get(sessionContext)) return;
  if (url.pathname.startsWith("/doctor/ai-chat")) throw redirectWithToast("/doctor-verify", m.assistant_doctor_login(), { type: "error" });
  if (url.pathname === "/doctor/profile-view") throw redirectTo("/doctor/login");
  if (url.pathname === "/doctor/profile/edit" && request.method !== "GET")
    throw redirectWithToast("/dual-doctor", m.profile_not_authenticated(), { type: "error" });
}

export const loader = load(async ({ context }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  const [head, unread] = await Promise.all([getDoctorHead(ctx), countUnread(ctx)]);
  return { id: ctx.actor.userId, ...head, unread };
});

export default function DoctorFrame({ loaderData }: Route.ComponentProps) {
  return (
    <DeskShell
      home="/doctor-dashboard"
      chat="/doctor/ai-chat"
      bell={{ to: "/doctor/notifications", unread: loaderData.unread }}
      avatar={{ to: "/doctor/profile", id: loaderData.id, name: loaderData.name, photo: photoPath(loaderData.photo) }}
      places={[
        { to: "/doctor-dashboard", label: m.ui_place_home(), icon: "house" },
        { to: "/doctor/stats", label: m.statistics_place(), icon: "chart-column" },
        { to: "/doctor/availability", label: m.availability_place(), icon: "calendar-clock" },
        { to: "/doctor/appointments", label: m.appointments_schedule_place(), icon: "calendar-days", also: ["/doctor/patient"] },
        {
          to: "/doctor/profile",
          label: m.ui_place_profile(),
          icon: "user-round",
          also: ["/doctor/profile-view", "/doctor/settings", "/doctor/help", "/doctor/terms"],
        },
      ]}
    >
      <Live userId={loaderData.id} />
      <Outlet />
    </DeskShell>
  );
}

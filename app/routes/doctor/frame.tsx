import { href, Outlet } from "react-router";
import { getDoctorHead } from "#app/domains/directory/doctors/queries.server.ts";
import { IdleWarning } from "#app/domains/platform/accounts/components/idle-warning.tsx";
import { countUnread } from "#app/domains/platform/notifications/queries.server.ts";
import { actorCtxOf, sessionContext } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { redirectWithoutSession, requireRole, requireVerifiedDoctor } from "#app/http/middleware.server.ts";
import { redirectTo, redirectWithToast } from "#app/http/redirects.server.ts";
import { idleOf } from "#app/http/session.server.ts";
import { m } from "#app/paraglide/messages.js";
import { DoctorShell } from "../shared/staff-shells.tsx";
import type { Route } from "./+types/frame.ts";

/** Guards all pages of the area: layout middleware runs for its children, their actions and their `.data`. */
export const middleware = [redirectWithoutSession(withoutSession), requireRole("doctor"), requireVerifiedDoctor];

/** Specification 000 §2, §8. */
function withoutSession(request: Request, { pathname }: URL) {
  if (pathname.startsWith(href("/doctor/ai-chat")))
    return redirectWithToast(href("/doctor-verify"), m.assistant_doctor_login(), { type: "error" });
  if (pathname === href("/doctor/profile-view")) return redirectTo(href("/doctor/login"));
  if (pathname === href("/doctor/profile/edit") && request.method !== "GET")
    return redirectWithToast(href("/dual-doctor"), m.profile_not_authenticated(), { type: "error" });
}

export const loader = load(async ({ context }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  const [head, unread] = await Promise.all([getDoctorHead(ctx), countUnread(ctx)]);
  return { id: ctx.actor.userId, ...head, unread, idle: idleOf(context.get(sessionContext), ctx.now) };
});

export default function DoctorFrame({ loaderData }: Route.ComponentProps) {
  return (
    <DoctorShell doctor={loaderData}>
      <Outlet />
      {loaderData.idle && <IdleWarning {...loaderData.idle} />}
    </DoctorShell>
  );
}

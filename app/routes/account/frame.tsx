import { Outlet } from "react-router";
import { getDoctorHead, getRegistrationStatus } from "#app/domains/directory/doctors/queries.server.ts";
import { IdleWarning } from "#app/domains/platform/accounts/components/idle-warning.tsx";
import { countUnread } from "#app/domains/platform/notifications/queries.server.ts";
import { actorCtxOf, sessionContext } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { requireRole } from "#app/http/middleware.server.ts";
import { idleOf } from "#app/http/session.server.ts";
import { AdminShell, ApplicantShell, DoctorShell, ReviewerShell } from "../shared/staff-shells.tsx";
import type { Route } from "./+types/frame.ts";

export const handle = { staff: true };
/** Guards all pages of the area: layout middleware runs for its children, their actions and their `.data`. */
export const middleware = [requireRole("doctor", "reviewer", "admin")];

export const loader = load(async ({ context }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  const { role, userId } = ctx.actor;
  const idle = idleOf(context.get(sessionContext), ctx.now);
  if (role !== "doctor" || (await getRegistrationStatus(ctx)) !== "verified") return { role, idle, doctor: null };
  const [head, unread] = await Promise.all([getDoctorHead(ctx), countUnread(ctx)]);
  return { role, idle, doctor: { id: userId, ...head, unread } };
});

/** The account pages have the frame of the user's own area. */
export default function AccountFrame({ loaderData: { role, idle, doctor } }: Route.ComponentProps) {
  const page = (
    <>
      <Outlet />
      {idle && <IdleWarning {...idle} />}
    </>
  );
  if (doctor) return <DoctorShell doctor={doctor}>{page}</DoctorShell>;
  const Shell = role === "admin" ? AdminShell : role === "reviewer" ? ReviewerShell : ApplicantShell;
  return <Shell>{page}</Shell>;
}

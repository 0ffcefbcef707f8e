import { Outlet } from "react-router";
import { getDoctorHead } from "#app/domains/directory/doctors/queries.server.ts";
import { IdleWarning } from "#app/domains/platform/accounts/components/idle-warning.tsx";
import { sessionContext } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { idleOf } from "#app/http/session.server.ts";
import { DoctorShell } from "../frames/staff-shells.tsx";
import type { Route } from "./+types/frame.ts";

export const loader = loadOwn(async (ctx, { context }: Route.LoaderArgs) => {
  const session = context.get(sessionContext);
  return { id: ctx.actor.userId, ...(await getDoctorHead(ctx)), unread: session?.unread ?? 0, idle: idleOf(session, ctx.now) };
});

export default function DoctorFrame({ loaderData }: Route.ComponentProps) {
  return (
    <DoctorShell doctor={loaderData}>
      <Outlet />
      {loaderData.idle && <IdleWarning {...loaderData.idle} />}
    </DoctorShell>
  );
}

import { Outlet } from "react-router";
import { getDoctorHead } from "#app/domains/directory/doctors/queries.server.ts";
import { IdleWarning } from "#app/domains/platform/accounts/components/idle-warning.tsx";
import { actorCtxOf, sessionContext } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { idleOf } from "#app/http/session.server.ts";
import { DoctorShell } from "../frames/staff-shells.tsx";
import type { Route } from "./+types/frame.ts";

export const loader = load(async ({ context }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
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

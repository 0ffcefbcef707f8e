import { Outlet } from "react-router";
import { getDoctorHead } from "#app/domains/directory/doctors/queries.server.ts";
import { IdleWarning } from "#app/domains/platform/accounts/components/idle-warning.tsx";
import { countUnread } from "#app/domains/platform/notifications/queries.server.ts";
import { actorCtxOf, sessionContext } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { idleOf } from "#app/http/session.server.ts";
import { DoctorShell } from "../frames/staff-shells.tsx";
import type { Route } from "./+types/frame.ts";

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

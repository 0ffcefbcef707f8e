import { Outlet } from "react-router";
import { IdleWarning } from "#app/domains/platform/accounts/components/idle-warning.tsx";
import { sessionContext } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { idleOf } from "#app/http/session.server.ts";
import { AdminShell } from "../frames/admin-shell.tsx";
import { getAdminNavigation } from "../frames/load-own-area.server.ts";
import type { Route } from "./+types/frame.ts";

export const loader = loadOwn(async (ctx, { context }: Route.LoaderArgs) => {
  return { idle: idleOf(context.get(sessionContext), ctx.now), navigation: await getAdminNavigation(ctx) };
});

export default function AdminFrame({ loaderData: { idle, navigation } }: Route.ComponentProps) {
  return (
    <AdminShell {...navigation}>
      <Outlet />
      {idle && <IdleWarning {...idle} />}
    </AdminShell>
  );
}

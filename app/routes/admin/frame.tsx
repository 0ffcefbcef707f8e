import { Outlet } from "react-router";
import { IdleWarning } from "#app/domains/platform/accounts/components/idle-warning.tsx";
import { actorCtxOf, sessionContext } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { idleOf } from "#app/http/session.server.ts";
import { AdminShell } from "../frames/admin-shell.tsx";
import { getAdminNavigation } from "../frames/load-own-area.server.ts";
import type { Route } from "./+types/frame.ts";

export const loader = load(async ({ context }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
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

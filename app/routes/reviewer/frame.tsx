import { Outlet } from "react-router";
import { getClinicAccess } from "#app/domains/places/members/queries.server.ts";
import { IdleWarning } from "#app/domains/platform/accounts/components/idle-warning.tsx";
import { sessionContext } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { idleOf } from "#app/http/session.server.ts";
import { env } from "#app/runtime/env.server.ts";
import { ReviewerShell } from "../frames/staff-shells.tsx";
import type { Route } from "./+types/frame.ts";

export const loader = loadOwn(async (ctx, { context }: Route.LoaderArgs) => {
  return { idle: idleOf(context.get(sessionContext), ctx.now), messages: env().hasConversations, ...(await getClinicAccess(ctx)) };
});

export default function ReviewerFrame({ loaderData: { idle, clinic, desk, messages } }: Route.ComponentProps) {
  return (
    <ReviewerShell clinic={clinic} desk={desk} messages={messages}>
      <Outlet />
      {idle && <IdleWarning {...idle} />}
    </ReviewerShell>
  );
}

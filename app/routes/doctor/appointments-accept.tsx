import { href } from "react-router";
import { loadRequests, submitRequests } from "#app/http/accept-requests.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { m } from "#app/paraglide/messages.js";
import { AcceptRequestsPage } from "../shared/accept-requests-page.tsx";
import type { Route } from "./+types/appointments-accept.ts";

const AGENDA = `${href("/doctor/appointments")}?view=agenda`;

export const loader = load(async ({ context, request }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  return loadRequests(ctx, { doctorIds: [ctx.actor.userId], reasons: true }, request);
});

export function action({ context, request }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  return submitRequests(ctx, { doctorIds: [ctx.actor.userId], reasons: false }, request, AGENDA);
}

export { revalidateAfterRefusal as shouldRevalidate } from "#app/ui/unsent-form.ts";

export default function AppointmentsAccept({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <AcceptRequestsPage
      loaderData={loaderData}
      actionData={actionData}
      agenda={AGENDA}
      openAt={(id) => href("/doctor/patient/:id", { id })}
    />
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.agenda_accept_title() }) }];

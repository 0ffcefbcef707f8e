import { href } from "react-router";
import { loadRequests, submitRequests } from "#app/http/accept-requests.server.ts";
import { deskOf, scopeOfDesk } from "#app/http/desk.server.ts";
import { load } from "#app/http/load.server.ts";
import { orRefuse } from "#app/http/refusals.server.ts";
import { m } from "#app/paraglide/messages.js";
import type { PageHandle } from "#app/ui/document.tsx";
import { AcceptRequestsPage } from "../shared/accept-requests-page.tsx";
import type { Route } from "./+types/accept.ts";

export const handle = { agenda: true } satisfies PageHandle;

export const loader = load(async ({ context, request }: Route.LoaderArgs) => {
  const desk = await deskOf(context, request);
  return loadRequests(desk.ctx, scopeOfDesk(desk), request);
});

export async function action({ context, request }: Route.ActionArgs) {
  const desk = await orRefuse(() => deskOf(context, request));
  return submitRequests(desk.ctx, scopeOfDesk(desk), request, href("/desk"));
}

export { revalidateAfterRefusal as shouldRevalidate } from "#app/ui/unsent-form.ts";

export default function DeskAccept({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <AcceptRequestsPage
      loaderData={loaderData}
      actionData={actionData}
      agenda={href("/desk")}
      openAt={(id) => `${href("/desk")}?open=${id}`}
      doctors
    />
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.agenda_accept_title() }) }];

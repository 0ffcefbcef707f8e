import { href } from "react-router";
import { loadRequests, submitRequests } from "#app/http/accept-requests.server.ts";
import { chosenDoctor, deskOf } from "#app/http/desk.server.ts";
import { listAddress } from "#app/http/list-state.ts";
import { load } from "#app/http/load.server.ts";
import { orRefuse } from "#app/http/refusals.server.ts";
import { m } from "#app/paraglide/messages.js";
import { AcceptRequestsPage } from "../shared/accept-requests-page.tsx";
import type { Route } from "./+types/accept.ts";

export const loader = load(async ({ context, request }: Route.LoaderArgs) => {
  const desk = await deskOf(context, request);
  const { doctor, scope } = chosenDoctor(desk, request);
  return { ...(await loadRequests(desk.ctx, scope, request)), agenda: agendaOf(doctor) };
});

export async function action({ context, request }: Route.ActionArgs) {
  const desk = await orRefuse(() => deskOf(context, request));
  const { doctor, scope } = chosenDoctor(desk, request);
  return submitRequests(desk.ctx, scope, request, agendaOf(doctor));
}

/** Leads back to the agenda of the same doctor. */
const agendaOf = (doctor: string | null) => listAddress(href("/desk"), { doctor: doctor ?? "" });

export { revalidateAfterRefusal as shouldRevalidate } from "#app/ui/unsent-form.ts";

export default function DeskAccept({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <AcceptRequestsPage
      loaderData={loaderData}
      actionData={actionData}
      agenda={loaderData.agenda}
      openAt={(id) => `${href("/desk")}?open=${id}`}
      doctors
    />
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.agenda_accept_title() }) }];

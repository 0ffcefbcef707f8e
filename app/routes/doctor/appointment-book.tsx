import { href } from "react-router";
import { CallerForm } from "#app/domains/booking/appointments/components/caller-form.tsx";
import { loadCallerPage, submitCallerForm } from "#app/http/caller-page.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { listAddress } from "#app/http/list-state.ts";
import { load } from "#app/http/load.server.ts";
import { m } from "#app/paraglide/messages.js";
import type { PageHandle } from "#app/ui/document.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/appointment-book.ts";

export const handle = { bar: false } satisfies PageHandle;

const AGENDA = { view: "agenda" };

export const loader = load(async ({ context, request }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  const doctor = ctx.actor.userId;
  const day = new URL(request.url).searchParams.get("day");
  return { doctor, view: await loadCallerPage(ctx, { hospitalId: null, doctorId: doctor }, day) };
});

export function action({ context, request }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  const agenda = (day: string) => listAddress(href("/doctor/appointments"), { ...AGENDA, day });
  return submitCallerForm(ctx, request, { hospitalId: null, doctorIds: [ctx.actor.userId], agenda });
}

export { revalidateAfterRefusal as shouldRevalidate } from "#app/ui/unsent-form.ts";

/** Books an appointment with the acting doctor for a patient on the phone. */
export default function DoctorBook({ loaderData, actionData }: Route.ComponentProps) {
  const path = href("/doctor/appointments/book");
  return (
    <Page wide title={m.caller_title()} back={{ to: listAddress(href("/doctor/appointments"), AGENDA), label: m.agenda_to_agenda() }}>
      <CallerForm
        view={loaderData.view}
        doctorId={loaderData.doctor}
        path={path}
        fixed={{}}
        address={(day) => listAddress(path, { day })}
        answer={actionData}
      />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.caller_title() }) }];

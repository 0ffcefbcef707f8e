import { href } from "react-router";
import { CallerForm } from "#app/domains/booking/appointments/components/caller-form.tsx";
import { loadCallerPage, submitCallerForm } from "#app/http/caller-page.server.ts";
import { deskOf } from "#app/http/desk.server.ts";
import { listAddress } from "#app/http/list-state.ts";
import { load } from "#app/http/load.server.ts";
import { orRefuse } from "#app/http/refusals.server.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import type { PageHandle } from "#app/ui/document.tsx";
import { Chips } from "#app/ui/nav.tsx";
import { Page } from "#app/ui/shell.tsx";
import { EmptyState } from "#app/ui/states.tsx";
import type { Route } from "./+types/book.ts";

export const handle = { bar: false } satisfies PageHandle;

export const loader = load(async ({ context, request }: Route.LoaderArgs) => {
  const { ctx, place, doctors } = await deskOf(context, request);
  const query = new URL(request.url).searchParams;
  const doctor = doctors.find(({ id }) => id === query.get("doctor")) ?? doctors[0];
  const view = doctor ? await loadCallerPage(ctx, { hospitalId: place.id, doctorId: doctor.id }, query.get("day")) : null;
  return { doctors, doctor: doctor?.id ?? "", view };
});

export async function action({ context, request }: Route.ActionArgs) {
  const { ctx, place, doctors } = await orRefuse(() => deskOf(context, request));
  return submitCallerForm(ctx, request, {
    hospitalId: place.id,
    doctorIds: doctors.map(({ id }) => id),
    agenda: (day) => listAddress(href("/desk"), { day }),
  });
}

export { revalidateAfterRefusal as shouldRevalidate } from "#app/ui/unsent-form.ts";

/** Books an appointment of a doctor of the place for a patient on the phone. */
export default function DeskBook({ loaderData, actionData }: Route.ComponentProps) {
  const { doctors, doctor, view } = loaderData;
  const path = href("/desk/book");
  return (
    <Page wide title={m.caller_title()} className="desktop:max-w-desk" back={{ to: href("/desk"), label: m.agenda_to_agenda() }}>
      {view ? (
        <CallerForm
          key={doctor}
          view={view}
          doctorId={doctor}
          path={path}
          fixed={{ doctor }}
          address={(day) => listAddress(path, { doctor, day })}
          choices={
            doctors.length > 1 && (
              <Chips
                label={m.desk_doctor()}
                chips={doctors.map(({ id, name }) => ({
                  to: listAddress(path, { doctor: id, day: view.day ?? "" }),
                  label: name,
                  current: id === doctor,
                }))}
              />
            )
          }
          answer={actionData}
        />
      ) : (
        <EmptyState
          drawing="care"
          title={m.desk_no_doctors()}
          action={
            <LinkButton to={href("/desk")} variant="second">
              {m.agenda_to_agenda()}
            </LinkButton>
          }
        >
          {m.desk_no_doctors_text()}
        </EmptyState>
      )}
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.caller_title() }) }];

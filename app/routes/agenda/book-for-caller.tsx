import { href } from "react-router";
import { BookCallerSchema } from "#app/domains/booking/appointments/appointments.schema.ts";
import { bookForCaller, findKnownCallers, viewTimesForCaller } from "#app/domains/booking/appointments/book-for-caller.server.ts";
import { CallerForm } from "#app/domains/booking/appointments/components/caller-form.tsx";
import { whenWord } from "#app/domains/booking/appointments/proposal-times.ts";
import { fillInKnown, refuseChoice, typedOf } from "#app/domains/waiting-room/queue/known-person.ts";
import { actorCtxOf, areaIn } from "#app/http/context.ts";
import { listAddress } from "#app/http/list-state.ts";
import { load } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { orRefuse } from "#app/http/refusals.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { randomToken } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import type { PageHandle } from "#app/ui/document.tsx";
import { Chips } from "#app/ui/nav.tsx";
import { Page } from "#app/ui/shell.tsx";
import { EmptyState } from "#app/ui/states.tsx";
import type { Route } from "./+types/book-for-caller.ts";
import { deskOf } from "./desk.server.ts";

export const handle = { bar: false } satisfies PageHandle;

/** Returns whose free times the page shows and where a booking leads: of the doctor, or of the doctors at the desk's place. */
async function callerDesk({ context, request }: Pick<Route.LoaderArgs, "context" | "request">) {
  if (areaIn(context, "doctor", "desk") === "doctor") {
    const ctx = actorCtxOf(context);
    return { ctx, own: true, hospitalId: null, doctors: [{ id: ctx.actor.userId, name: "" }] };
  }
  const { ctx, place, doctors } = await deskOf(context, request);
  return { ctx, own: false, hospitalId: place.id, doctors };
}
const agendaOf = (own: boolean, day?: string) =>
  own ? listAddress(href("/doctor/appointments"), { view: "agenda", day }) : listAddress(href("/desk"), { day });

/** The free times of one doctor at a day of the URL, otherwise at the first free one. */
export const loader = load(async ({ context, request }: Route.LoaderArgs) => {
  const { ctx, own, hospitalId, doctors } = await callerDesk({ context, request });
  const query = new URL(request.url).searchParams;
  const doctor = doctors.find(({ id }) => id === query.get("doctor")) ?? doctors[0];
  if (!doctor) return { own, doctors, doctor: "", view: null };
  const times = await viewTimesForCaller(ctx, { hospitalId, doctorId: doctor.id }, query.get("day"));
  const view = { ...times, formKey: randomToken() };
  return { own, doctors, doctor: doctor.id, view };
});

/** Books for a caller, or lists known patients of the phone. */
export async function action({ context, request }: Route.ActionArgs) {
  const { ctx, own, hospitalId, doctors } = await orRefuse(() => callerDesk({ context, request }));
  const doctorIds = doctors.map(({ id }) => id);
  return submitForm(
    request,
    BookCallerSchema,
    async (input, _, again) => {
      if (input.intent === "find") return again({ people: await findKnownCallers(ctx, { hospitalId, doctorIds, ...typedOf(input) }) });
      const { intent: _intent, ...booking } = input;
      await bookForCaller(ctx, { ...booking, hospitalId });
      return redirectWithToast(agendaOf(own, input.at.date), m.caller_booked({ when: whenWord(input.at) }));
    },
    { prepare: async (formData) => (formData.get("intent") === "book" ? chooseKnown(formData) : undefined) },
  );
}

/** Fills in what is known of the chosen patient. Returns why the choice is not clear. */
function chooseKnown(form: FormData) {
  const refused = refuseChoice(form);
  if (!refused) fillInKnown(form);
  return refused;
}

/** Books an appointment for a patient on the phone. */
export default function BookForCaller({ loaderData, actionData }: Route.ComponentProps) {
  const { own, doctors, doctor, view } = loaderData;
  const path = own ? href("/doctor/appointments/book") : href("/desk/book");
  return (
    <Page wide={own || "desk"} title={m.caller_title()} back={{ to: agendaOf(own), label: m.agenda_to_agenda() }}>
      {view ? (
        <CallerForm
          key={doctor}
          view={view}
          doctorId={doctor}
          path={path}
          fixed={own ? {} : { doctor }}
          address={(day) => listAddress(path, own ? { day } : { doctor, day })}
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

import { href } from "react-router";
import { specialtyWord } from "#app/domains/directory/doctors/names.ts";
import { PlaceDoctorsSchema } from "#app/domains/places/members/members.schema.ts";
import { canPlaceDoctor } from "#app/domains/places/members/place-doctor.state.ts";
import { changePlaceDoctor, claimDoctor, claimDoctorByEmail } from "#app/domains/places/members/place-doctors.server.ts";
import { getPlace } from "#app/domains/places/members/queries.server.ts";
import { placeDoctorWord } from "#app/domains/places/members/words.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { throwRefusal } from "#app/http/refusals.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { MAX_EMAIL } from "#app/lib/text-limits.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { ErrorSummary, Form, SubmitButton, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Page } from "#app/ui/shell.tsx";
import { DividedList } from "#app/ui/staff/divided-list.tsx";
import type { Route } from "./+types/doctors.ts";

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => {
  const { place, doctors, askable, managesDoctors } = await getPlace(ctx, params.id);
  if (!managesDoctors) throwRefusal(new DomainError("forbidden"));
  const shown = ({ id, name, specialization }: (typeof askable)[number]) => ({ id, name, specialization });
  return { place: place.name, doctors: doctors.map((doctor) => ({ ...shown(doctor), state: doctor.state })), askable: askable.map(shown) };
});

export const action = submitOwn(PlaceDoctorsSchema, async (ctx, input, { params }: Route.ActionArgs) => {
  const here = href("/clinic/:id/doctors", { id: params.id });
  const hospitalId = params.id;
  if (input.intent === "accept") {
    await changePlaceDoctor(ctx, { hospitalId, doctorId: input.doctorId, action: "accept-doctor" });
    return redirectWithToast(here, m.clinic_doctor_accepted());
  }
  if (input.intent === "claim") await claimDoctor(ctx, { hospitalId, doctorId: input.doctorId });
  else await claimDoctorByEmail(ctx, { hospitalId, email: input.email });
  return redirectWithToast(here, input.intent === "claim" ? m.clinic_claim_sent() : m.clinic_claim_sent_email(), { stays: true });
});

type Data = Route.ComponentProps["loaderData"];

export default function PlaceDoctors({ loaderData, actionData, params }: Route.ComponentProps) {
  const { place, doctors, askable } = loaderData;
  const result = actionData?.result ?? null;
  const byEmail = result?.initialValue?.intent === "claim-by-email";
  const [refused] = useNadiForm({ id: "refused", lastResult: byEmail ? null : result });
  const [form, fields] = useNadiForm<{ email: string }>({ id: "by-email", lastResult: byEmail ? result : null });
  const waiting = doctors.filter(({ state }) => canPlaceDoctor("accept-doctor", state, "owner"));
  const others = doctors.filter(({ state }) => !canPlaceDoctor("accept-doctor", state, "owner"));
  return (
    <Page title={m.clinic_doctors()} back={{ to: href("/clinic/:id", { id: params.id }), label: place }}>
      <ErrorSummary form={refused} />
      {waiting.length > 0 && <Waiting place={params.id} waiting={waiting} />}
      {others.length > 0 && (
        <section className="card mt-4" aria-labelledby="h-doctors">
          <h2 id="h-doctors">{m.clinic_doctors_here()}</h2>
          <DividedList>
            {others.map((doctor) => (
              <Line key={doctor.id} {...doctor}>
                <Remove
                  place={params.id}
                  id={doctor.id}
                  label={doctor.state === "claimed" ? m.clinic_withdraw() : m.clinic_doctor_remove()}
                  name={doctor.name}
                />
              </Line>
            ))}
          </DividedList>
        </section>
      )}
      <section className="card mt-7" aria-labelledby="h-ask">
        <h2 id="h-ask">{m.clinic_doctors_ask()}</h2>
        <p className="text-sm text-ink-soft">{m.clinic_doctors_ask_text()}</p>
        {askable.length > 0 && (
          <DividedList>
            {askable.map((doctor) => (
              <Line key={doctor.id} {...doctor}>
                <Send id={doctor.id} intent="claim" label={m.clinic_doctor_ask()} name={doctor.name} />
              </Line>
            ))}
          </DividedList>
        )}
        <Form form={form} className="mt-2">
          <TextField
            field={fields.email}
            label={m.clinic_doctor_email()}
            hint={m.clinic_doctor_email_hint()}
            type="email"
            autoComplete="off"
            spellCheck={false}
            maxLength={MAX_EMAIL}
          />
          <SubmitButton name="intent" value="claim-by-email" variant="second" full className="mt-3">
            {m.clinic_doctor_ask_email()}
          </SubmitButton>
        </Form>
      </section>
    </Page>
  );
}

const Waiting = ({ place, waiting }: { place: string; waiting: Data["doctors"] }) => (
  <section className="card mt-4" aria-labelledby="h-waiting">
    <h2 id="h-waiting">{m.clinic_doctors_waiting()}</h2>
    <DividedList>
      {waiting.map((doctor) => (
        <Line key={doctor.id} {...doctor}>
          <Send id={doctor.id} intent="accept" label={m.clinic_doctor_accept()} name={doctor.name} />
          <Remove place={place} id={doctor.id} label={m.clinic_doctor_decline()} name={doctor.name} />
        </Line>
      ))}
    </DividedList>
  </section>
);

type LineProps = { name: string; specialization: string; state?: "claimed" | "asked" | "active" | "ended"; children: React.ReactNode };
const Line = ({ name, specialization, state, children }: LineProps) => (
  <li className="row flex-wrap">
    <div className="grow">
      <p>{name}</p>
      <p className="text-sm text-ink-soft">
        {[specialization && specialtyWord(specialization), state === "claimed" && placeDoctorWord(state)].filter(Boolean).join(" · ")}
      </p>
    </div>
    {children}
  </li>
);

function Send({ id, intent, label, name }: { id: string; intent: "claim" | "accept"; label: string; name: string }) {
  const [form] = useNadiForm({ id: `${intent}-${id}` });
  return (
    <Form form={form}>
      <input type="hidden" name="doctorId" value={id} />
      <SubmitButton name="intent" value={intent} variant="second" size="sm" aria-label={`${label}: ${name}`}>
        {label}
      </SubmitButton>
    </Form>
  );
}
const Remove = ({ place, id, label, name }: { place: string; id: string; label: string; name: string }) => (
  <LinkButton
    to={href("/clinic/:id/doctors/:doctorId/remove", { id: place, doctorId: id })}
    variant="quiet"
    size="sm"
    aria-label={`${label}: ${name}`}
  >
    {label}
  </LinkButton>
);

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.clinic_doctors() }) }];

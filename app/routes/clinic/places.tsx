import { href } from "react-router";
import { OwnPlacesSchema } from "#app/domains/places/members/members.schema.ts";
import { canPlaceDoctor } from "#app/domains/places/members/place-doctor.state.ts";
import { acceptPlace, askPlace, leaveAsDoctor } from "#app/domains/places/members/place-doctors.server.ts";
import { listDoctorPlaces, listOwnPlaces } from "#app/domains/places/members/queries.server.ts";
import { memberRoleWord } from "#app/domains/places/members/words.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectTo, redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink } from "#app/ui/button.tsx";
import { ErrorSummary, Form, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { Card } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { DividedList } from "#app/ui/staff/divided-list.tsx";
import { EmptyState } from "#app/ui/states.tsx";
import type { Route } from "./+types/places.ts";

export const loader = loadOwn(async (ctx) => {
  const [own, doctor] = await Promise.all([listOwnPlaces(ctx), listDoctorPlaces(ctx)]);
  // Nothing to choose.
  if (own.length === 1 && !doctor.places.length && !doctor.askable) throw redirectTo(href("/clinic/:id", { id: own[0]!.id }));
  return { own, ...doctor, isDoctor: ctx.actor.role === "doctor" };
});

export const action = submitOwn(OwnPlacesSchema, async (ctx, { intent, hospitalId }) => {
  if (intent === "accept") await acceptPlace(ctx, hospitalId);
  else if (intent === "ask") await askPlace(ctx, hospitalId);
  else await leaveAsDoctor(ctx, hospitalId);
  const done = { accept: m.clinic_place_accepted, ask: m.clinic_place_asked, end: m.clinic_place_ended }[intent];
  return redirectWithToast(href("/clinic"), done());
});

type Data = Route.ComponentProps["loaderData"];

export default function Places({ loaderData, actionData }: Route.ComponentProps) {
  const { own, places, askable, isDoctor } = loaderData;
  const [refused] = useNadiForm({ id: "refused", lastResult: actionData?.result ?? null });
  const asked = places.filter(({ state }) => canPlaceDoctor("accept-place", state, "doctor"));
  const others = places.filter(({ state }) => !canPlaceDoctor("accept-place", state, "doctor"));
  return (
    <Page title={m.clinic_title()} {...(isDoctor && { back: { to: href("/doctor/profile") } })}>
      <ErrorSummary form={refused} />
      {own.length + places.length === 0 && !askable && (
        <EmptyState drawing="care" title={m.clinic_none_title()}>
          {m.clinic_none_text()}
        </EmptyState>
      )}
      {asked.map((place) => (
        <Card key={place.id} className="mt-4">
          <h2>{m.clinic_claim_title({ place: place.name })}</h2>
          <p className="text-sm text-ink-soft">{place.address}</p>
          <p className="mt-2">{m.clinic_claim_text()}</p>
          <Answer id={place.id} yes={m.clinic_claim_accept()} no={m.clinic_claim_decline()} />
        </Card>
      ))}
      {own.length > 0 && <OwnPlaces own={own} />}
      {(others.length > 0 || askable) && (
        <section className="mt-7" aria-labelledby="h-doctor">
          <h2 id="h-doctor">{m.clinic_doctor_places()}</h2>
          <p className="text-sm text-ink-soft">{m.clinic_doctor_places_text()}</p>
          <DividedList>
            {others.map(({ id, name, address, state }) => (
              <li key={id} className="row flex-wrap">
                <div className="grow">
                  <p>{name}</p>
                  <p className="text-sm text-ink-soft">{state === "asked" ? m.clinic_waits_for_place() : address}</p>
                </div>
                <Answer id={id} no={state === "asked" ? m.clinic_withdraw() : m.clinic_stop()} name={name} />
              </li>
            ))}
            {askable && (
              <li className="row flex-wrap">
                <div className="grow">
                  <p>{askable.name}</p>
                  <p className="text-sm text-ink-soft">{askable.address}</p>
                </div>
                <Answer id={askable.id} ask={m.clinic_ask_place()} name={askable.name} />
              </li>
            )}
          </DividedList>
        </section>
      )}
    </Page>
  );
}

const OwnPlaces = ({ own }: Pick<Data, "own">) => (
  <section className="mt-4" aria-labelledby="h-own">
    <h2 id="h-own">{m.clinic_own_places()}</h2>
    <DividedList>
      {own.map(({ id, name, address, role }) => (
        <li key={id}>
          <AnyLink to={href("/clinic/:id", { id })}>{name}</AnyLink>
          <p className="text-sm text-ink-soft">
            {memberRoleWord(role)} · {address}
          </p>
        </li>
      ))}
    </DividedList>
  </section>
);

/** Buttons of a doctor's answer to a place. */
function Answer({ id, yes, no, ask, name }: { id: string; yes?: string; no?: string; ask?: string; name?: string }) {
  const [form] = useNadiForm({ id: `answer-${id}` });
  const label = (word: string) => name && { "aria-label": `${word}: ${name}` };
  return (
    <Form form={form} className="row flex-wrap">
      <input type="hidden" name="hospitalId" value={id} />
      {yes && (
        <SubmitButton name="intent" value="accept">
          {yes}
        </SubmitButton>
      )}
      {ask && (
        <SubmitButton name="intent" value="ask" variant="second" {...label(ask)}>
          {ask}
        </SubmitButton>
      )}
      {no && (
        <SubmitButton name="intent" value="end" variant="quiet" {...label(no)}>
          {no}
        </SubmitButton>
      )}
    </Form>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.clinic_title() }) }];

import { href } from "react-router";
import { FeeField, TermsFields } from "#app/domains/clinic/practices/components/terms-fields.tsx";
import { openPractice } from "#app/domains/clinic/practices/open-practice.server.ts";
import { OpenPracticeSchema } from "#app/domains/clinic/practices/practices.schema.ts";
import { listHospitalOptions } from "#app/domains/credentials/application/hospital-options.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Finder } from "#app/ui/finder.tsx";
import { Form, RadioPicks, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { Dock, Page } from "#app/ui/shell.tsx";
import { EmptyState } from "#app/ui/states.tsx";
import type { Route } from "./+types/add.ts";

export const handle = { bar: false };

/** Places on the page. The search narrows them. */
const PLACES = 10;

export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const q = (new URL(request.url).searchParams.get("q") ?? "").slice(0, 100);
  const { options, matching } = await listHospitalOptions(ctx, q, { limit: PLACES, offset: 0 });
  return { q, matching, places: options.map(({ id, name, address }) => ({ id, name, address })) };
});

export const action = submitOwn(OpenPracticeSchema, async (ctx, input) => {
  const { id } = await openPractice(ctx, input);
  return redirectWithToast(href("/doctor/practices/:id/hours", { id }), m.practices_opened());
});

type Fields = { hospitalId: string; fee: string; slotMinutes: string; patientsPerSlot: string };

export default function PracticeAdd({ loaderData, actionData }: Route.ComponentProps) {
  const { q, places, matching } = loaderData;
  const [form, fields] = useNadiForm<Fields>({
    id: "practice",
    lastResult: actionData?.result,
    defaultValue: { slotMinutes: "30", patientsPerSlot: "1" },
  });
  const here = href("/doctor/practices/add");
  return (
    <Page title={m.practices_add()} back={{ to: href("/doctor/practices"), label: m.practices_title() }}>
      <p className="text-ink-soft mb-3">{m.practices_add_text()}</p>
      <Finder
        action={here}
        label={m.practices_find()}
        placeholder={m.practices_find_hint()}
        text={q}
        button={m.practices_search()}
        clear={{ to: here, label: m.practices_clear() }}
      />
      {places.length === 0 ? (
        <EmptyState drawing="nothing-found" title={m.practices_none_found()} action={<NotListed />}>
          {m.practices_none_found_text()}
        </EmptyState>
      ) : (
        <Form form={form} key={q}>
          <RadioPicks
            field={fields.hospitalId}
            label={m.practices_place()}
            hint={matching > places.length ? m.practices_more({ count: places.length, all: matching }) : undefined}
            options={places.map(({ id, name, address }) => ({
              value: id,
              label: (
                <span className="grow">
                  <b>{name}</b>
                  <br />
                  <span className="text-sm text-ink-soft">{address}</span>
                </span>
              ),
            }))}
          />
          <p className="mt-4 font-bold">{m.practices_own_not_listed()}</p>
          <NotListed />
          <FeeField field={fields.fee} />
          <TermsFields slotMinutes={fields.slotMinutes} patientsPerSlot={fields.patientsPerSlot} />
          <Dock>
            <SubmitButton size="lg">{m.practices_add_yes()}</SubmitButton>
          </Dock>
        </Form>
      )}
    </Page>
  );
}

const NotListed = () => (
  <p className="row flex-wrap mt-2">
    <LinkButton to={href("/doctor/practices/add/unlisted")} variant="second" icon="plus">
      {m.practices_unlisted()}
    </LinkButton>
    <LinkButton to={href("/doctor/clinic")} variant="second" icon="plus">
      {m.practices_own_open()}
    </LinkButton>
  </p>
);

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.practices_add() }) }];

import { href } from "react-router";
import { changePractice } from "#app/domains/clinic/practices/change-practice.server.ts";
import { TermsFields } from "#app/domains/clinic/practices/components/terms-fields.tsx";
import { PracticeSchema } from "#app/domains/clinic/practices/practices.schema.ts";
import { getPractice } from "#app/domains/clinic/practices/queries.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, LinkButton } from "#app/ui/button.tsx";
import { Form, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { Dock, Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/change.ts";

export const handle = { bar: false };

export const loader = load(async ({ context, params }: Route.LoaderArgs) => {
  const { id, isFirst, place, ownFee, slotMinutes, patientsPerSlot } = await getPractice(actorCtxOf(context), params.id);
  return {
    id,
    isFirst,
    place,
    slotMinutes: String(slotMinutes),
    patientsPerSlot: String(patientsPerSlot),
    fee: ownFee === null ? "" : String(ownFee / 100),
  };
});

export async function action({ context, params, request }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  return submitForm(request, PracticeSchema, async (input) => {
    await changePractice(ctx, { id: params.id, ...input });
    return redirectWithToast(href("/doctor/practices"), m.practices_changed());
  });
}

type Fields = { fee: string; slotMinutes: string; patientsPerSlot: string };

export default function PracticeChange({ loaderData, actionData }: Route.ComponentProps) {
  const { id, isFirst, place, ...defaultValue } = loaderData;
  const [form, fields] = useNadiForm<Fields>({ id: "practice", lastResult: actionData?.result, defaultValue });
  return (
    <Page
      wizard
      title={place ?? m.practices_no_place()}
      back={{ to: href("/doctor/practices"), label: m.practices_title() }}
      actions={
        !isFirst && (
          <LinkButton to={href("/doctor/practices/:id/close", { id })} variant="quiet" size="sm">
            {m.practices_close()}
          </LinkButton>
        )
      }
    >
      {isFirst && (
        <p className="soft mb">
          {m.practices_first_text()} <AnyLink to={href("/doctor/profile/edit")}>{m.practices_to_profile()}</AnyLink>
        </p>
      )}
      <Form form={form}>
        <TermsFields {...(!isFirst && { fee: fields.fee })} slotMinutes={fields.slotMinutes} patientsPerSlot={fields.patientsPerSlot} />
        <p className="small soft mb">{m.practices_change_text()}</p>
        <Dock>
          <SubmitButton size="lg">{m.practices_save()}</SubmitButton>
        </Dock>
      </Form>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.practices_change() }) }];

import { href } from "react-router";
import { changePractice } from "#app/domains/clinic/practices/change-practice.server.ts";
import { ModeFields, onlyWith } from "#app/domains/clinic/practices/components/mode-fields.tsx";
import { FeeField, TermsFields } from "#app/domains/clinic/practices/components/terms-fields.tsx";
import { getModeFacts } from "#app/domains/clinic/practices/mode-facts.server.ts";
import { PracticeSchema } from "#app/domains/clinic/practices/practices.schema.ts";
import { getPractice } from "#app/domains/clinic/practices/queries.server.ts";
import { modeChangedWord } from "#app/domains/clinic/practices/words.ts";
import { findOwnKeyword } from "#app/domains/messages/keywords/keywords.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import type { PracticeMode } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { AnyLink, LinkButton } from "#app/ui/button.tsx";
import { Form, SubmitButton, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Dock, Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/change.ts";

export const handle = { bar: false };

export const loader = loadOwn(async (ctx, { params }: Route.LoaderArgs) => {
  const { id, isFirst, place, ownFee, slotMinutes, patientsPerSlot, mode, seatsPerSession, hours } = await getPractice(ctx, params.id);
  return {
    id,
    isFirst,
    place,
    hasHours: hours.length > 0,
    facts: await getModeFacts(ctx, { id, mode }),
    choosesKeyword: env().hasConversations && (await findOwnKeyword(ctx, id)) !== null,
    values: {
      slotMinutes: String(slotMinutes),
      patientsPerSlot: String(patientsPerSlot),
      mode,
      seatsPerSession: String(seatsPerSession),
      fee: ownFee === null ? "" : String(ownFee / 100),
    },
  };
});

export const action = submitOwn(PracticeSchema, async (ctx, input, { params }: Route.ActionArgs) => {
  const changed = await changePractice(ctx, { id: params.id, ...input });
  return redirectWithToast(href("/doctor/practices"), changed ? modeChangedWord(changed) : m.practices_changed());
});

type Fields = { fee: string; slotMinutes: string; patientsPerSlot: string; mode: PracticeMode; seatsPerSession: string };

export default function PracticeChange({ loaderData, actionData }: Route.ComponentProps) {
  const { id, isFirst, place, hasHours, facts, choosesKeyword, values } = loaderData;
  const [form, fields] = useNadiForm<Fields>({ id: "practice", lastResult: actionData?.result, defaultValue: values });
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
        <p className="text-ink-soft mb-3">
          {m.practices_first_text()} <AnyLink to={href("/doctor/profile/edit")}>{m.practices_to_profile()}</AnyLink>
        </p>
      )}
      <Form form={form} className="group">
        {!isFirst && <FeeField field={fields.fee} />}
        <ModeFields field={fields.mode} id={id} now={values.mode} facts={facts} hasHours={hasHours} />
        <div className={`mt-4 ${onlyWith.slots}`}>
          <TermsFields slotMinutes={fields.slotMinutes} patientsPerSlot={fields.patientsPerSlot} />
        </div>
        <div className={`mt-4 ${onlyWith.tokens}`}>
          <TextField
            field={fields.seatsPerSession}
            label={m.practices_session_seats()}
            hint={m.practices_session_seats_hint()}
            inputMode="numeric"
            maxLength={6}
          />
        </div>
        <p className="text-sm text-ink-soft mt-2">{m.practices_change_text()}</p>
        {choosesKeyword && (
          <p className="mt-4">
            <AnyLink to={href("/doctor/practices/:id/keyword", { id })}>{m.keyword_own_title()}</AnyLink>
          </p>
        )}
        <Dock>
          <SubmitButton size="lg">{m.practices_save()}</SubmitButton>
        </Dock>
      </Form>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.practices_change() }) }];

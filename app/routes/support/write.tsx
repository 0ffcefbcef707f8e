import { visitWord } from "#app/domains/platform/support/components/thread-messages.tsx";
import { listAppointmentsToName } from "#app/domains/platform/support/queries.server.ts";
import { QuestionSchema } from "#app/domains/platform/support/support.schema.ts";
import { MAX_MESSAGE } from "#app/domains/platform/support/thread.ts";
import { topicWord } from "#app/domains/platform/support/words.ts";
import { askSupport } from "#app/domains/platform/support/write-to-support.server.ts";
import { load } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { randomToken } from "#app/lib/ids.server.ts";
import { SUPPORT_TOPICS } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { Form, SelectField, SubmitButton, TextArea, useNadiForm } from "#app/ui/form.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/write.ts";
import { askerCtxOf } from "./asker.server.ts";
import { supportPaths } from "./support-paths.ts";

export const loader = load(async ({ context }: Route.LoaderArgs) => {
  const ctx = askerCtxOf(context);
  const { role } = ctx.actor;
  return {
    asDoctor: role === "doctor",
    appointments: await listAppointmentsToName(ctx),
    key: randomToken(),
    base: supportPaths(role).base,
  };
});

export function action({ context, request }: Route.ActionArgs) {
  const ctx = askerCtxOf(context);
  return submitForm(request, QuestionSchema, async (input) => {
    const id = await askSupport(ctx, input);
    return redirectWithToast(`${supportPaths(ctx.actor.role).base}/${id}`, m.support_sent());
  });
}

type Question = { topic: string; appointment: string; message: string };

export default function WriteToSupport({ loaderData: { appointments, asDoctor, key, base }, actionData }: Route.ComponentProps) {
  const [form, fields] = useNadiForm<Question>({ id: "support", lastResult: actionData?.result ?? null });
  return (
    <Page title={m.support_new_title()} back={{ to: base, label: m.support_back() }}>
      <Note tone="info" className="mb-3">
        {m.support_emergency()}
      </Note>
      <Form form={form}>
        <input type="hidden" name="key" value={key} />
        <SelectField
          field={fields.topic}
          label={m.support_topic()}
          placeholder={m.support_topic_choose()}
          options={SUPPORT_TOPICS.map((value) => ({ value, label: topicWord(value) }))}
        />
        {(appointments.length > 0 || fields.appointment.errors) && (
          <SelectField
            field={fields.appointment}
            label={m.support_appointment()}
            hint={m.support_appointment_hint()}
            optional
            placeholder={m.support_appointment_none()}
            options={appointments.map((visit) => ({ value: visit.id, label: visitWord(visit, asDoctor) }))}
          />
        )}
        <TextArea
          field={fields.message}
          label={m.support_message()}
          hint={m.support_message_hint({ max: MAX_MESSAGE })}
          rows={6}
          maxLength={MAX_MESSAGE}
        />
        <SubmitButton full icon="send" pendingText={m.support_sending()}>
          {m.support_send()}
        </SubmitButton>
      </Form>
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.support_new_title() }) }];

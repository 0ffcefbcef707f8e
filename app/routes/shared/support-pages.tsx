/** The pages of a user's questions to support. `base`: the path of the list in the user's area. */
import { ThreadBadge } from "#app/domains/platform/support/components/thread-badge.tsx";
import { ThreadMessages, visitWord } from "#app/domains/platform/support/components/thread-messages.tsx";
import { canSupport } from "#app/domains/platform/support/support.state.ts";
import { MAX_MESSAGE } from "#app/domains/platform/support/thread.ts";
import { topicWord } from "#app/domains/platform/support/words.ts";
import { listAddress } from "#app/http/list-state.ts";
import type { FormAnswer } from "#app/http/submit-form.server.ts";
import type { loadOwnThread, loadQuestion, loadSupportList } from "#app/http/support.server.ts";
import { formatInstant } from "#app/lib/dates.ts";
import { SUPPORT_TOPICS } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Form, SelectField, SubmitButton, TextArea, useNadiForm } from "#app/ui/form.tsx";
import { Card, GoLink, MetaLine, Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { EmptyState, Pages } from "#app/ui/states.tsx";

type Data<Loader extends (...args: never[]) => unknown> = Awaited<ReturnType<Loader>>;
type Result = { result: FormAnswer["result"] | null | undefined };

export function SupportList({
  data: { rows, page, hasMore, total },
  base,
  back,
}: {
  data: Data<typeof loadSupportList>;
  base: string;
  back: string;
}) {
  const write = `${base}/write`;
  return (
    <Page title={m.support_title()} back={{ to: back }}>
      {rows.length ? (
        <>
          <LinkButton to={write} icon="pencil" full>
            {m.support_new()}
          </LinkButton>
          <ul className="space-y-4 mt-4">
            {rows.map((thread) => (
              <Card as="li" key={thread.id}>
                <h2>
                  <GoLink to={`${base}/${thread.id}`}>{topicWord(thread.topic)}</GoLink>
                </h2>
                <MetaLine className="mt-2">
                  <ThreadBadge state={thread.state} /> <span>{formatInstant(thread.lastMessageAt)}</span>
                </MetaLine>
                <p className="text-sm text-ink-soft mt-2">{m.support_about({ reference: thread.reference })}</p>
              </Card>
            ))}
          </ul>
          <Pages page={page} hasMore={hasMore} to={(n) => listAddress(base, { page: n })} of={{ rows: rows.length, total }} />
        </>
      ) : (
        <EmptyState title={m.support_none_title()} action={<LinkButton to={write}>{m.support_place()}</LinkButton>}>
          {m.support_none_text()}
        </EmptyState>
      )}
    </Page>
  );
}

type Question = { topic: string; appointment: string; message: string };

export function WriteToSupport({ data, base, result }: { data: Data<typeof loadQuestion>; base: string } & Result) {
  const { appointments, asDoctor, key } = data;
  const [form, fields] = useNadiForm<Question>({ id: "support", lastResult: result ?? null });
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

export function SupportThread({ data, base, result }: { data: Data<typeof loadOwnThread>; base: string } & Result) {
  const { thread, visit, messages, hasMore, page, key, role } = data;
  const here = `${base}/${thread.id}`;
  const [form, fields] = useNadiForm<{ message: string }>({ id: "reply", lastResult: result ?? null });
  const [closing] = useNadiForm({ id: "close", lastResult: null });
  return (
    <Page title={topicWord(thread.topic)} back={{ to: base, label: m.support_back() }}>
      <MetaLine>
        <ThreadBadge state={thread.state} /> <span>{m.support_about({ reference: thread.reference })}</span>
      </MetaLine>
      {visit && (
        <p className="text-sm text-ink-soft mt-2">
          {m.support_appointment()}: {visitWord(visit, role === "doctor")}
        </p>
      )}
      <ThreadMessages messages={messages} page={page} hasMore={hasMore} to={(n) => listAddress(here, { page: n })} />
      {canSupport("reopen", thread.state, role) && <Note className="mt-4">{m.support_reopen_text()}</Note>}
      <Form form={form} className="mt-4">
        <input type="hidden" name="key" value={key} />
        <TextArea
          field={fields.message}
          label={m.support_message()}
          hint={m.support_message_hint({ max: MAX_MESSAGE })}
          rows={4}
          maxLength={MAX_MESSAGE}
        />
        <SubmitButton name="intent" value="reply" full icon="send" pendingText={m.support_sending()}>
          {m.support_send()}
        </SubmitButton>
      </Form>
      {canSupport("close", thread.state, role) && (
        <Form form={closing} className="mt-4">
          <p className="text-sm text-ink-soft mb-3">{m.support_close_text()}</p>
          <SubmitButton name="intent" value="close" variant="quiet" full pendingText={m.support_closing()}>
            {m.support_close()}
          </SubmitButton>
        </Form>
      )}
    </Page>
  );
}

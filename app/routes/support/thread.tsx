import { closeOwnThread } from "#app/domains/platform/support/close-thread.server.ts";
import { ThreadBadge } from "#app/domains/platform/support/components/thread-badge.tsx";
import { ThreadMessages, visitWord } from "#app/domains/platform/support/components/thread-messages.tsx";
import { getOwnThread } from "#app/domains/platform/support/queries.server.ts";
import { ReplySchema } from "#app/domains/platform/support/support.schema.ts";
import { canSupport } from "#app/domains/platform/support/support.state.ts";
import { MAX_MESSAGE } from "#app/domains/platform/support/thread.ts";
import { topicWord } from "#app/domains/platform/support/words.ts";
import { replyToSupport } from "#app/domains/platform/support/write-to-support.server.ts";
import { listAddress, listState } from "#app/http/list-state.ts";
import { load } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { randomToken } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import { Form, SubmitButton, TextArea, useNadiForm } from "#app/ui/form.tsx";
import { MetaLine, Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/thread.ts";
import { askerCtxOf } from "./asker.server.ts";
import { supportPaths } from "./support-paths.ts";

export const loader = load(async ({ context, request, params }: Route.LoaderArgs) => {
  const ctx = askerCtxOf(context);
  const { role } = ctx.actor;
  const { page } = listState(request);
  return { page, ...(await getOwnThread(ctx, params.id, page)), role, key: randomToken(), base: supportPaths(role).base };
});

export function action({ context, request, params: { id } }: Route.ActionArgs) {
  const ctx = askerCtxOf(context);
  const here = `${supportPaths(ctx.actor.role).base}/${id}`;
  return submitForm(request, ReplySchema, async (input) => {
    if (input.intent === "close") {
      await closeOwnThread(ctx, id);
      return redirectWithToast(here, m.support_closed());
    }
    await replyToSupport(ctx, { id, message: input.message, key: input.key });
    return redirectWithToast(here, m.support_sent());
  });
}

export default function SupportThread({ loaderData, actionData }: Route.ComponentProps) {
  const { thread, visit, messages, hasMore, page, key, role, base } = loaderData;
  const here = `${base}/${thread.id}`;
  const [form, fields] = useNadiForm<{ message: string }>({ id: "reply", lastResult: actionData?.result ?? null });
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

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: m.ui_title({ page: loaderData ? topicWord(loaderData.thread.topic) : m.support_title() }) },
];

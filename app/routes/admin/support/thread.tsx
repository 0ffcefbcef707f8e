import { href } from "react-router";
import { ageWords } from "#app/domains/credentials/cases/age.ts";
import { roleWord } from "#app/domains/oversight/users/words.ts";
import { answerThread, assignThread, closeAsAdmin } from "#app/domains/platform/support/answer-thread.server.ts";
import { ThreadBadge } from "#app/domains/platform/support/components/thread-badge.tsx";
import { ThreadMessages, visitWord } from "#app/domains/platform/support/components/thread-messages.tsx";
import { openThread } from "#app/domains/platform/support/inbox.server.ts";
import { InboxSchema } from "#app/domains/platform/support/support.schema.ts";
import { canSupport } from "#app/domains/platform/support/support.state.ts";
import { MAX_MESSAGE } from "#app/domains/platform/support/thread.ts";
import { topicWord } from "#app/domains/platform/support/words.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { listAddress, listState } from "#app/http/list-state.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { randomToken } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink } from "#app/ui/button.tsx";
import { Form, SubmitButton, TextArea, useNadiForm } from "#app/ui/form.tsx";
import { Facts, Meta, MetaLine } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/thread.ts";

export const loader = loadOwn(async (ctx, { params, request }: Route.LoaderArgs) => {
  const { page } = listState(request);
  return { now: ctx.now, me: ctx.actor.userId, page, key: randomToken(), ...(await openThread(ctx, params.id, page)) };
});

export async function action({ context, params: { id }, request }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  return submitForm(request, InboxSchema, async (input) => {
    const inbox = href("/admin/support");
    switch (input.intent) {
      case "assign":
      case "release": {
        await assignThread(ctx, { id, to: input.intent === "assign" ? "me" : null, from: input.from ?? "" });
        const done = input.intent === "assign" ? m.support_assigned() : m.support_released();
        return redirectWithToast(href("/admin/support/:id", { id }), done);
      }
      case "close":
        await closeAsAdmin(ctx, { id, seen: input.seen });
        return redirectWithToast(inbox, m.support_closed());
      default:
        await answerThread(ctx, { id, message: input.message, key: input.key, seen: input.seen, close: input.intent === "answer-close" });
        return redirectWithToast(inbox, m.support_answer_sent());
    }
  });
}

type Data = Route.ComponentProps["loaderData"];

export default function SupportThread({ loaderData, actionData }: Route.ComponentProps) {
  const { now, me, page, key, thread, messages, hasMore, seen, visit } = loaderData;
  const here = href("/admin/support/:id", { id: thread.id });
  const result = actionData?.result ?? null;
  const [form, fields] = useNadiForm<{ message: string }>({ id: "answer", lastResult: result });
  const [closing] = useNadiForm({ id: "close", lastResult: null });
  const name = thread.name || m.cases_unnamed();
  return (
    <Page title={m.support_inbox_title()} titleAs="p" back={{ to: href("/admin/support"), label: m.support_inbox_back() }}>
      <h1>{m.support_inbox_of({ topic: topicWord(thread.topic), name })}</h1>
      <MetaLine className="mb-3">
        <ThreadBadge state={thread.state} />{" "}
        {thread.waitingSince && <Meta icon="clock">{ageWords(now.getTime() - thread.waitingSince.getTime())}</Meta>}{" "}
        <span>{m.support_about({ reference: thread.reference })}</span>
      </MetaLine>
      <About thread={thread} visit={visit} me={me} />
      <ThreadMessages messages={messages} asSupport page={page} hasMore={hasMore} to={(n) => listAddress(here, { page: n })} />
      <Form form={form} className="mt-4">
        <input type="hidden" name="key" value={key} />
        <input type="hidden" name="seen" value={seen} />
        <TextArea
          field={fields.message}
          label={m.support_answer()}
          hint={m.support_answer_hint({ max: MAX_MESSAGE })}
          rows={6}
          maxLength={MAX_MESSAGE}
        />
        <div className="mt-4 grid gap-2.5">
          <SubmitButton name="intent" value="answer" full icon="send" pendingText={m.support_sending()}>
            {m.support_answer_send()}
          </SubmitButton>
          <SubmitButton name="intent" value="answer-close" variant="second" full pendingText={m.support_sending()}>
            {m.support_answer_close()}
          </SubmitButton>
        </div>
      </Form>
      {canSupport("close", thread.state, "admin") && (
        <Form form={closing} className="mt-4">
          <input type="hidden" name="seen" value={seen} />
          <SubmitButton name="intent" value="close" variant="quiet" full pendingText={m.support_closing()}>
            {m.support_close_unanswered()}
          </SubmitButton>
        </Form>
      )}
    </Page>
  );
}

/** Who wrote, about which appointment, and who answers. */
function About({ thread, visit, me }: Pick<Data, "thread" | "visit" | "me">) {
  const [assigning] = useNadiForm({ id: "assign", lastResult: null });
  const name = thread.name || m.cases_unnamed();
  return (
    <section className="card">
      <Facts
        items={[
          [
            m.support_inbox_from(),
            <AnyLink key="user" to={href("/admin/users/:id", { id: thread.userId })}>
              {name}, {roleWord(thread.role)}
            </AnyLink>,
          ],
          ...(visit
            ? [
                [
                  m.support_appointment(),
                  <AnyLink key="visit" to={listAddress(href("/admin/appointments"), { q: thread.visitReference ?? "" })}>
                    {visitWord(visit, thread.role === "doctor")}
                  </AnyLink>,
                ] as const,
              ]
            : []),
          [
            m.support_inbox_assignee(),
            thread.assigneeId === null ? m.support_inbox_unassigned() : thread.assigneeId === me ? m.support_inbox_you() : thread.assignee,
          ],
        ]}
      />
      <Form form={assigning} className="mt-2">
        <input type="hidden" name="from" value={thread.assigneeId ?? ""} />
        {thread.assigneeId === me ? (
          <SubmitButton name="intent" value="release" variant="quiet" size="sm">
            {m.support_release()}
          </SubmitButton>
        ) : (
          <SubmitButton name="intent" value="assign" variant="second" size="sm">
            {m.support_assign()}
          </SubmitButton>
        )}
      </Form>
    </section>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.support_inbox_title() }) }];

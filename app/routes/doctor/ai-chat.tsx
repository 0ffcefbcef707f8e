import { useState } from "react";
import { href, useRevalidator } from "react-router";
import { ChatFormSchema } from "#app/domains/guidance/assistant/assistant.schema.ts";
import { chooseAnswerer, getChoice } from "#app/domains/guidance/assistant/choose-answerer.server.ts";
import { AnswererNotice } from "#app/domains/guidance/assistant/components/answerer-notice.tsx";
import { ChatLines } from "#app/domains/guidance/assistant/components/chat-lines.tsx";
import { bodyOf, type Composed, Composer } from "#app/domains/guidance/assistant/components/composer.tsx";
import { besideTalk, EndOfTalk, PendingLines } from "#app/domains/guidance/assistant/components/pending-lines.tsx";
import { Starters } from "#app/domains/guidance/assistant/components/starters.tsx";
import { useTalk } from "#app/domains/guidance/assistant/components/use-talk.ts";
import { getDoctorChat } from "#app/domains/guidance/assistant/queries.server.ts";
import { doctorStarters } from "#app/domains/guidance/assistant/starters.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectTo, redirectWithToast } from "#app/http/redirects.server.ts";
import { noteFault } from "#app/http/refusals.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { randomToken } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import { IconButton } from "#app/ui/button.tsx";
import type { PageHandle } from "#app/ui/document.tsx";
import { useNadiForm } from "#app/ui/form.tsx";
import { Leafy, Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { EmptyState } from "#app/ui/states.tsx";
import { showToast } from "#app/ui/toast.tsx";
import { askAndWait, saysNothing } from "../assistant/ask-assistant.server.ts";
import type { Route } from "./+types/ai-chat.ts";

const HERE = href("/doctor/ai-chat");
// Without JavaScript the answer does not stream, and the model has 20 seconds (docs/decisions/021).
export const handle = { deadline: 30, bar: false } satisfies PageHandle;

export const loader = loadOwn(async (ctx) => {
  const history = async () => {
    try {
      return await getDoctorChat(ctx);
    } catch (error) {
      noteFault(error, "chat history");
      return null;
    }
  };
  const [lines, choice] = await Promise.all([history(), getChoice(ctx)]);
  return { lines, choice, key: randomToken(), today: todayInIndia(ctx.now), questions: lines?.length === 0 ? doctorStarters() : [] };
});

export async function action({ context, request }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  return submitForm(
    request,
    ChatFormSchema,
    async (input) => {
      if (input.intent === "switch") {
        await chooseAnswerer(ctx, input.assistant === "off");
        return redirectWithToast(HERE, input.assistant === "off" ? m.assistant_switched_off() : m.assistant_switched_on());
      }
      if (saysNothing(input)) return redirectTo(HERE);
      const { answered } = await askAndWait(ctx, input, request.signal);
      return answered ? redirectTo(`${HERE}#end`) : redirectWithToast(`${HERE}#end`, m.assistant_doctor_send_failed(), { type: "error" });
    },
    // The form is shared with patients and sends multipart, but accepts no files here.
    { uploads: { field: [], maxFiles: 0, maxFileSize: 64 * 1024, onFile: async () => "" } },
  );
}

export default function DoctorChat({ loaderData, actionData }: Route.ComponentProps) {
  const { lines, choice, key, today, questions } = loaderData;
  const { revalidate } = useRevalidator();
  const [trouble, setTrouble] = useState<string | null>(null);
  const [form, fields] = useNadiForm<{ message: string }>({ id: "question", lastResult: actionData?.result ?? null });
  const { pending, send, busy } = useTalk({
    path: `${HERE}/ask`,
    onRefused: setTrouble,
    onFailed: () => showToast({ type: "error", message: m.assistant_doctor_send_failed() }),
    onEnd: () => revalidate(),
  });
  const sendMessage = (message: Composed) => {
    setTrouble(null);
    void send(bodyOf(message, null), { text: message.text, voice: false });
  };
  return (
    <Page
      wide
      title={m.assistant_title()}
      back={{ to: href("/doctor-dashboard") }}
      className="mb-0 flex flex-col pb-0"
      actions={lines !== null && lines.length > 0 && <IconButton to={`${HERE}/clear`} icon="trash-2" label={m.assistant_doctor_clear()} />}
    >
      <div className="flex-1 flex flex-col min-w-0 desktop:grid desktop:grid-cols-[18rem_minmax(0,1fr)] desktop:gap-8">
        <AboutAssistant />
        <section className="flex min-w-0 flex-1 flex-col" aria-label={m.assistant_talk()}>
          {lines === null && (
            <Note tone="bad" role="alert">
              {m.assistant_doctor_history_failed()}
            </Note>
          )}
          <div className="flex-1 flex flex-col gap-3 pb-4" role="log" aria-busy={busy}>
            {lines?.length === 0 && !pending && (
              <Welcome questions={questions} requestKey={key} busy={busy} onSend={(text) => sendMessage({ text })} />
            )}
            {lines && <ChatLines lines={lines} reader="doctor" today={today} here={HERE} />}
            {pending && <PendingLines pending={pending} reader="doctor" />}
            <EndOfTalk of={`${lines?.at(-1)?.id} ${pending?.answer.length} ${pending?.failed}`} />
          </div>
          <div className="sticky bottom-0 z-4 my-0 mx-[calc(-1_*_var(--spacing-gutter))] py-3 px-gutter bg-page border-t border-t-line desktop:mx-0 desktop:px-0">
            <Composer
              form={form}
              field={fields.message}
              action={HERE}
              conversation={null}
              requestKey={key}
              placeholder={m.assistant_doctor_placeholder()}
              busy={busy}
              trouble={trouble}
              onSend={sendMessage}
            />
            <AnswererNotice {...choice} action={HERE} />
          </div>
        </section>
      </div>
    </Page>
  );
}

const Welcome = (props: Omit<Parameters<typeof Starters>[0], "action">) => (
  <>
    <EmptyState drawing="care" title={m.assistant_doctor_empty()}>
      {m.assistant_honest()}
    </EmptyState>
    <Starters {...props} action={HERE} />
  </>
);

const AboutAssistant = () => (
  <aside className={`${besideTalk} max-desktop:hidden`} aria-labelledby="h-talk">
    <div className="card space-y-1">
      <Leafy icon="message-circle" />
      <h2 id="h-talk">{m.assistant_title()}</h2>
      <p className="text-sm text-ink-soft">{m.assistant_doctor_card()}</p>
    </div>
    <h3>{m.assistant_doctor_about()}</h3>
    <p className="text-sm text-ink-soft">{m.assistant_doctor_about_text()}</p>
  </aside>
);

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.assistant_title() }) }];

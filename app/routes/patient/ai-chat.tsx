import { type ReactNode, useState } from "react";
import { href, redirectDocument, useNavigate } from "react-router";
import { ChatFormSchema } from "#app/domains/guidance/assistant/assistant.schema.ts";
import type { ChatLink } from "#app/domains/guidance/assistant/chat-line.ts";
import { chooseAnswerer, getChoice, type WhoAnswers } from "#app/domains/guidance/assistant/choose-answerer.server.ts";
import { AnswererNotice } from "#app/domains/guidance/assistant/components/answerer-notice.tsx";
import { Bubble, ChatLines } from "#app/domains/guidance/assistant/components/chat-lines.tsx";
import { bodyOf, type Composed, Composer } from "#app/domains/guidance/assistant/components/composer.tsx";
import { besideTalk, EndOfTalk, PendingLines } from "#app/domains/guidance/assistant/components/pending-lines.tsx";
import { Starters } from "#app/domains/guidance/assistant/components/starters.tsx";
import { useTalk } from "#app/domains/guidance/assistant/components/use-talk.ts";
import { getChat, listChats } from "#app/domains/guidance/assistant/queries.server.ts";
import { patientStarters } from "#app/domains/guidance/assistant/starters.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { microphoneHeaders } from "#app/http/permissions.ts";
import { redirectTo, redirectWithToast } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { wroteCookie } from "#app/http/wrote-cookie.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { randomToken } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, LinkButton } from "#app/ui/button.tsx";
import { classes } from "#app/ui/class-names.ts";
import type { PageHandle } from "#app/ui/document.tsx";
import { useNadiForm } from "#app/ui/form.tsx";
import { Illustration } from "#app/ui/illustration.tsx";
import { Page } from "#app/ui/shell.tsx";
import { askAndWait, chatUploads, saysNothing } from "../assistant/ask-assistant.server.ts";
import type { Route } from "./+types/ai-chat.ts";

// One page with two URLs (spec 001 §2.1). Its links and forms use the first.
const HERE = href("/patient/ai-chat");
const chatAt = (id: string) => `${HERE}?c=${id}`;

// One file of at most 10 MB and, without JavaScript, one recording. Without JavaScript the answer does not stream, and the model has
// 20 seconds (docs/decisions/021).
export const handle = { uploadMb: 24, deadline: 30, bar: false } satisfies PageHandle;
export const headers = microphoneHeaders;

export const loader = loadOwn(async (ctx, { url }: Route.LoaderArgs) => {
  const id = url.searchParams.get("c");
  const [chats, chat, choice] = await Promise.all([listChats(ctx), id ? getChat(ctx, id) : null, getChoice(ctx)]);
  return {
    chats,
    chat,
    choice,
    // On small screens the history comes first (spec 001 §2.19).
    start: !chat && !url.searchParams.has("new"),
    key: randomToken(),
    today: todayInIndia(ctx.now),
    questions: chat ? [] : patientStarters(),
  };
});

/** Only the model understands voice messages (docs/decisions/021). */
const hears = ({ who }: { who: WhoAnswers }) => who === "model";

/** Reloads a document that was sent without the microphone permission, which it cannot request later. */
export async function clientLoader({ request, serverLoader }: Route.ClientLoaderArgs) {
  const data = await serverLoader();
  const { featurePolicy } = document as Document & { featurePolicy?: { allowsFeature(name: string): boolean } };
  if (hears(data.choice) && featurePolicy && !featurePolicy.allowsFeature("microphone")) throw redirectDocument(request.url);
  return data;
}

export async function action({ context, request }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  return submitForm(
    request,
    ChatFormSchema,
    async (input) => {
      if (input.intent === "switch") {
        await chooseAnswerer(ctx, input.assistant === "off");
        return redirectWithToast(`${HERE}?new`, input.assistant === "off" ? m.assistant_switched_off() : m.assistant_switched_on());
      }
      // Spec 001 §5: an empty message is not sent.
      if (saysNothing(input)) return redirectTo(input.conversation ? chatAt(input.conversation) : `${HERE}?new`);
      const asked = await askAndWait(ctx, input, request.signal);
      return asked.emergency
        ? redirectTo(href("/patient/emergency-contact"), { cookies: [wroteCookie(request, input.message)] })
        : redirectTo(`${chatAt(asked.conversationId)}#end`);
    },
    { uploads: chatUploads(ctx) },
  );
}

export default function PatientChat({ loaderData, actionData }: Route.ComponentProps) {
  const { chats, chat, choice, start, key, today, questions } = loaderData;
  const [form, fields] = useNadiForm<{ message: string }>({ id: "question", lastResult: actionData?.result ?? null });
  const conversation = chat?.id ?? null;
  const { pending, busy, trouble, sendMessage } = usePatientTalk(conversation);
  const starters = (className?: string) => (
    <Starters
      questions={questions}
      action={HERE}
      requestKey={key}
      busy={busy}
      onSend={(text) => sendMessage({ text })}
      className={className}
    />
  );
  const isStart = start && !pending;
  return (
    <Page
      wide
      title={m.assistant_title()}
      back={start ? { to: href("/patient-dashboard") } : { to: HERE, label: m.assistant_all_chats() }}
      className="mb-0 flex flex-col pb-0"
    >
      {isStart && <Greeting>{starters("mt-3 justify-center")}</Greeting>}
      <div className="flex-1 flex flex-col min-w-0 desktop:grid desktop:grid-cols-[18rem_minmax(0,1fr)] desktop:gap-8">
        <History chats={chats} current={conversation} onPhone={isStart} />
        <section className={classes("flex min-w-0 flex-1 flex-col", isStart && "max-desktop:hidden")} aria-label={m.assistant_talk()}>
          <div className="flex-1 flex flex-col gap-3 pb-4" role="log" aria-busy={busy}>
            <Bubble>
              <p>{m.assistant_greeting()}</p>
              <p className="mt-2 text-sm text-ink-soft">{m.assistant_honest()}</p>
            </Bubble>
            {!chat && !pending && starters()}
            {chat && <ChatLines lines={chat.lines} reader="patient" today={today} here={chatAt(chat.id)} />}
            {pending && <PendingLines pending={pending} reader="patient" />}
            <EndOfTalk of={`${chat?.lines.at(-1)?.id} ${pending?.answer.length} ${pending?.failed}`} />
          </div>
          <div className="sticky bottom-0 z-4 my-0 mx-[calc(-1_*_var(--spacing-gutter))] py-3 px-gutter bg-page border-t border-t-line desktop:mx-0 desktop:px-0">
            <Composer
              form={form}
              field={fields.message}
              action={HERE}
              conversation={conversation}
              requestKey={key}
              placeholder={m.assistant_message_placeholder()}
              media
              voice={hears(choice)}
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

/** Sends messages of a chat, or of a new one, and opens it when the answer is complete. */
function usePatientTalk(conversation: string | null) {
  const navigate = useNavigate();
  const [trouble, setTrouble] = useState<string | null>(null);
  const { pending, send, busy } = useTalk({
    path: `${HERE}/ask`,
    onRefused: setTrouble,
    onEnd: async ({ conversation: id, emergency }) => {
      await navigate(emergency ? href("/patient/emergency-contact") : chatAt(id), {
        replace: conversation !== null,
        // The chat scrolls to its newest line, SOS opens at its numbers.
        preventScrollReset: !emergency,
      });
    },
  });
  const sendMessage = (message: Composed) => {
    setTrouble(null);
    const { text, file, recording } = message;
    void send(bodyOf(message, conversation), { text, voice: recording !== undefined, ...(file && { note: file.name }) });
  };
  return { pending, busy, trouble, sendMessage };
}

const Greeting = ({ children }: { children: ReactNode }) => (
  <div className="text-center space-y-1 mb-4 desktop:hidden">
    <Illustration name="care" className="max-w-68" />
    <p>{m.assistant_greeting()}</p>
    <p className="text-sm text-ink-soft">{m.assistant_honest()}</p>
    {children}
  </div>
);

function History({ chats, current, onPhone }: { chats: ChatLink[]; current: string | null; onPhone: boolean }) {
  return (
    <nav className={classes(besideTalk, !onPhone && "max-desktop:hidden")} aria-labelledby="h-history">
      <LinkButton to={`${HERE}?new`} full icon="message-circle" className="desktop:hidden">
        {m.assistant_start()}
      </LinkButton>
      <LinkButton to={`${HERE}?new`} variant="second" full icon="plus" className="flex max-desktop:hidden">
        {m.assistant_new()}
      </LinkButton>
      <h2 id="h-history">{m.assistant_history()}</h2>
      {chats.length === 0 ? (
        <p className="text-ink-soft">{m.assistant_history_none()}</p>
      ) : (
        <>
          <ul className="max-h-80 overflow-y-auto desktop:max-h-[60vh]">
            {chats.map((chat) => (
              <li key={chat.id}>
                <AnyLink
                  className="block min-h-target-min rounded-md px-3 py-2.5 text-ink no-underline hover:bg-well aria-[current=page]:bg-brand-soft"
                  to={chatAt(chat.id)}
                  aria-current={chat.id === current ? "page" : undefined}
                >
                  {chat.title}
                  <span className="text-sm text-ink-soft num block"> {chat.at}</span>
                </AnyLink>
              </li>
            ))}
          </ul>
          <LinkButton to={`${HERE}/delete`} variant="quiet" size="sm" icon="trash-2" className="pl-0">
            {m.assistant_delete_all()}
          </LinkButton>
        </>
      )}
    </nav>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.assistant_title() }) }];

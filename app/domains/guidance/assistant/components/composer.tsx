import { type FormEvent, type KeyboardEvent, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { m } from "#app/paraglide/messages.js";
import { Button } from "#app/ui/button.tsx";
import { classes } from "#app/ui/class-names.ts";
import { ErrorSummary, type Field, FieldError, type SummedForm } from "#app/ui/form.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { FileBox } from "#app/ui/members/file-box.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { MAX_MESSAGE } from "../talk.ts";

/** Loaded where the model answers, because only it understands recordings. Without it the page works on. */
const Recorder = lazy(() =>
  import("./recorder.tsx").then(
    ({ Recorder }) => ({ default: Recorder }),
    () => ({ default: () => <></> }),
  ),
);

export type Composed = { text: string; file?: File; recording?: Blob };

/** File types of the picker (spec 001 §5). The server checks the content. */
const FILES = "image/*,.pdf,.doc,.docx";
const PICKABLE_MB = 10;

/**
 * The form of a message. Without JavaScript the next page has the answer; with JavaScript `onSend` receives the message. Enter
 * sends, Shift+Enter starts a new line. `media`: with files. `voice`: with voice messages too, which only the model understands.
 */
export function Composer({
  form,
  field,
  action,
  conversation,
  requestKey,
  placeholder,
  media,
  voice,
  busy,
  trouble,
  onSend,
}: {
  form: SummedForm;
  field: Field;
  action: string;
  conversation: string | null;
  requestKey: string;
  placeholder: string;
  media?: boolean;
  voice?: boolean;
  busy: boolean;
  trouble?: ReactNode;
  onSend: (message: Composed) => void;
}) {
  const hydrated = useHydrated();
  const words = useRef<HTMLTextAreaElement>(null);
  /** Why there is no recording. */
  const [fault, setFault] = useState<string | null>(null);
  const waited = useRef(false);
  // Returns the focus to the field after an answer.
  useEffect(() => {
    if (waited.current && !busy) words.current?.focus({ preventScroll: true });
    waited.current = busy;
  }, [busy]);

  function send(message: Composed) {
    if (busy || (!message.text && !message.file && !message.recording)) return;
    setFault(null);
    if (message.text && words.current) words.current.value = "";
    onSend(message);
  }
  const sendWords = () => send({ text: words.current?.value.trim() ?? "" });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    sendWords();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // During IME composition (Telugu and Hindi keyboards) Enter belongs to the keyboard.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing || !hydrated) return;
    event.preventDefault();
    sendWords();
  };

  return (
    <form id={form.id} method="post" action={action} encType="multipart/form-data" className="[&>*+*]:mt-2" onSubmit={onSubmit} noValidate>
      <ErrorSummary form={form} />
      {trouble && (
        <Note tone="bad" role="alert">
          {trouble}
        </Note>
      )}
      {fault && (
        <Note tone="bad" role="alert">
          {fault}
        </Note>
      )}
      {/* In the page's icons from the start: one that is missing after hydration loads all others. */}
      {!hydrated && (
        <span hidden>
          <Icon name="paperclip" />
        </span>
      )}
      <input type="hidden" name="intent" value="ask" />
      <input type="hidden" name="key" value={requestKey} />
      {conversation && <input type="hidden" name="conversation" value={conversation} />}
      <label className="sr-only" htmlFor={field.id}>
        {m.assistant_message_label()}
      </label>
      <div className="flex flex-wrap items-end gap-x-2 gap-y-2.5 tab:gap-y-1 has-data-recording:[&>:not([data-recording])]:hidden">
        {media && !hydrated && (
          <>
            <Place />
            {voice && <Place />}
          </>
        )}
        {media && hydrated && (
          <>
            <label className={classes("icon-btn focus-within:outline-3 focus-within:outline-focus", busy && "text-ink-soft")}>
              <Icon name="paperclip" />
              <span className="sr-only">{m.assistant_file()}</span>
              <input
                className="sr-only"
                type="file"
                accept={FILES}
                disabled={busy}
                onChange={({ target }) => {
                  const file = target.files?.[0];
                  if (file) send({ text: "", file });
                  target.value = "";
                }}
              />
            </label>
            {voice && (
              <Suspense fallback={<Place />}>
                <Recorder
                  disabled={busy}
                  onRecorded={(recording) => send({ text: "", recording })}
                  onDenied={() => setFault(m.assistant_mic_denied())}
                  onUnusable={() => setFault(m.assistant_sound_only())}
                />
              </Suspense>
            )}
          </>
        )}
        <textarea
          ref={words}
          className={classes(
            "input field-sizing-content max-h-[40vh] min-h-target min-w-0 flex-[1_1_10rem] resize-none",
            media && hydrated && "max-tab:-order-1 max-tab:basis-full",
          )}
          id={field.id}
          name="message"
          rows={1}
          maxLength={MAX_MESSAGE}
          placeholder={placeholder}
          defaultValue={typeof field.initialValue === "string" ? field.initialValue : ""}
          readOnly={busy}
          aria-invalid={field.errors ? true : undefined}
          aria-describedby={field.errors ? field.errorId : undefined}
          onKeyDown={onKeyDown}
        />
        <Button type="submit" icon="send" disabled={busy} className="max-tab:ml-auto">
          {m.assistant_send()}
        </Button>
      </div>
      <FieldError field={field} />
      {media && !hydrated && (
        <details className="[@media(scripting:enabled)]:hidden">
          <summary>{voice ? m.assistant_more_ways() : m.assistant_file()}</summary>
          <div className="mt-2 space-y-1">
            <FileBox
              label={
                <>
                  <b>{m.assistant_file()}</b> <span className="hint">{m.assistant_file_hint({ megabytes: String(PICKABLE_MB) })}</span>
                </>
              }
              name="file"
              id={`${form.id}-file`}
              accept={FILES}
            />
            {voice && (
              <FileBox
                label={
                  <>
                    <b>{m.assistant_voice_field()}</b> <span className="hint">{m.assistant_voice_hint()}</span>
                  </>
                }
                name="voice"
                id={`${form.id}-voice`}
                accept="audio/*"
                capture="user"
              />
            )}
          </div>
        </details>
      )}
    </form>
  );
}

/** Keeps the place of a button that needs scripts, so that nothing moves when they have loaded. */
const Place = () => (
  <span className="icon-btn hidden [@media(scripting:enabled)]:inline-flex [@media(scripting:enabled)]:invisible" aria-hidden="true" />
);

/** Returns the form's fields for a post by script, each time with a new key, because each press is a new question. */
export function bodyOf({ text, file, recording }: Composed, conversation: string | null): FormData {
  const body = new FormData();
  body.set("key", crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`);
  if (conversation) body.set("conversation", conversation);
  if (text) body.set("message", text);
  if (file) body.set("file", file, file.name);
  if (recording) body.set("voice", recording, "voice-message");
  return body;
}

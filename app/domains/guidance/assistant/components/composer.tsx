import { type FormEvent, type KeyboardEvent, lazy, type ReactNode, type RefObject, Suspense, useEffect, useRef, useState } from "react";
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

type Props = {
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
};

/**
 * The form of a message. Without JavaScript the next page has the answer; with JavaScript `onSend` receives the message. Enter
 * sends, Shift+Enter starts a new line. `media`: with files. `voice`: with voice messages too, which only the model understands.
 */
export function Composer(props: Props) {
  const { form, field, conversation, media, voice, busy, trouble, onSend } = props;
  const hydrated = useHydrated();
  const words = useRef<HTMLTextAreaElement>(null);
  /** Why there is no recording. */
  const [fault, setFault] = useState<string | null>(null);
  useFocusAfterAnswer(words, busy);

  function send(message: Composed) {
    if (busy || (!message.text && !message.file && !message.recording)) return;
    setFault(null);
    if (message.text && words.current) words.current.value = "";
    onSend(message);
  }
  const sendWords = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    send({ text: words.current?.value.trim() ?? "" });
  };

  return (
    <form
      id={form.id}
      method="post"
      action={props.action}
      encType="multipart/form-data"
      className="[&>*+*]:mt-2"
      onSubmit={sendWords}
      noValidate
    >
      <ErrorSummary form={form} />
      {trouble && <Alert>{trouble}</Alert>}
      {fault && <Alert>{fault}</Alert>}
      {!hydrated && <EarlyIcon />}
      <input type="hidden" name="intent" value="ask" />
      <input type="hidden" name="key" value={props.requestKey} />
      {conversation && <input type="hidden" name="conversation" value={conversation} />}
      <label className="sr-only" htmlFor={field.id}>
        {m.assistant_message_label()}
      </label>
      <div className="flex flex-wrap items-end gap-x-2 gap-y-2.5 tab:gap-y-1 has-data-recording:[&>:not([data-recording])]:hidden">
        {media && !hydrated && <Places voice={voice} />}
        {media && hydrated && <Attachments voice={voice} busy={busy} onSend={send} onFault={setFault} />}
        <MessageField
          ref={words}
          field={field}
          placeholder={props.placeholder}
          busy={busy}
          isBelow={media && hydrated}
          onEnter={hydrated ? sendWords : undefined}
        />
        <Button type="submit" icon="send" disabled={busy} className="max-tab:ml-auto">
          {m.assistant_send()}
        </Button>
      </div>
      <FieldError field={field} />
      {media && !hydrated && <FilesWithoutScripts id={form.id} voice={voice} />}
    </form>
  );
}

/** Returns the focus to the field after an answer. */
function useFocusAfterAnswer(field: RefObject<HTMLTextAreaElement | null>, busy: boolean) {
  const waited = useRef(false);
  useEffect(() => {
    if (waited.current && !busy) field.current?.focus({ preventScroll: true });
    waited.current = busy;
  }, [field, busy]);
}

const Alert = ({ children }: { children: ReactNode }) => (
  <Note tone="bad" role="alert">
    {children}
  </Note>
);

type MessageFieldProps = Pick<Props, "field" | "placeholder" | "busy"> & {
  ref: RefObject<HTMLTextAreaElement | null>;
  /** Below the buttons on a phone. */
  isBelow: boolean | undefined;
  onEnter: ((event: KeyboardEvent) => void) | undefined;
};
function MessageField({ ref, field, placeholder, busy, isBelow, onEnter }: MessageFieldProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    // During IME composition (Telugu and Hindi keyboards) Enter belongs to the keyboard.
    if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) onEnter?.(event);
  };
  return (
    <textarea
      ref={ref}
      className={classes(
        "input field-sizing-content max-h-[40vh] min-h-target min-w-0 flex-[1_1_10rem] resize-none",
        isBelow && "max-tab:-order-1 max-tab:basis-full",
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
  );
}

/** Buttons for a file and a voice message. */
function Attachments({ voice, busy, onSend, onFault }: Pick<Props, "voice" | "busy" | "onSend"> & { onFault: (why: string) => void }) {
  return (
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
            if (file) onSend({ text: "", file });
            target.value = "";
          }}
        />
      </label>
      {voice && (
        <Suspense fallback={<Place />}>
          <Recorder
            disabled={busy}
            onRecorded={(recording) => onSend({ text: "", recording })}
            onDenied={() => onFault(m.assistant_mic_denied())}
            onUnusable={() => onFault(m.assistant_sound_only())}
          />
        </Suspense>
      )}
    </>
  );
}

function FilesWithoutScripts({ id, voice }: Pick<Props, "voice"> & { id: string }) {
  return (
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
          id={`${id}-file`}
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
            id={`${id}-voice`}
            accept="audio/*"
            capture="user"
          />
        )}
      </div>
    </details>
  );
}

/** Adds the icon to those of the page from the start: one that is missing after hydration loads all others. */
const EarlyIcon = () => (
  <span hidden>
    <Icon name="paperclip" />
  </span>
);

/** Keeps the place of a button that needs scripts, so that nothing moves when they have loaded. */
const Place = () => (
  <span className="icon-btn hidden [@media(scripting:enabled)]:inline-flex [@media(scripting:enabled)]:invisible" aria-hidden="true" />
);

const Places = ({ voice }: Pick<Props, "voice">) => (
  <>
    <Place />
    {voice && <Place />}
  </>
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

import type { FormEvent } from "react";
import { m } from "#app/paraglide/messages.js";

/** First questions to tap: each button sends its text as a new question. `onSend`: with JavaScript, in place of the post. */
export function Starters({
  questions,
  action,
  requestKey,
  busy,
  onSend,
}: {
  questions: string[];
  action: string;
  requestKey: string;
  busy: boolean;
  onSend: (text: string) => void;
}) {
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const pressed = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null;
    if (pressed && !busy) onSend(pressed.value);
  };
  return (
    <form method="post" action={action} onSubmit={onSubmit}>
      <input type="hidden" name="intent" value="ask" />
      <input type="hidden" name="key" value={requestKey} />
      <div role="group" aria-label={m.assistant_starters()} className="starters">
        {questions.map((question) => (
          <button key={question} type="submit" name="message" value={question} className="btn second sm" disabled={busy}>
            {question}
          </button>
        ))}
      </div>
    </form>
  );
}

import type { FormEvent } from "react";
import { m } from "#app/paraglide/messages.js";
import { Button } from "#app/ui/button.tsx";
import { classes } from "#app/ui/class-names.ts";

/** First questions to tap: each button sends its text as a new question. `onSend`: with JavaScript, in place of the post. */
export function Starters({
  questions,
  action,
  requestKey,
  busy,
  className,
  onSend,
}: {
  questions: string[];
  action: string;
  requestKey: string;
  busy: boolean;
  className?: string;
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
      <div role="group" aria-label={m.assistant_starters()} className={classes("flex flex-wrap gap-2", className)}>
        {questions.map((question) => (
          <Button
            key={question}
            type="submit"
            name="message"
            value={question}
            variant="second"
            size="sm"
            className="max-w-full"
            disabled={busy}
          >
            {question}
          </Button>
        ))}
      </div>
    </form>
  );
}

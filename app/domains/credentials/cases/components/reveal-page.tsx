import type { SubmissionResult } from "@conform-to/react";
import { useEffect } from "react";
import { useNavigate } from "react-router";
import type { SealedNumber } from "#app/domains/credentials/identity/sealed-numbers.ts";
import { formatDate, todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Form, SubmitButton, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { numberWord } from "../words.ts";
import { masked } from "./case-facts.tsx";

/** Seconds that a number is visible, because its reader may have left the screen. */
export const SHOWN_FOR = 120;

/** Asks for the reason and shows the number once: only in the response to this post, never in a URL. */
export function RevealPage({
  number,
  doctor,
  last4,
  erasedAt,
  back,
  answer,
  unsent,
}: {
  number: SealedNumber;
  doctor: string;
  last4: string;
  /** Date of erasure: nothing can be shown. */
  erasedAt: Date | null;
  back: string;
  answer: { result?: SubmissionResult<string[]>; value?: string } | undefined;
  /** Values typed before the user confirmed their identity. */
  unsent: SubmissionResult<string[]> | null;
}) {
  const [form, fields] = useNadiForm<{ reason: string }>({ id: "reveal", lastResult: answer?.result ?? unsent });
  const shown = answer?.value !== undefined;
  const navigate = useNavigate();
  useEffect(() => {
    if (!shown) return;
    const over = setTimeout(() => navigate(back, { replace: true }), SHOWN_FOR * 1000);
    return () => clearTimeout(over);
  }, [shown, navigate, back]);
  const title = m.cases_reveal_title({ number: numberWord(number), doctor });
  return (
    <Page title={title} back={{ to: back, label: m.cases_reveal_back() }}>
      {answer?.value ? (
        <ShownNumber value={answer.value} back={back} />
      ) : erasedAt ? (
        <section className="card space-y-4">
          <p className="num text-lg">{masked(number, last4)}</p>
          <Note>{m.cases_number_erased({ date: formatDate(todayInIndia(erasedAt)) })}</Note>
          <LinkButton to={back} full>
            {m.cases_reveal_back()}
          </LinkButton>
        </section>
      ) : (
        <section className="card space-y-4">
          <p className="num text-lg">{masked(number, last4)}</p>
          <p className="text-ink-soft">{m.cases_reveal_intro()}</p>
          <Form form={form}>
            <TextField
              field={fields.reason}
              label={m.cases_reveal_reason()}
              hint={m.cases_reveal_reason_hint()}
              maxLength={500}
              autoComplete="off"
            />
            <SubmitButton full>{m.cases_reveal_button()}</SubmitButton>
          </Form>
        </section>
      )}
    </Page>
  );
}

const ShownNumber = ({ value, back }: { value: string; back: string }) => (
  <section className="card space-y-4" role="status">
    <p className="[font:700_var(--text-2xl)_/_1.3_var(--font-mono)] wrap-anywhere select-all">{value}</p>
    <Note tone="warn">{m.cases_reveal_shown()}</Note>
    <LinkButton to={back} full>
      {m.cases_reveal_back()}
    </LinkButton>
  </section>
);

import type { SubmissionResult } from "@conform-to/react";
import { type ReactNode, useMemo } from "react";
import { href } from "react-router";
import { specialtyWord } from "#app/domains/directory/doctors/names.ts";
import { SPECIALTY_CHIPS } from "#app/domains/directory/specialties.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Form, SubmitButton, TextArea, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Chips } from "#app/ui/nav.tsx";
import { Note } from "#app/ui/pieces.tsx";
import type { EnquiryInput } from "../enquiry.schema.ts";
import { ENQUIRY_PATH } from "./enquiry-opener.ts";
import { doctorsPath } from "./enquiry-paths.ts";

/**
 * The symptom enquiry (spec 001 §2.4), on its page and in its dialog. `fetcherKey`: sends without a navigation (the dialog);
 * `pending` shows it.
 */
export function EnquiryForm({
  id,
  result,
  fetcherKey,
  pending,
  children,
}: {
  id: string;
  result: SubmissionResult<string[]> | null | undefined;
  fetcherKey?: string;
  pending?: boolean;
  /** Next to the button. */
  children?: ReactNode;
}) {
  // The patient's words are no error: they stay, and other ways are offered.
  const nothing = result?.error?.[""]?.includes(m.enquiry_no_category()) ?? false;
  // One object for each answer: Conform reads a new one as a new answer.
  const lastResult = useMemo(() => (result && nothing ? { ...result, error: {} } : (result ?? null)), [result, nothing]);
  const [form, fields] = useNadiForm<EnquiryInput>({ id, lastResult });
  const beside = fetcherKey === undefined ? {} : ({ navigate: false, fetcherKey } as const);
  return (
    <Form form={form} action={ENQUIRY_PATH} {...beside}>
      {nothing && <OtherWays />}
      <TextArea field={fields.symptoms} label={m.enquiry_symptoms()} hint={m.enquiry_symptoms_hint()} rows={3} maxLength={1000} required />
      <TextField field={fields.started} label={m.enquiry_started()} hint={m.enquiry_started_hint()} maxLength={1000} required />
      <TextField field={fields.medications} label={m.enquiry_medications()} hint={m.enquiry_medications_hint()} maxLength={1000} required />
      <div className="mt-4 grid gap-2.5">
        <SubmitButton full pendingText={m.enquiry_pending()} {...(pending === undefined ? {} : { pending })}>
          {m.enquiry_submit()}
        </SubmitButton>
        {children}
      </div>
    </Form>
  );
}

/** No known word: the specialties, a general physician and the assistant. */
function OtherWays() {
  return (
    <Note className="mb-3" role="status">
      <p>
        <b>{m.enquiry_no_category()}</b>
      </p>
      <p>{m.enquiry_choose()}</p>
      <Chips
        label={m.enquiry_specialties()}
        chips={SPECIALTY_CHIPS.map((specialty) => ({ to: doctorsPath({ specialty }), label: specialtyWord(specialty), current: false }))}
      />
      <p className="row flex-wrap">
        <LinkButton to={doctorsPath({ category: "General" })} variant="second" size="sm">
          {specialtyWord("General Physician")}
        </LinkButton>
        <LinkButton to={href("/patient/ai-chat")} variant="second" size="sm">
          {m.enquiry_ask()}
        </LinkButton>
      </p>
    </Note>
  );
}

import type { SubmissionResult } from "@conform-to/react";
import type { ReactNode } from "react";
import { m } from "#app/paraglide/messages.js";
import { Form, SubmitButton, TextArea, TextField, useNadiForm } from "#app/ui/form.tsx";
import type { EnquiryInput } from "../enquiry.schema.ts";
import { ENQUIRY_PATH } from "./enquiry-opener.ts";

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
  const [form, fields] = useNadiForm<EnquiryInput>({ id, lastResult: result ?? null });
  const beside = fetcherKey === undefined ? {} : ({ navigate: false, fetcherKey } as const);
  return (
    <Form form={form} action={ENQUIRY_PATH} {...beside}>
      <TextArea field={fields.symptoms} label={m.enquiry_symptoms()} hint={m.enquiry_symptoms_hint()} rows={3} maxLength={1000} required />
      <TextField field={fields.started} label={m.enquiry_started()} hint={m.enquiry_started_hint()} maxLength={1000} required />
      <TextField field={fields.medications} label={m.enquiry_medications()} hint={m.enquiry_medications_hint()} maxLength={1000} required />
      <div className="decide">
        <SubmitButton full pendingText={m.enquiry_pending()} {...(pending === undefined ? {} : { pending })}>
          {m.enquiry_submit()}
        </SubmitButton>
        {children}
      </div>
    </Form>
  );
}

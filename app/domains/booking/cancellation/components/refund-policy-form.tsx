import type { SubmissionResult } from "@conform-to/react";
import { m } from "#app/paraglide/messages.js";
import { Form, RadioPicks, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { Dock } from "#app/ui/shell.tsx";
import { REFUND_HOURS, type RefundHours } from "../refund-policy.ts";

const hoursWord = (hours: RefundHours) => (hours === 0 ? m.refunds_policy_start() : m.refunds_policy_hours({ hours }));

/** The form of a doctor's or place's refund policy. */
export function RefundPolicyForm({ hours, result }: { hours: RefundHours; result: SubmissionResult<string[]> | undefined }) {
  const [form, fields] = useNadiForm<{ hours: string }>({ id: "policy", lastResult: result, defaultValue: { hours: String(hours) } });
  return (
    <>
      <p>{m.refunds_policy_text()}</p>
      <p className="soft small">{m.refunds_policy_always()}</p>
      <Form form={form} className="section tight">
        <RadioPicks
          field={fields.hours}
          label={m.refunds_policy_question()}
          options={REFUND_HOURS.map((value) => ({ value: String(value), label: hoursWord(value) }))}
        />
        <Dock>
          <SubmitButton size="lg">{m.refunds_policy_save()}</SubmitButton>
        </Dock>
      </Form>
    </>
  );
}

import type { SubmissionResult } from "@conform-to/react";
import { m } from "#app/paraglide/messages.js";
import { Checkbox, Form, RadioPicks, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { Dock } from "#app/ui/shell.tsx";
import { PREPAY_MINUTES, REFUND_HOURS, type RefundHours } from "../refund-policy.ts";

const hoursWord = (hours: RefundHours) => (hours === 0 ? m.refunds_policy_start() : m.refunds_policy_hours({ hours }));

type Props = {
  hours: RefundHours;
  /** null without a payment provider. */
  prepay: boolean | null;
  result: SubmissionResult<string[]> | undefined;
};

/** The form of a doctor's or place's refund policy, and of prepayment. */
export function RefundPolicyForm({ hours, prepay, result }: Props) {
  const [form, fields] = useNadiForm<{ hours: string; prepay: boolean }>({
    id: "policy",
    lastResult: result,
    defaultValue: { hours: String(hours), prepay: prepay ?? false },
  });
  return (
    <>
      <p>{m.refunds_policy_text()}</p>
      <p className="text-sm text-ink-soft">{m.refunds_policy_always()}</p>
      <Form form={form} className="mt-4">
        <RadioPicks
          field={fields.hours}
          label={m.refunds_policy_question()}
          options={REFUND_HOURS.map((value) => ({ value: String(value), label: hoursWord(value) }))}
        />
        {prepay !== null && (
          <>
            <Checkbox field={fields.prepay} label={m.prepay_ask()} plain={false} className="mt-2" />
            <p className="text-sm text-ink-soft">{m.prepay_ask_text({ minutes: PREPAY_MINUTES })}</p>
          </>
        )}
        <Dock>
          <SubmitButton size="lg">{m.refunds_policy_save()}</SubmitButton>
        </Dock>
      </Form>
    </>
  );
}

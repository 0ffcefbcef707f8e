import { m } from "#app/paraglide/messages.js";
import { Form, SubmitButton, useNadiForm } from "#app/ui/form.tsx";

/** Who answers and which data is sent there (docs/decisions/021), with the switch. Expanded until the first question. */
export function AnswererNotice({
  who,
  consented,
  action,
}: {
  who: "model" | "helper-none" | "helper-chosen";
  consented: boolean;
  action: string;
}) {
  const [form] = useNadiForm({ id: "answerer" });
  if (who === "helper-none") return <p className="text-sm text-ink-soft mt-2">{m.assistant_notice_none()}</p>;
  const on = who === "model";
  const words = !on ? m.assistant_notice_off() : consented ? m.assistant_notice_on() : m.assistant_notice();
  return (
    <Form form={form} action={action} className="text-sm text-ink-soft mt-2">
      <p>{words}</p>
      <input type="hidden" name="intent" value="switch" />
      <SubmitButton name="assistant" value={on ? "off" : "on"} variant="quiet" size="sm" className="pl-0">
        {on ? m.assistant_switch_off() : m.assistant_switch_on()}
      </SubmitButton>
    </Form>
  );
}

import { m } from "#app/paraglide/messages.js";
import { Checkbox, Form, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import type { PushGroup } from "../../notifications/push-groups.ts";

const nameOf = (group: PushGroup, doctor: boolean): string => {
  switch (group) {
    case "appointments":
      return m.push_appointments();
    case "reminders":
      return m.push_reminders();
    case "waitlist":
      return m.push_waitlist();
    case "documents":
      return doctor ? m.push_results() : m.push_documents();
    case "payments":
      return m.push_payments();
    case "reviews":
      return m.push_reviews();
    case "account":
      return m.push_account();
  }
};

/** Which notifications the browsers of a user show: posts `intent=choose`. */
export function PushChoices({ choices, doctor }: { choices: { group: PushGroup; on: boolean }[]; doctor: boolean }) {
  const [form, fields] = useNadiForm<Record<PushGroup, boolean>>({
    id: "choices",
    defaultValue: Object.fromEntries(choices.map(({ group, on }) => [group, on ? "on" : ""])),
  });
  return (
    <section className="card mt-7" aria-labelledby="h-choose">
      <h2 id="h-choose">{m.push_choose()}</h2>
      <p className="text-sm text-ink-soft mb-3">{m.push_choose_text()}</p>
      <Form form={form}>
        {choices.map(({ group }) => (
          <Checkbox key={group} field={fields[group]} label={nameOf(group, doctor)} />
        ))}
        <SubmitButton name="intent" value="choose" variant="second" full>
          {m.push_save()}
        </SubmitButton>
      </Form>
    </section>
  );
}

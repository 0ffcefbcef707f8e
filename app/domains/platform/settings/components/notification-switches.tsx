import { m } from "#app/paraglide/messages.js";
import { Checkbox, Form, SubmitButton, useNadiForm } from "#app/ui/form.tsx";

/**
 * The Notifications section of the settings (spec 000 and 001 §2): two switches and Save Settings, which posts `intent=save`.
 * `hint` lists the emails, `always` what is sent in any case.
 */
export function NotificationSwitches({
  saved,
  result,
  hint,
  always,
}: {
  saved: { email: boolean; sms: boolean };
  result: Parameters<typeof useNadiForm>[0]["lastResult"];
  hint: string;
  always: string;
}) {
  const [form, fields] = useNadiForm<{ email: boolean; sms: boolean }>({
    id: "settings",
    lastResult: result ?? null,
    defaultValue: { email: saved.email ? "on" : "", sms: saved.sms ? "on" : "" },
  });
  return (
    <section className="card" aria-labelledby="h-notifications">
      <h2 id="h-notifications">{m.settings_notifications()}</h2>
      <Form form={form}>
        <Checkbox field={fields.email} label={<Toggle name={m.settings_email()} hint={hint} />} />
        <Checkbox field={fields.sms} label={<Toggle name={m.settings_sms()} hint={m.settings_sms_hint()} />} />
        <p className="text-sm text-ink-soft mt-2 mb-3">{always}</p>
        <SubmitButton name="intent" value="save" full pendingText={m.settings_saving()}>
          {m.settings_save()}
        </SubmitButton>
      </Form>
    </section>
  );
}

const Toggle = ({ name, hint }: { name: string; hint: string }) => (
  <>
    <b>{name}</b> <span className="hint mb-0">{hint}</span>
  </>
);

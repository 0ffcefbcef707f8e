import { href } from "react-router";
import { NotificationEmailSchema } from "#app/domains/platform/settings/notification-email.schema.ts";
import {
  getNotificationEmail,
  removeNotificationEmail,
  requestNotificationEmail,
} from "#app/domains/platform/settings/notification-email.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { MAX_EMAIL } from "#app/lib/text-limits.ts";
import { m } from "#app/paraglide/messages.js";
import { Form, SubmitButton, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/email.ts";

export const loader = loadOwn((ctx) => getNotificationEmail(ctx));

export const action = submitOwn(NotificationEmailSchema, async (ctx, input) => {
  if (input.intent === "remove") {
    await removeNotificationEmail(ctx);
    return redirectWithToast(href("/patient/settings"), m.email_removed());
  }
  await requestNotificationEmail(ctx, input);
  return redirectWithToast(href("/patient/settings/email"), m.email_link_sent());
});

/** The email address for notifications: entered here, confirmed by the link in an email. */
export default function Email({ loaderData: { email, pending }, actionData }: Route.ComponentProps) {
  const [form, fields] = useNadiForm<{ email: string }>({
    id: "email",
    lastResult: actionData?.result ?? null,
    defaultValue: { email: pending ?? email ?? "" },
  });
  const [remove] = useNadiForm({ id: "remove" });
  return (
    <Page title={m.email_title()} back={{ to: href("/patient/settings") }}>
      {pending && <Note tone="info">{m.email_pending({ email: pending })}</Note>}
      {email && <p className="mt-2">{m.email_in_use({ email })}</p>}
      {!email && !pending && <p className="text-ink-soft">{m.email_text()}</p>}
      <Form form={form} className="card mt-7">
        <TextField field={fields.email} label={m.email_label()} type="email" autoComplete="email" maxLength={MAX_EMAIL} />
        <SubmitButton name="intent" value="save" full pendingText={m.email_sending()}>
          {m.email_send_link()}
        </SubmitButton>
      </Form>
      {(email || pending) && (
        <Form form={remove} className="mt-2">
          <SubmitButton name="intent" value="remove" variant="quiet" full pendingText={m.email_removing()}>
            {m.email_remove()}
          </SubmitButton>
        </Form>
      )}
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.email_title() }) }];

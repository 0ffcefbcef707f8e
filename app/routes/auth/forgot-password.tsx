import { href, Link } from "react-router";
import { ForgotPasswordSchema } from "#app/domains/platform/accounts/reset-password.schema.ts";
import { startPasswordReset } from "#app/domains/platform/accounts/reset-password.server.ts";
import { ctxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { redirectTo } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import { Form, PhoneField, SubmitButton, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { SplitPage } from "#app/ui/split-page.tsx";
import type { Route } from "./+types/forgot-password.ts";

export const loader = load(async ({ request }: Route.LoaderArgs) => ({ sent: new URL(request.url).searchParams.has("sent") }));

export async function action({ context, request }: Route.ActionArgs) {
  return submitForm(request, ForgotPasswordSchema, async (input) => {
    await startPasswordReset(ctxOf(context), input);
    return redirectTo(`${href("/forgot-password")}?sent`);
  });
}

/** Password reset of doctors, reviewers and administrators. */
export default function ForgotPassword({ loaderData: { sent }, actionData }: Route.ComponentProps) {
  return (
    <SplitPage drawing="care" tagline={m.accounts_doctor_tagline()} lean back={{ to: href("/dual-doctor") }}>
      <h1>{sent ? m.accounts_forgot_sent_title() : m.accounts_forgot_title()}</h1>
      {sent ? <Sent /> : <Ask result={actionData?.result} />}
    </SplitPage>
  );
}

function Ask({ result }: { result: NonNullable<Route.ComponentProps["actionData"]>["result"] | undefined }) {
  const [form, fields] = useNadiForm<{ email: string; mobile: string }>({ id: "forgot", lastResult: result });
  return (
    <>
      <p className="text-ink-soft">{m.accounts_forgot_text()}</p>
      <Form form={form} className="mt-6">
        <TextField field={fields.email} label={m.accounts_email_label()} type="email" autoComplete="username" spellCheck={false} />
        <PhoneField field={fields.mobile} label={m.accounts_mobile_label()} hint={m.accounts_mobile_hint()} />
        <SubmitButton size="lg" full pendingText={m.accounts_forgot_sending()}>
          {m.accounts_forgot_send()}
        </SubmitButton>
      </Form>
      <p className="mt-5 text-sm text-ink-soft">{m.accounts_forgot_patients()}</p>
    </>
  );
}

/** The same text for every email and number. */
const Sent = () => (
  <>
    <Note tone="info" role="status" className="mt-5">
      {m.accounts_forgot_sent()}
    </Note>
    <p className="mt-6">{m.accounts_forgot_next()}</p>
    <p className="mt-5 text-sm text-ink-soft">
      {m.accounts_forgot_nothing()} <Link to={href("/forgot-password")}>{m.accounts_forgot_again()}</Link>
    </p>
  </>
);

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.accounts_forgot_title() }) }];

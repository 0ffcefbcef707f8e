import { data, href } from "react-router";
import { ResetPasswordSchema } from "#app/domains/platform/accounts/reset-password.schema.ts";
import { getPasswordReset, resendResetCode, resetPassword } from "#app/domains/platform/accounts/reset-password.server.ts";
import { ctxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import type { PageHandle } from "#app/ui/document.tsx";
import { Form, OtpField, PasswordField, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { SplitPage } from "#app/ui/split-page.tsx";
import type { Route } from "./+types/reset-password.ts";

export const handle = { secret: "token" } satisfies PageHandle;

/** Opening the link changes nothing, because mail programs may open it before the user does. */
export const loader = load(async ({ context, params }: Route.LoaderArgs) => {
  try {
    return data({ open: await getPasswordReset(ctxOf(context), params.token) });
  } catch (error) {
    if (error instanceof DomainError && error.code === "not-found") return data({ open: null }, { status: 404 });
    throw error;
  }
});

/** The URL contains a secret, so it must not be cached. */
export const headers: Route.HeadersFunction = () => ({ "Cache-Control": "no-store" });

export async function action({ context, params, request }: Route.ActionArgs) {
  const ctx = ctxOf(context);
  const { token } = params;
  return submitForm(
    request,
    ResetPasswordSchema,
    async (input) => {
      if (input.intent === "resend") {
        await resendResetCode(ctx, token);
        return redirectWithToast(href("/forgot-password/:token", { token }), m.accounts_otp_sent());
      }
      await resetPassword(ctx, { token, code: input.otp, newPassword: input.newPassword });
      return redirectWithToast(href("/dual-doctor"), m.accounts_reset_done(), { stays: true });
    },
    { hide: ["newPassword", "confirmPassword"] },
  );
}

/** The page of the emailed link: the code of the SMS, and the new password. */
export default function ResetPassword({ loaderData: { open }, actionData }: Route.ComponentProps) {
  return (
    <SplitPage drawing="care" tagline={m.accounts_doctor_tagline()} lean back={{ to: href("/dual-doctor") }}>
      <h1>{open ? m.accounts_reset_title() : m.accounts_reset_over_title()}</h1>
      {open ? <NewPassword {...open} result={actionData?.result} /> : <Over />}
    </SplitPage>
  );
}

type Open = NonNullable<Route.ComponentProps["loaderData"]["open"]>;

function NewPassword({ role, phoneEnd, result }: Open & { result: NonNullable<Route.ComponentProps["actionData"]>["result"] | undefined }) {
  const [form, fields] = useNadiForm<{ otp: string; newPassword: string; confirmPassword: string }>({ id: "reset", lastResult: result });
  const [resend] = useNadiForm({ id: "resend" });
  return (
    <>
      <p className="text-ink-soft">{m.accounts_reset_text({ end: phoneEnd })}</p>
      <Form form={form} className="mt-6">
        <OtpField field={fields.otp} label={m.accounts_code_label()} />
        <PasswordField
          field={fields.newPassword}
          label={m.settings_new_password()}
          hint={role === "doctor" ? m.accounts_password_hint() : m.accounts_password_hint_staff()}
          autoComplete="new-password"
          maxLength={200}
        />
        <PasswordField field={fields.confirmPassword} label={m.settings_confirm_password()} autoComplete="new-password" maxLength={200} />
        <SubmitButton name="intent" value="reset" size="lg" full pendingText={m.settings_changing_password()}>
          {m.accounts_reset_button()}
        </SubmitButton>
      </Form>
      <Form form={resend} className="mt-5">
        <SubmitButton name="intent" value="resend" variant="second" full icon="refresh-cw" pendingText={m.accounts_otp_sending()}>
          {m.accounts_reset_resend()}
        </SubmitButton>
      </Form>
    </>
  );
}

const Over = () => (
  <>
    <Note tone="warn" className="mt-5">
      {m.accounts_reset_over()}
    </Note>
    <LinkButton to={href("/forgot-password")} size="lg" full className="mt-6">
      {m.accounts_reset_new_link()}
    </LinkButton>
  </>
);

export const meta: Route.MetaFunction = () => [
  { title: m.ui_title({ page: m.accounts_reset_title() }) },
  { name: "robots", content: "noindex" },
];

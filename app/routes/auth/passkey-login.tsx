import { href } from "react-router";
import { homeOf } from "#app/areas.ts";
import { PasskeyLogin } from "#app/domains/platform/accounts/components/passkey-login.tsx";
import { NeedsScript, whyNot } from "#app/domains/platform/accounts/components/passkey-section.tsx";
import { PrivacyNotice } from "#app/domains/platform/accounts/components/privacy-notice.tsx";
import { PasskeyLoginSchema } from "#app/domains/platform/accounts/passkey.schema.ts";
import { logInWithPasskey } from "#app/domains/platform/accounts/passkeys.server.ts";
import { ctxOf, sessionContext } from "#app/http/context.ts";
import { deviceCookie } from "#app/http/device-cookie.server.ts";
import { load } from "#app/http/load.server.ts";
import { clearPasskeyCookie, passkeySupportAt, passkeyTokenOf } from "#app/http/passkeys.server.ts";
import { redirectTo } from "#app/http/redirects.server.ts";
import { replaceSession } from "#app/http/session.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { ErrorSummary, useNadiForm } from "#app/ui/form.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { SplitPage } from "#app/ui/split-page.tsx";
import type { Route } from "./+types/passkey-login.ts";

export const loader = load(({ context, request }: Route.LoaderArgs) => {
  const role = context.get(sessionContext)?.role;
  if (role && role !== "patient") throw redirectTo(href("/dual-doctor"));
  return { support: passkeySupportAt(request) };
});

export async function action({ context, request }: Route.ActionArgs) {
  return submitForm(
    request,
    PasskeyLoginSchema,
    async ({ email, credential, notice }) => {
      const done = await logInWithPasskey(ctxOf(context), {
        token: passkeyTokenOf(request),
        credential,
        email,
        notice,
        userAgent: request.headers.get("user-agent") ?? "",
      });
      const known = done.device ? [deviceCookie(done.device)] : [];
      const cookies = [...(await replaceSession(ctxOf(context), request, done.token)), ...known, clearPasskeyCookie()];
      // /doctor-verify shows the status of the application and links to its next step.
      const verified = done.role !== "doctor" || done.registrationStatus === "verified";
      return redirectTo(verified ? homeOf(done.role) : href("/doctor-verify"), { cookies });
    },
    { hide: ["credential"] },
  );
}

/** Login with a passkey. Also shows errors of a passkey from /dual-doctor. */
export default function PasskeyLoginPage({ loaderData: { support }, actionData }: Route.ComponentProps) {
  const [form] = useNadiForm({ id: "passkey", lastResult: actionData?.result });
  return (
    <SplitPage drawing="time" tagline={m.accounts_doctor_tagline()} lean back={{ to: href("/dual-doctor") }}>
      <h1>{m.passkeys_log_in()}</h1>
      <p className="text-ink-soft">{m.passkeys_text()}</p>
      <ErrorSummary form={form} />
      {support.state === "yes" ? (
        <>
          <PasskeyLogin />
          <NeedsScript />
          <PrivacyNotice reader="staff" />
        </>
      ) : (
        <Note className="mt-5">{whyNot(support)}</Note>
      )}
      <p className="mt-2">
        <LinkButton to={href("/dual-doctor")} variant="quiet" full>
          {m.passkeys_password_instead()}
        </LinkButton>
      </p>
    </SplitPage>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.passkeys_log_in() }) }];

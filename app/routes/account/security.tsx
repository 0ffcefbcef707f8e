import { href, Outlet } from "react-router";
import { OwnConsent } from "#app/domains/platform/accounts/components/own-consent.tsx";
import { PasskeySection } from "#app/domains/platform/accounts/components/passkey-section.tsx";
import { getOwnConsent } from "#app/domains/platform/accounts/consent.server.ts";
import { listOwnApps, revokeOwnApp } from "#app/domains/platform/accounts/own-apps.server.ts";
import { endOtherSessions } from "#app/domains/platform/accounts/own-sessions.server.ts";
import { endOwnSession, listSessionDevices } from "#app/domains/platform/accounts/session-devices.server.ts";
import { OwnApps } from "#app/domains/platform/settings/components/own-apps.tsx";
import { SessionDevices } from "#app/domains/platform/settings/components/session-devices.tsx";
import { SecurityFormSchema } from "#app/domains/platform/settings/settings.schema.ts";
import { OwnSupport } from "#app/domains/platform/support/components/own-support.tsx";
import { sessionHashOf } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { readOwnPasskeys } from "#app/http/passkeys.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/security.ts";

const HERE = href("/account/security");

export const loader = loadOwn(async (ctx, { context, request }: Route.LoaderArgs) => {
  const [sessions, apps, passkeys, consent] = await Promise.all([
    listSessionDevices(ctx, sessionHashOf(context)),
    listOwnApps(ctx),
    readOwnPasskeys(context, request),
    getOwnConsent(ctx),
  ]);
  return { sessions, apps, passkeys, consent, role: ctx.actor.role };
});

export const action = submitOwn(SecurityFormSchema, async (ctx, input, { context }: Route.ActionArgs) => {
  switch (input.intent) {
    case "end-others":
      await endOtherSessions(ctx, sessionHashOf(context));
      return redirectWithToast(HERE, m.settings_sessions_ended());
    case "end-session":
      await endOwnSession(ctx, { id: input.session, tokenHash: sessionHashOf(context) });
      return redirectWithToast(HERE, m.settings_session_ended());
    case "revoke-app":
      await revokeOwnApp(ctx, input.app);
      return redirectWithToast(HERE, m.api_app_revoked());
  }
});

/** Password, passkeys, sessions and apps of a doctor, a reviewer or an administrator. */
export default function Security({ loaderData: { sessions, apps, passkeys, consent, role } }: Route.ComponentProps) {
  return (
    <>
      <Page title={m.accounts_security_title()} {...(role === "doctor" ? { back: { to: href("/doctor/settings") } } : {})}>
        <section className="card" aria-labelledby="h-password">
          <h2 id="h-password">{m.settings_password()}</h2>
          <p className="text-ink-soft mb-3">{m.settings_password_text()}</p>
          <LinkButton to={href("/account/security/password")} variant="second" full icon="lock" preventScrollReset>
            {m.settings_change_password()}
          </LinkButton>
        </section>
        <PasskeySection {...passkeys} />
        <SessionDevices
          sessions={sessions}
          limit={role === "doctor" ? m.settings_session_limit_doctor() : m.settings_session_limit_staff()}
        />
        <OwnApps apps={apps} />
        <OwnConsent consent={consent} withdraw={m.consent_withdraw_staff()} />
        {role !== "admin" && <OwnSupport to={href("/account/support")} />}
        {/* Doctors log out on the profile page. */}
        {role !== "doctor" && (
          <p className="mt-7">
            <LinkButton to={href("/logout")} variant="second" full icon="log-out">
              {m.cases_place_log_out()}
            </LinkButton>
          </p>
        )}
      </Page>
      <Outlet />
    </>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.accounts_security_title() }) }];

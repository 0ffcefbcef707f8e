import { href, Outlet } from "react-router";
import { OwnConsent } from "#app/domains/platform/accounts/components/own-consent.tsx";
import { PasskeySection } from "#app/domains/platform/accounts/components/passkey-section.tsx";
import { OwnApps } from "#app/domains/platform/settings/components/own-apps.tsx";
import { SessionDevices } from "#app/domains/platform/settings/components/session-devices.tsx";
import { OwnSupport } from "#app/domains/platform/support/components/own-support.tsx";
import { load } from "#app/http/load.server.ts";
import { readOwnSecurity, submitOwnSecurity } from "#app/http/own-security.server.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/security.ts";

export const loader = load(({ context, request }: Route.LoaderArgs) => readOwnSecurity(context, request));

export const action = ({ context, request }: Route.ActionArgs) => submitOwnSecurity(request, context);

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

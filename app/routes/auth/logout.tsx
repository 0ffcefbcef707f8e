import { href } from "react-router";
import { homeOf } from "#app/areas.ts";
import { endSession } from "#app/domains/platform/accounts/sessions.server.ts";
import { ctxOf, sessionContext } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { redirectTo, redirectWithToast } from "#app/http/redirects.server.ts";
import { throwRefusal } from "#app/http/refusals.server.ts";
import { clearSessionCookie } from "#app/http/session.server.ts";
import { clearWaitingBookingCookie } from "#app/http/waiting-booking.server.ts";
import { m } from "#app/paraglide/messages.js";
import { useNadiForm } from "#app/ui/form.tsx";
import { SplitPage } from "#app/ui/split-page.tsx";
import { ConfirmCard } from "#app/ui/states.tsx";
import { YesNo } from "#app/ui/yes-no.tsx";
import type { Route } from "./+types/logout.ts";

/** Spec 000 §2: 'Logout Confirmation' as a page, which works without JavaScript. */
export const loader = load(async ({ context }: Route.LoaderArgs) => {
  const session = context.get(sessionContext);
  if (!session) throw redirectTo(href("/choose-role"), { replaces: true });
  return {
    back:
      session.role === "doctor" ? href("/doctor/profile") : session.role === "patient" ? href("/patient/profile") : homeOf(session.role),
  };
});

export async function action({ context }: Route.ActionArgs) {
  const session = context.get(sessionContext);
  try {
    if (session) await endSession(ctxOf(context), session.tokenHash);
  } catch (error) {
    throwRefusal(error);
  }
  return redirectWithToast(href("/choose-role"), m.accounts_logged_out(), { cookies: [clearSessionCookie(), clearWaitingBookingCookie()] });
}

export default function Logout({ loaderData }: Route.ComponentProps) {
  const [form] = useNadiForm({ id: "logout" });
  return (
    <SplitPage drawing="care" tagline={m.common_tagline()} lean back={{ to: loaderData.back }}>
      <ConfirmCard
        icon="log-out"
        title={m.accounts_logout_title()}
        text={m.accounts_logout_question()}
        actions={<YesNo form={form} back={loaderData.back} no={m.accounts_logout_no()} />}
      />
    </SplitPage>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.accounts_logout_title() }) }];

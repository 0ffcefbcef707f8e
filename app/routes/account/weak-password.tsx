import { href } from "react-router";
import { homeOf } from "#app/areas.ts";
import { ChangePasswordForm } from "#app/domains/platform/accounts/components/change-password-form.tsx";
import { actorCtxOf, sessionContext } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectTo } from "#app/http/redirects.server.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { SplitPage } from "#app/ui/split-page.tsx";
import type { Route } from "./+types/weak-password.ts";
import { submitOwnPassword } from "./own-password.server.ts";

/** After a login with a weak password: reviewers and administrators must change it, doctors may do so later. */
export const loader = loadOwn((ctx, { context }: Route.LoaderArgs) => {
  const { role } = ctx.actor;
  if (context.get(sessionContext)?.passwordWeakSince == null) throw redirectTo(homeOf(role));
  return { home: homeOf(role), staff: role !== "doctor" };
});

export const action = ({ context, request }: Route.ActionArgs) =>
  submitOwnPassword(request, context, href("/account/security"), homeOf(actorCtxOf(context).actor.role));

export default function WeakPassword({ loaderData: { home, staff }, actionData }: Route.ComponentProps) {
  return (
    <SplitPage
      drawing="care"
      tagline={m.accounts_doctor_tagline()}
      lean
      back={staff ? { to: href("/logout"), label: m.accounts_log_out() } : undefined}
    >
      <h1>{m.accounts_weak_title()}</h1>
      <p className="text-ink-soft">
        {m.accounts_weak_text()} {staff && m.accounts_weak_must()}
      </p>
      <div className="mt-6">
        <ChangePasswordForm result={actionData?.result} staff={staff} />
        {!staff && (
          <LinkButton to={home} variant="quiet" full>
            {m.accounts_weak_later()}
          </LinkButton>
        )}
      </div>
    </SplitPage>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.accounts_weak_title() }) }];

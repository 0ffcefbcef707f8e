import { href } from "react-router";
import { ChangePasswordForm } from "#app/domains/platform/accounts/components/change-password-form.tsx";
import { load } from "#app/http/load.server.ts";
import { submitOwnPassword } from "#app/http/own-password.server.ts";
import { m } from "#app/paraglide/messages.js";
import { PageDialog } from "#app/ui/members/page-dialog.tsx";
import type { Route } from "./+types/change-password.ts";

const SETTINGS = href("/doctor/settings");

/** Without a loader the browser would not request the page's data, so the guards would not run. */
export const loader = load(async () => null);

export const action = ({ context, request }: Route.ActionArgs) => submitOwnPassword(request, context, SETTINGS);

export default function ChangePassword({ actionData }: Route.ComponentProps) {
  return (
    <PageDialog title={m.settings_change_password()} back={SETTINGS}>
      <ChangePasswordForm result={actionData?.result} />
    </PageDialog>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.settings_change_password() }) }];

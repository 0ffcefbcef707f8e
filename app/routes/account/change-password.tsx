import { href } from "react-router";
import { ChangePasswordForm } from "#app/domains/platform/accounts/components/change-password-form.tsx";
import { areaIn } from "#app/http/context.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { m } from "#app/paraglide/messages.js";
import { PageDialog } from "#app/ui/members/page-dialog.tsx";
import type { Route } from "./+types/change-password.ts";
import { submitOwnPassword } from "./own-password.server.ts";

/** The page that the dialog opens on: the settings of a doctor, or the account. */
const SETTINGS = { doctor: href("/doctor/settings"), account: href("/account/security") };

export const loader = loadOwn((ctx, { context }: Route.LoaderArgs) => ({
  settings: SETTINGS[areaIn(context, "doctor", "account")],
  staff: ctx.actor.role !== "doctor",
}));

export const action = ({ context, request }: Route.ActionArgs) =>
  submitOwnPassword(request, context, SETTINGS[areaIn(context, "doctor", "account")]);

export default function ChangePassword({ loaderData: { settings, staff }, actionData }: Route.ComponentProps) {
  return (
    <PageDialog title={m.settings_change_password()} back={settings}>
      <ChangePasswordForm result={actionData?.result} staff={staff} />
    </PageDialog>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.settings_change_password() }) }];

import { ChangePasswordSchema } from "#app/domains/accounts/change-password.schema.ts";
import { changePassword } from "#app/domains/accounts/change-password.server.ts";
import { actorCtxOf, sessionContext } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitForm } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import { PageDialog } from "#app/ui/dialog.tsx";
import { Form, PasswordField, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { validateWith } from "#app/ui/validate.ts";
import type { Route } from "./+types/change-password.ts";

/** Nothing to read, but without a loader the server would not be asked who may open it. */
export const loader = load(async () => null);

export async function action({ context, request }: Route.ActionArgs) {
  const ctx = actorCtxOf(context);
  const tokenHash = context.get(sessionContext)?.tokenHash ?? "";
  return submitForm(
    request,
    ChangePasswordSchema,
    async ({ currentPassword, newPassword }) => {
      await changePassword(ctx, { currentPassword, newPassword, tokenHash, targetPath: "/doctor/settings" });
      return redirectWithToast("/doctor/settings", m.settings_password_changed());
    },
    { hide: ["currentPassword", "newPassword", "confirmPassword"] },
  );
}

const validate = validateWith(ChangePasswordSchema);

export default function ChangePassword({ actionData }: Route.ComponentProps) {
  const [form, fields] = useNadiForm<{ currentPassword: string; newPassword: string; confirmPassword: string }>({
    id: "password",
    lastResult: actionData?.result,
    validate,
  });
  return (
    <PageDialog title={m.settings_change_password()} back="/doctor/settings">
      <Form form={form}>
        <PasswordField
          field={fields.currentPassword}
          label={m.settings_current_password()}
          autoComplete="current-password"
          maxLength={200}
        />
        <PasswordField
          field={fields.newPassword}
          label={m.settings_new_password()}
          hint={m.settings_new_password_hint()}
          autoComplete="new-password"
          maxLength={200}
        />
        <PasswordField field={fields.confirmPassword} label={m.settings_confirm_password()} autoComplete="new-password" maxLength={200} />
        <SubmitButton full pendingText={m.settings_changing_password()}>
          {m.settings_change_password()}
        </SubmitButton>
      </Form>
    </PageDialog>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.settings_change_password() }) }];

import { m } from "#app/paraglide/messages.js";
import { useCheckedForm } from "#app/ui/checked-form.ts";
import { Form, PasswordField, SubmitButton } from "#app/ui/form.tsx";
import { validateWith } from "#app/ui/validate.ts";
import { ChangePasswordSchema } from "../change-password.schema.ts";

const validate = validateWith(ChangePasswordSchema);

/**
 * Current password, new password, and the new one again. `staff`: reviewers and administrators, whose password must be longer.
 */
export function ChangePasswordForm({
  result,
  staff = false,
}: {
  result: Parameters<typeof useCheckedForm>[0]["lastResult"];
  staff?: boolean;
}) {
  const [form, fields] = useCheckedForm<{ currentPassword: string; newPassword: string; confirmPassword: string }>({
    id: "password",
    lastResult: result ?? null,
    validate,
  });
  return (
    <Form form={form}>
      <PasswordField field={fields.currentPassword} label={m.settings_current_password()} autoComplete="current-password" maxLength={200} />
      <PasswordField
        field={fields.newPassword}
        label={m.settings_new_password()}
        hint={staff ? m.accounts_password_hint_staff() : m.settings_new_password_hint()}
        autoComplete="new-password"
        maxLength={200}
      />
      <PasswordField field={fields.confirmPassword} label={m.settings_confirm_password()} autoComplete="new-password" maxLength={200} />
      <SubmitButton full pendingText={m.settings_changing_password()}>
        {m.settings_change_password()}
      </SubmitButton>
    </Form>
  );
}

import { z } from "zod";
import { m } from "#app/paraglide/messages.js";

const filled = (missing: () => string) => z.string({ error: missing }).max(200, { error: () => m.accounts_password_long() });

/** Current password, new password, and the new one again. The command checks the current one. */
export const ChangePasswordSchema = z
  .object({
    currentPassword: filled(() => m.settings_current_required()),
    newPassword: filled(() => m.settings_new_required()).min(6, { error: () => m.accounts_password_short() }),
    confirmPassword: filled(() => m.settings_confirm_required()),
  })
  .superRefine(({ currentPassword, newPassword, confirmPassword }, context) => {
    if (newPassword === currentPassword) context.addIssue({ code: "custom", path: ["newPassword"], message: m.settings_password_same() });
    if (confirmPassword !== newPassword)
      context.addIssue({ code: "custom", path: ["confirmPassword"], message: m.settings_password_mismatch() });
  });

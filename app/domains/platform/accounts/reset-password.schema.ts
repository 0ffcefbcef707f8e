import { z } from "zod";
import { m } from "#app/paraglide/messages.js";
import { code, DoctorCredentialsSchema } from "./accounts.schema.ts";

/** /forgot-password: email and mobile, as at the login. */
export const ForgotPasswordSchema = DoctorCredentialsSchema.pick({ email: true, mobile: true });

const filled = (missing: () => string) => z.string({ error: missing }).max(200, { error: () => m.accounts_password_long() });

/** /forgot-password/:token: the code of the SMS and the new password, or a new code. */
export const ResetPasswordSchema = z.discriminatedUnion("intent", [
  z
    .object({
      intent: z.literal("reset"),
      otp: code,
      newPassword: filled(() => m.settings_new_required()).min(6, { error: () => m.accounts_password_short() }),
      confirmPassword: filled(() => m.settings_confirm_required()),
    })
    .superRefine(({ newPassword, confirmPassword }, context) => {
      if (confirmPassword !== newPassword)
        context.addIssue({ code: "custom", path: ["confirmPassword"], message: m.settings_password_mismatch() });
    }),
  z.object({ intent: z.literal("resend") }),
]);

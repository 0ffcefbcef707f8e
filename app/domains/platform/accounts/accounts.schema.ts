import { z } from "zod";
import { plainDigits } from "#app/lib/digits.ts";
import { normalisePhone } from "#app/lib/phone.ts";
import { MAX_EMAIL } from "#app/lib/text-limits.ts";
import { m } from "#app/paraglide/messages.js";
import { PasskeyAnswerSchema } from "./passkey.schema.ts";
import { shownNotice } from "./privacy-notice.schema.ts";

/** The phone field of every form and API call: "+91…" (spec 001 §5). `missing`, `wrong`: the sentences of the form. */
export const phoneWith = (missing: () => string, wrong: () => string) =>
  z
    .string({ error: missing })
    .trim()
    .min(1, { error: missing })
    .max(40, { error: wrong })
    .transform((typed, context) => {
      const phone = normalisePhone(typed);
      if (phone) return phone;
      context.addIssue({ code: "custom", message: wrong() });
      return z.NEVER;
    });
/** Six digits. Removes pasted spaces (india.md). */
const codeWith = (missing: () => string, wrong: () => string) =>
  z
    .string({ error: missing })
    .transform((typed) => plainDigits(typed).replace(/[\s-]/g, ""))
    .pipe(
      z
        .string()
        .min(1, { error: missing })
        .regex(/^\d{6}$/, { error: wrong }),
    );

/** The code of an SMS to a doctor, a reviewer or an administrator. */
export const code = codeWith(
  () => m.accounts_otp_required(),
  () => m.accounts_code_invalid(),
);

const redirectTo = z.string().max(500).optional();

/** /dual-patient. */
export const PatientLoginSchema = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("send"),
    phoneNumber: phoneWith(
      () => m.accounts_phone_invalid(),
      () => m.accounts_phone_invalid(),
    ),
    redirectTo,
  }),
  z.object({ intent: z.literal("resend"), redirectTo }),
  z.object({
    intent: z.literal("verify"),
    otp: codeWith(
      () => m.accounts_code_invalid(),
      () => m.accounts_code_invalid(),
    ),
    notice: shownNotice,
    redirectTo,
  }),
  z.object({ intent: z.literal("change"), redirectTo }),
  /** Drops the booking that was chosen before the login. */
  z.object({ intent: z.literal("forget") }),
]);

const email = z
  .string({ error: () => m.accounts_email_required() })
  .trim()
  .min(1, { error: () => m.accounts_email_required() })
  .max(MAX_EMAIL, { error: () => m.accounts_email_invalid() })
  .toLowerCase()
  .pipe(z.email({ error: () => m.accounts_email_invalid() }));
const password = z
  .string({ error: () => m.accounts_password_required() })
  .min(1, { error: () => m.accounts_password_required() })
  .min(6, { error: () => m.accounts_password_short() })
  .max(200, { error: () => m.accounts_password_long() });
const mode = z.enum(["login", "register"]).default("login");

/** /dual-doctor, spec 000 §5. */
export const DoctorCredentialsSchema = z.object({
  email,
  password,
  mobile: phoneWith(
    () => m.accounts_mobile_required(),
    () => m.accounts_mobile_invalid(),
  ),
});
export const DoctorAuthSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("send-otp"), mode, ...DoctorCredentialsSchema.shape }),
  z.object({ intent: z.literal("resend") }),
  z.object({ intent: z.literal("edit") }),
  z.object({
    intent: z.literal("verify-otp"),
    otp: code,
  }),
  /** The password only if the one of the first step was wrong. */
  z.object({ intent: z.literal("continue"), password: password.optional(), notice: shownNotice }),
]);

const proofCode = codeWith(
  () => m.accounts_otp_required(),
  () => m.accounts_code_invalid(),
);
/** /confirm-identity. */
export const ConfirmIdentitySchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("send") }),
  z.object({ intent: z.literal("resend") }),
  z.object({ intent: z.literal("verify"), otp: proofCode }),
  z.object({ intent: z.literal("passkey"), ...PasskeyAnswerSchema.shape }),
  z.object({ intent: z.literal("cancel") }),
]);
/** A fresh proof of identity in an API call. */
export const ApiProofSchema = z
  .object({ challengeId: z.string().min(1).max(100), code: proofCode })
  .optional()
  .meta({ description: "A code that was sent by POST /api/auth/proof/send-otp." });

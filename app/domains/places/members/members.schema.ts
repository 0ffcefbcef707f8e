import { z } from "zod";
import { DoctorCredentialsSchema } from "#app/domains/platform/accounts/accounts.schema.ts";
import { LANGUAGES } from "#app/lib/language.ts";
import { MAX_EMAIL, MAX_LINE } from "#app/lib/text-limits.ts";
import { OFFERED_ROLES } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";

const tooLong = { error: () => m.cases_too_long() };
const oneLine = (text: string) => text.replace(/\s+/g, " ");
const email = z
  .string({ error: () => m.accounts_email_required() })
  .trim()
  .max(MAX_EMAIL, { error: () => m.accounts_email_invalid() })
  .toLowerCase()
  .pipe(z.email({ error: () => m.accounts_email_invalid() }));
const name = z.string().trim().max(MAX_LINE, tooLong).transform(oneLine).optional();
const role = z.enum(OFFERED_ROLES, { error: () => m.clinic_role_required() });
/** Empty: every doctor of the place. */
const doctorIds = z.array(z.uuid()).max(100).default([]);

export const InviteMemberSchema = z.object({ email, name, role, doctorIds, language: z.enum(LANGUAGES).optional() });
export const InviteOwnerSchema = InviteMemberSchema.omit({ role: true, doctorIds: true });
export type InviteMember = z.output<typeof InviteMemberSchema>;

/** Forms of a member's page. */
export const MemberPageSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("save"), role, doctorIds }),
  z.object({ intent: z.literal("suspend") }),
  z.object({ intent: z.literal("resume") }),
  z.object({ intent: z.literal("resend") }),
]);

/** /clinic: a doctor answers a place, or asks one. */
export const OwnPlacesSchema = z.object({ intent: z.enum(["accept", "end", "ask"]), hospitalId: z.uuid() });

/** /clinic/:id/doctors: the owner asks or accepts a doctor. `email`: one who works elsewhere. */
export const PlaceDoctorsSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("claim"), doctorId: z.uuid() }),
  z.object({ intent: z.literal("claim-by-email"), email }),
  z.object({ intent: z.literal("accept"), doctorId: z.uuid() }),
]);

const { mobile, password } = DoctorCredentialsSchema.shape;
/** /join/:token: a new account, or the existing one of the address. */
export const JoinSchema = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("make"),
    name: z
      .string({ error: () => m.clinic_name_required() })
      .trim()
      .min(1, { error: () => m.clinic_name_required() })
      .max(MAX_LINE, tooLong)
      .transform(oneLine),
    phone: mobile,
    password,
  }),
  z.object({ intent: z.literal("accept") }),
  z.object({ intent: z.literal("decline") }),
]);

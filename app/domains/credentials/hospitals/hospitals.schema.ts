import { z } from "zod";
import { DoctorCredentialsSchema } from "#app/domains/platform/accounts/accounts.schema.ts";
import { plainDigits } from "#app/lib/digits.ts";
import { LANGUAGES } from "#app/lib/language.ts";
import { isContactNumber, normalisePhone } from "#app/lib/phone.ts";
import { MAX_EMAIL, MAX_LINE } from "#app/lib/text-limits.ts";
import { HOSPITAL_ACCESS, HOSPITAL_CATEGORIES } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";

const tooLong = { error: () => m.cases_too_long() };
/** Collapses white space. (Without `pipe`, because the form's parser would treat an emptied text as missing.) */
const oneLine = (text: string) => text.replace(/\s+/g, " ");
const line = (missing: () => string, max: number) =>
  z.string({ error: missing }).trim().min(1, { error: missing }).max(max, tooLong).transform(oneLine);
const optionalLine = (max: number) => z.string().trim().max(max, tooLong).transform(oneLine).optional();
const orNone = (text: string) => text || undefined;

/** Normalises a mobile number, or a landline with area code, to +91…. Stores other forms ("1800 425 1234") as typed. */
const contact = z
  .string()
  .trim()
  .max(30, tooLong)
  .overwrite(plainDigits)
  .refine((text) => text === "" || isContactNumber(text), { error: () => m.hospitals_hospital_phone_invalid() })
  .transform((text) => normalisePhone(text) ?? text)
  .transform(orNone)
  .optional();

/** Input of an administrator about a hospital. `seen`: the version they have read. */
export const HospitalSchema = z.object({
  seen: z.string().max(40).default(""),
  name: line(() => m.hospitals_hospital_name_required(), 200),
  category: z.enum(HOSPITAL_CATEGORIES, { error: () => m.hospitals_hospital_category_required() }),
  address: line(() => m.hospitals_hospital_address_required(), 400),
  area: optionalLine(80),
  city: line(() => m.hospitals_hospital_city_required(), 80),
  state: line(() => m.hospitals_hospital_state_required(), 80),
  pinCode: z
    .string()
    .max(20, tooLong)
    .transform((text) => plainDigits(text).replace(/\s/g, ""))
    .refine((text) => text === "" || /^[1-9]\d{5}$/.test(text), { error: () => m.hospitals_hospital_pin_invalid() })
    .transform(orNone)
    .optional(),
  phone: contact,
  email: z
    .string()
    .trim()
    .toLowerCase()
    .max(MAX_EMAIL, tooLong)
    .refine((text) => text === "" || z.email().safeParse(text).success, { error: () => m.accounts_email_invalid() })
    .transform(orNone)
    .optional(),
  workingHours: optionalLine(MAX_LINE),
  about: z.string().trim().max(2000, tooLong).optional(),
  access: z.array(z.enum(HOSPITAL_ACCESS)).max(HOSPITAL_ACCESS.length).default([]),
});
export type HospitalInput = z.output<typeof HospitalSchema>;

export const MergeHospitalSchema = z.object({ into: z.uuid({ error: () => m.hospitals_merge_choose() }) });
export const RefuseHospitalSchema = z.object({ reason: line(() => m.hospitals_refuse_reason_required(), 500) });

const email = z
  .string({ error: () => m.accounts_email_required() })
  .trim()
  .max(MAX_EMAIL, { error: () => m.accounts_email_invalid() })
  .toLowerCase()
  .pipe(z.email({ error: () => m.accounts_email_invalid() }));
/** The forms of a hospital's page. */
export const HospitalPageSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("invite"), email, name: optionalLine(MAX_LINE), language: z.enum(LANGUAGES).optional() }),
  z.object({ intent: z.literal("confirm") }),
  z.object({ intent: z.literal("take-back"), email: z.string().max(MAX_EMAIL) }),
]);

const { mobile, password } = DoctorCredentialsSchema.shape;
/** /invitation/:token: a new account, or the existing one of the address. Rules of a doctor's account (spec 000 §5). */
export const InvitationAcceptSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("make"), name: line(() => m.hospitals_invitation_name_required(), MAX_LINE), phone: mobile, password }),
  z.object({ intent: z.literal("accept") }),
]);

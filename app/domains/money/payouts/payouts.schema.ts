import { z } from "zod";
import { plainDigits } from "#app/lib/digits.ts";
import { BUSINESS_TYPES } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";

// The payment provider's limits (Razorpay Route), and India's formats.
const long = () => m.application_too_long();
const line = (missing: () => string, min: number, max: number) =>
  z.preprocess(
    (value) => (typeof value === "string" ? value.replace(/[\s\p{Cc}]+/gu, " ").trim() || undefined : value),
    z.string({ error: missing }).min(min, { error: missing }).max(max, { error: long }),
  );
const code = (missing: () => string, wrong: () => string, form: RegExp) =>
  z.preprocess(
    (value) => (typeof value === "string" ? plainDigits(value).replace(/[\s-]/g, "").toUpperCase() || undefined : value),
    z.string({ error: missing }).regex(form, { error: wrong }),
  );

const address = {
  street: line(() => m.payout_street_missing(), 3, 200),
  city: line(() => m.payout_city_missing(), 2, 80),
  state: line(() => m.payout_state_missing(), 2, 80),
  pinCode: code(
    () => m.payout_pin_missing(),
    () => m.payout_pin_invalid(),
    /^[1-9]\d{5}$/,
  ),
};
const agreed = z.literal("on", { error: () => m.payout_agree_missing() });
const bank = {
  holder: line(() => m.application_holder_required(), 3, 120),
  account: code(
    () => m.application_account_required(),
    () => m.application_account_invalid(),
    /^\d{9,18}$/,
  ),
  ifsc: code(
    () => m.application_ifsc_required(),
    () => m.application_ifsc_invalid(),
    /^[A-Z]{4}0[A-Z0-9]{6}$/,
  ),
};

/** A doctor's payout account: the bank details are the verified ones. */
export const DoctorPayoutSchema = z.object({ ...address, agreed });
/** Other verified bank details for a doctor's payout account. */
export const DoctorBankSchema = z.object({ agreed });
/** A place's payout account. */
export const PlacePayoutSchema = z.object({
  name: line(() => m.payout_name_missing(), 4, 200),
  businessType: z.enum(BUSINESS_TYPES, { error: () => m.payout_type_missing() }),
  pan: code(
    () => m.payout_pan_missing(),
    () => m.payout_pan_invalid(),
    /^[A-Z]{5}[0-9]{4}[A-Z]$/,
  ),
  ...address,
  ...bank,
  agreed,
});
/** Another bank account for a place's payout account. */
export const PlaceBankSchema = z.object({ ...bank, agreed });

import { z } from "zod";
import { m } from "#app/paraglide/messages.js";

const LONGEST = 1000;
/** Spec 001 §5: all three are required, with one error. */
const words = () =>
  z
    .string({ error: () => m.enquiry_all_fields() })
    .trim()
    .min(1, { error: () => m.enquiry_all_fields() })
    .max(LONGEST, { error: () => m.error_too_long({ most: LONGEST }) });

export const EnquirySchema = z.object({ symptoms: words(), started: words(), medications: words() });
export type EnquiryInput = z.input<typeof EnquirySchema>;

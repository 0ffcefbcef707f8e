import { z } from "zod";
import { addDays, type DateKey, dayFirst, isDateKey } from "#app/lib/dates.ts";
import { plainDigits } from "#app/lib/digits.ts";
import { m } from "#app/paraglide/messages.js";
import { CERTIFICATE_TYPES } from "./content.ts";
import { signAtOnceFields } from "./sign-at-once.schema.ts";

/** Most days of a sick leave, and most days between the visit and its begin. */
const MOST_DAYS = 180;

/** The form of a certificate. `visitDay`: the day of the visit. */
export const certificateSchema = (visitDay: DateKey) =>
  z
    .object({
      type: z.enum(CERTIFICATE_TYPES, { error: () => m.certificate_type_missing() }),
      from: z
        .string({ error: () => m.certificate_from_malformed() })
        .transform((text) => dayFirst(plainDigits(text).trim()))
        .refine((day) => isDateKey(day) && day >= addDays(visitDay, -MOST_DAYS) && day <= addDays(visitDay, MOST_DAYS), {
          error: () => m.certificate_from_malformed(),
        }),
      until: z
        .string()
        .transform((text) => dayFirst(plainDigits(text).trim()))
        .optional(),
      ...signAtOnceFields,
      /** What the doctor saw before signing. */
      seen: z.string().max(2000).optional(),
    })
    .superRefine(({ type, from, until }, ctx) => {
      if (type !== "sick-leave") return;
      const isLater = until !== undefined && isDateKey(until) && isDateKey(from) && until >= from && until <= addDays(from, MOST_DAYS);
      if (!isLater) ctx.addIssue({ code: "custom", path: ["until"], message: m.certificate_until_malformed({ most: MOST_DAYS }) });
    });

/** A certificate as the form has it. */
export type CertificateInput = Omit<z.output<ReturnType<typeof certificateSchema>>, "intent" | "seen">;

import { z } from "zod";
import { addDays, type DateKey, dayFirst, isDateKey } from "#app/lib/dates.ts";
import { plainDigits } from "#app/lib/digits.ts";
import { m } from "#app/paraglide/messages.js";
import { MOST_DAYS } from "./permission.ts";

/** The form that allows a doctor, and the buttons that end a permission or a link. */
export const permissionFormOn = (today: DateKey) =>
  z.discriminatedUnion("intent", [
    z.object({ intent: z.enum(["end", "end-link"]), id: z.uuid() }),
    z.object({
      intent: z.literal("allow"),
      doctor: z.uuid({ error: () => m.sharing_doctor_missing() }),
      until: z
        .string({ error: () => m.sharing_until_invalid() })
        .transform((text) => dayFirst(plainDigits(text).trim()))
        .refine((day) => isDateKey(day) && day >= today && day <= addDays(today, MOST_DAYS), { error: () => m.sharing_until_invalid() }),
    }),
  ]);

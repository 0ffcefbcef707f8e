import { z } from "zod";
import type { PatientProfileColumn } from "#app/db/schema/index.ts";
import { birthDateOn } from "#app/domains/platform/users/age.schema.ts";
import type { DateKey } from "#app/lib/dates.ts";
import { emptyAsNone } from "#app/lib/empty-as-none.ts";
import { MAX_LINE } from "#app/lib/text-limits.ts";
import { GENDERS } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";

/** `photo`: a file of this post. `photoReceived`: a file of an earlier post with errors. */
type PhotoField = "photo" | "photoReceived" | "removePhoto";

/** /patient/profile/edit (spec 001 §2.15) and the API: a field for each column of the profile. The phone is read-only there. */
export const profileFormOn = (today: DateKey) =>
  z.object({
    name: z
      .string({ error: () => m.own_name_required() })
      .trim()
      .min(1, { error: () => m.own_name_required() })
      .max(MAX_LINE, { error: () => m.own_name_long() }),
    dateOfBirth: birthDateOn(today),
    gender: z.preprocess(
      (value) => (typeof value === "string" ? value.toLowerCase() : value) || undefined,
      z.enum(GENDERS, { error: () => m.error_invalid() }).optional(),
    ),
    noAllergies: z.boolean().default(false),
    removePhoto: z.boolean().default(false),
    photoReceived: z.preprocess(emptyAsNone, z.string().max(36).optional()),
    photo: z.preprocess(emptyAsNone, z.string().max(36).optional()),
  } satisfies Record<Exclude<PatientProfileColumn, "noAllergiesOn" | "photoFileId"> | "noAllergies" | PhotoField, z.ZodType>);
export type ProfileForm = z.output<ReturnType<typeof profileFormOn>>;

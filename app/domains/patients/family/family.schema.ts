import { z } from "zod";
import { ageRequired, birthDateFirst, birthDateOn } from "#app/domains/platform/users/age.schema.ts";
import type { DateKey } from "#app/lib/dates.ts";
import { plainDigits } from "#app/lib/digits.ts";
import { emptyAsNone } from "#app/lib/empty-as-none.ts";
import { MAX_LINE } from "#app/lib/text-limits.ts";
import { BLOOD_GROUPS, GENDERS, RELATIONS } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";

/** Collapses spaces in a name, so that equal names match. */
const name = z
  .string({ error: () => m.family_name_required() })
  .transform((typed) => typed.replace(/\s+/g, " ").trim())
  .pipe(
    z
      .string()
      .min(1, { error: () => m.family_name_required() })
      .max(MAX_LINE, { error: () => m.family_name_long() }),
  );
const relationField = z.enum(RELATIONS, { error: () => m.family_relation_required() });

/** The form of /patient/family/add and /patient/family/{id}: a birth date or an age. The birth date takes precedence. */
export const familyFormOn = (today: DateKey) =>
  birthDateFirst(
    z
      .object({
        name,
        relation: z.preprocess(emptyAsNone, relationField),
        gender: z.preprocess(
          (value) => (typeof value === "string" ? value.toLowerCase() : value),
          z.enum(GENDERS, { error: () => m.family_gender_required() }),
        ),
        bloodGroup: z.preprocess(emptyAsNone, z.enum(BLOOD_GROUPS, { error: () => m.error_invalid() }).optional()),
        noAllergies: z.boolean().default(false),
        dateOfBirth: birthDateOn(today),
        age: z.preprocess(
          emptyAsNone,
          z
            .string()
            .trim()
            .overwrite(plainDigits)
            .regex(/^\d{1,3}$/, { error: () => m.family_age_invalid() })
            .transform(Number)
            .pipe(
              z
                .number()
                .min(1, { error: () => m.family_age_invalid() })
                .max(120, { error: () => m.family_age_invalid() }),
            )
            .optional(),
        ),
      })
      .refine((person) => person.dateOfBirth !== undefined || person.age !== undefined, {
        path: ["dateOfBirth"],
        error: () => m.family_age_required(),
        // Reported together with other errors, unless the date or the age is invalid itself.
        when: ageRequired.when,
      }),
  );
type Parsed = z.output<ReturnType<typeof familyFormOn>>;
/** Without `noAllergies` that stays as it is. */
export type FamilyForm = Omit<Parsed, "noAllergies"> & Partial<Pick<Parsed, "noAllergies">>;

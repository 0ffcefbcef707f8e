import { z } from "zod";
import { ageOn, type DateKey, dayFirst, isDateKey } from "#app/lib/dates.ts";
import { plainDigits } from "#app/lib/digits.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { nullAsNone } from "#app/lib/empty-as-none.ts";
import { m } from "#app/paraglide/messages.js";

const invalidAge = () => m.appointments_age_invalid();

/** An age in years of a form, 1 to 120 (spec 001 §5). */
export const ageField = z.preprocess(
  nullAsNone,
  z
    .string()
    .trim()
    .overwrite(plainDigits)
    .regex(/^\d{1,3}$/, { error: invalidAge })
    .transform(Number)
    .pipe(z.number().min(1, { error: invalidAge }).max(120, { error: invalidAge }))
    .optional(),
);

/** True for a birth date that a person alive today can have. */
const isBirthDate = (date: string, today: DateKey): boolean => isDateKey(date) && date <= today && ageOn(date, today) <= 120;
const dateText = () =>
  z
    .string()
    .trim()
    .overwrite((typed) => dayFirst(plainDigits(typed)));
const invalidBirthDate = () => m.own_birth_invalid();

/** A birth date of a form: a valid date, today or earlier, within 120 years. Optional. */
export const birthDateOn = (today: DateKey) =>
  z.preprocess(
    nullAsNone,
    dateText()
      .refine((date) => isBirthDate(date, today), { error: invalidBirthDate })
      .optional(),
  );
/** A birth date of a form whose command checks it with `requireBirthDate`. Optional. */
export const birthDateField = z.preprocess(nullAsNone, dateText().refine(isDateKey, { error: invalidBirthDate }).optional());
/** @throws DomainError("invalid") for a birth date after today or more than 120 years ago */
export function requireBirthDate(birthDate: DateKey | undefined, today: DateKey): void {
  if (birthDate !== undefined && !isBirthDate(birthDate, today))
    throw new DomainError("invalid", undefined, { fields: { dateOfBirth: [invalidBirthDate()] } });
}

/** Validates an object that may have `age` and `dateOfBirth`. A typed age beside a birth date is left out. */
export const birthDateFirst = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => {
    if (typeof value !== "object" || value === null || !("dateOfBirth" in value) || nullAsNone(value.dateOfBirth) === undefined)
      return value;
    return { ...value, age: undefined };
  }, schema);

type Checked = { value: unknown; issues: readonly { path?: readonly PropertyKey[] | undefined }[] };
/** A refinement: age or birth date is required. Reported together with other errors. */
export const isAgeGiven = ({ age, dateOfBirth }: { age?: number | undefined; dateOfBirth?: string | undefined }): boolean =>
  age !== undefined || dateOfBirth !== undefined;
export const ageRequired = {
  path: ["age"],
  error: () => m.appointments_fill_required(),
  // Not for a part of a call that is missing as a whole.
  when: ({ value, issues }: Checked) =>
    typeof value === "object" && value !== null && !issues.some(({ path }) => path?.[0] === "age" || path?.[0] === "dateOfBirth"),
};

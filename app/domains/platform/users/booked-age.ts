import { isSmallChild, specifiedYears } from "#app/lib/age.ts";
import { ageOn, type DateKey } from "#app/lib/dates.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";

/** Returns what an appointment stores of its patient's age: years on its day, and the birth date. @throws DomainError("invalid") without both */
export function bookedAge(
  { age, dateOfBirth }: { age?: number | undefined; dateOfBirth?: DateKey | undefined },
  on: DateKey,
): { age: number; birthDate: DateKey | null } {
  if (dateOfBirth !== undefined) return { age: specifiedYears(dateOfBirth, on), birthDate: dateOfBirth };
  if (age === undefined) throw new DomainError("invalid", undefined, { fields: { age: [m.appointments_fill_required()] } });
  return { age, birthDate: null };
}

/** Returns the fields of a form for a patient with a stored birth date: the age in years, or of a small child the birth date. */
export const fieldsOfBirthDate = (birthDate: DateKey, today: DateKey): { age: string } | { dateOfBirth: DateKey } =>
  isSmallChild(birthDate, today) ? { dateOfBirth: birthDate } : { age: String(ageOn(birthDate, today)) };

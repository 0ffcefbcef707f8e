import { ageAndSexWord } from "#app/domains/platform/users/age-words.ts";
import { ageAt } from "#app/lib/age.ts";
import type { DateKey } from "#app/lib/dates.ts";
import { formatPhone } from "#app/lib/phone.ts";
import type { KnownPerson } from "./known-person.ts";

/** "Lakshmi Devi, 46 years, female, 90000 00121" */
export const knownWord = ({ name, age, birthDate, gender, phone }: KnownPerson, today: DateKey): string =>
  [name, ageAndSexWord(age || birthDate ? ageAt(age ?? 0, birthDate, today) : null, gender), phone && formatPhone(phone)]
    .filter(Boolean)
    .join(", ");

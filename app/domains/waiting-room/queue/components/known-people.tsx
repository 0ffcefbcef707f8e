import type { DateKey } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { type Field, FieldError } from "#app/ui/form.tsx";
import { Pick } from "#app/ui/members/pick.tsx";
import { ANOTHER, chosenAtFirst, type KnownPerson, knownValue } from "../known-person.ts";
import { knownWord } from "../known-words.ts";

/** Asks which of the found patients is meant. Choosing one replaces the other fields of the form. */
export function KnownPeople({ field, people, today }: { field: Field; people: KnownPerson[]; today: DateKey }) {
  const chosen = field.errors ? undefined : field.initialValue || chosenAtFirst(people);
  return (
    <fieldset id={field.id} tabIndex={-1} className="field" aria-describedby={field.errors ? field.errorId : undefined}>
      <legend>{m.queue_who()}</legend>
      <FieldError field={field} />
      {people.map((person) => (
        <input key={knownValue(person)} type="hidden" name="shown" value={knownValue(person)} />
      ))}
      <div className="grid gap-2.5 *:min-w-0">
        {people.map((person) => {
          const value = knownValue(person);
          return (
            <Pick key={value} type="radio" name={field.name} value={value} defaultChecked={value === chosen} required>
              {knownWord(person, today)}
            </Pick>
          );
        })}
        <Pick type="radio" name={field.name} value={ANOTHER} defaultChecked={chosen === ANOTHER} required>
          {m.queue_another()}
        </Pick>
      </div>
    </fieldset>
  );
}

import { plainDigits } from "#app/lib/digits.ts";
import { m } from "#app/paraglide/messages.js";
import { type Field, TextField } from "#app/ui/form.tsx";
import { Note } from "#app/ui/pieces.tsx";

type Props = {
  field: Field;
  label: string;
  /** The field of the age in years, before this one. */
  age: Field;
  /** The latest birth date. */
  today: string;
};

/** The birth date of a small child, below the field of the age. A typed age of 0 opens it and asks for the date. */
export function BirthDateFold({ field, label, age, today }: Props) {
  const isBaby = typeof age.initialValue === "string" && /^\s*0+\s*$/.test(plainDigits(age.initialValue));
  return (
    <details className="field" open={isBaby || Boolean(field.errors || field.initialValue)}>
      <summary className="cursor-pointer py-3 font-bold text-brand">{m.age_birth_instead()}</summary>
      {isBaby && (
        <Note role="status" className="mb-3">
          {m.age_birth_needed()}
        </Note>
      )}
      <TextField field={field} label={label} hint={m.age_birth_hint()} type="date" max={today} autoComplete="off" />
    </details>
  );
}

import { MAX_LINE } from "#app/lib/text-limits.ts";
import { m } from "#app/paraglide/messages.js";
import { Button } from "#app/ui/button.tsx";
import { FieldError, looseField, TextField } from "#app/ui/form.tsx";
import { MAX_QUALIFICATIONS } from "../choices.ts";
import type { QualificationTyped } from "../draft.ts";
import { Part } from "./application-part.tsx";

/** Rows that are added and removed by posts. Each has a stable key, so that the others preserve their input. */
export function QualificationRows({ rows, errors }: { rows: QualificationTyped[]; errors: Record<string, string[]> }) {
  return (
    <Part title={m.application_part_qualifications()} id="qualifications">
      <FieldError field={{ errors: errors.qualifications, errorId: "professional-qualifications-error" }} />
      <ol className="mt-4 mb-3 grid gap-3" id="professional-qualifications">
        {rows.map((row, i) => {
          const field = (name: "degree" | "universityCollege" | "year") => {
            const path = `qualifications[${i}].${name}`;
            return looseField({ id: `professional-${path}`, name: path, value: row[name], errors: errors[path] });
          };
          return (
            <li key={row.key} className="card">
              <fieldset>
                <legend className="sr-only">{m.application_qualification_n({ n: String(i + 1) })}</legend>
                <input type="hidden" name={`qualifications[${i}].key`} value={row.key} />
                <TextField field={field("degree")} label={m.application_degree()} optional={i > 0} maxLength={MAX_LINE} />
                <TextField field={field("universityCollege")} label={m.application_college()} optional maxLength={200} />
                <TextField field={field("year")} label={m.application_qualification_year()} optional inputMode="numeric" maxLength={4} />
                {rows.length > 1 && (
                  <Button
                    type="submit"
                    variant="quiet"
                    size="sm"
                    icon="trash-2"
                    name="intent"
                    value={`remove-qualification:${row.key}`}
                    className="pl-0"
                    aria-label={m.application_qualification_remove_n({ n: String(i + 1) })}
                  >
                    {m.application_remove()}
                  </Button>
                )}
              </fieldset>
            </li>
          );
        })}
      </ol>
      {rows.length < MAX_QUALIFICATIONS && (
        <Button type="submit" variant="second" size="sm" icon="plus" name="intent" value="add-qualification">
          {m.application_qualification_add()}
        </Button>
      )}
    </Part>
  );
}

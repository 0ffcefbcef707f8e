import { RELATIONS } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { Checkbox, type Field, SelectField } from "#app/ui/form.tsx";
import { relationWord } from "../family.ts";

/**
 * The choice of the patient in the booking form. Each is a submit button (`intent=for:…`), so that other input is preserved, with
 * and without JavaScript.
 */
export function ForWhom({
  people,
  chosen,
  filledAt,
}: {
  people: { id: string; name: string }[];
  /** "me", "new" or an id. */
  chosen: string;
  filledAt: string | undefined;
}) {
  const choices = [{ id: "me", name: m.family_for_me() }, ...people, { id: "new", name: m.family_for_new() }];
  return (
    <fieldset className="field" id="booking-who">
      <legend>{m.family_for()}</legend>
      <input type="hidden" name="forWhom" value={chosen} />
      {filledAt && <input type="hidden" name="filledAt" value={filledAt} />}
      <div className="row flex-wrap">
        {choices.map(({ id, name }) => (
          <button
            key={id}
            type="submit"
            name="intent"
            value={`for:${id}`}
            className="chip"
            aria-current={id === chosen ? "true" : undefined}
          >
            {name}
          </button>
        ))}
      </div>
    </fieldset>
  );
}

/** Fields to store a new family member. */
export const RememberPerson = ({ relation, remember }: { relation: Field; remember: Field }) => (
  <>
    <SelectField
      field={relation}
      label={m.family_relation()}
      optional
      placeholder={m.family_relation_choose()}
      options={RELATIONS.map((value) => ({ value, label: relationWord(value) }))}
    />
    <Checkbox field={remember} label={m.family_remember()} />
  </>
);

import { languageWord } from "#app/domains/directory/doctors/names.ts";
import { LANGUAGE_CHOICES } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { FieldError, looseField, TextField } from "#app/ui/form.tsx";
import { Pick } from "#app/ui/members/pick.tsx";
import { Part } from "./application-part.tsx";

/** Checkboxes of languages, and a text field for others. */
export function LanguagePicks({ chosen, error }: { chosen: string[]; error: string[] | undefined }) {
  const known: readonly string[] = LANGUAGE_CHOICES;
  return (
    <Part title={m.application_part_languages()}>
      <fieldset className="field" id="professional-languages" tabIndex={-1}>
        <legend className="sr-only">{m.application_part_languages()}</legend>
        <div className="grid gap-2.5 *:min-w-0 grid-cols-[repeat(auto-fill,minmax(min(100%,8.75rem),1fr))]">
          {LANGUAGE_CHOICES.map((language) => (
            <Pick look="small" key={language} type="checkbox" name="languages" value={language} defaultChecked={chosen.includes(language)}>
              {languageWord(language)}
            </Pick>
          ))}
        </div>
        <FieldError field={{ errors: error, errorId: "professional-languages-error" }} />
      </fieldset>
      <TextField
        field={looseField({
          id: "other-languages",
          name: "otherLanguages",
          value: chosen.filter((language) => !known.includes(language)).join(", "),
        })}
        label={m.application_other_languages()}
        optional
        maxLength={300}
        placeholder={m.application_other_languages_hint()}
      />
    </Part>
  );
}

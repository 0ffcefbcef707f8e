import { m } from "#app/paraglide/messages.js";
import { FieldError, TextField } from "#app/ui/form.tsx";
import { Pick } from "#app/ui/members/pick.tsx";
import { subjectOptions } from "../words.ts";

type Field = Parameters<typeof TextField>[0]["field"];

/** Address, note and events of an endpoint. */
export function WebhookFields({ url, label, subjects }: { url: Field; label: Field; subjects: Field }) {
  // A single choice comes back from the server as a text.
  const chosen = [subjects.initialValue ?? []].flat() as string[];
  return (
    <>
      <TextField
        field={url}
        label={m.hooks_url()}
        hint={m.hooks_url_hint()}
        inputMode="url"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        maxLength={500}
      />
      <TextField
        field={label}
        label={m.hooks_description()}
        hint={m.hooks_description_hint()}
        optional
        autoComplete="off"
        maxLength={100}
      />
      <fieldset className="field" id={subjects.id} tabIndex={-1}>
        <legend>{m.hooks_subjects()}</legend>
        {subjectOptions().map(({ value, label }) => (
          <Pick key={value} look="plain" type="checkbox" name={subjects.name} value={value} defaultChecked={chosen.includes(value)}>
            {label}
          </Pick>
        ))}
        <FieldError field={subjects} />
      </fieldset>
    </>
  );
}

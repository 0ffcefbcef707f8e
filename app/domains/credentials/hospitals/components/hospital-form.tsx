import type { SubmissionResult } from "@conform-to/react";
import { accessWord, hospitalKindWord } from "#app/domains/directory/hospitals/words.ts";
import { MAX_EMAIL, MAX_LINE } from "#app/lib/text-limits.ts";
import { HOSPITAL_ACCESS, HOSPITAL_CATEGORIES } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { Form, SelectField, SubmitButton, TextArea, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Pick } from "#app/ui/members/pick.tsx";
import { Optional } from "#app/ui/pieces.tsx";

export type HospitalFields = {
  name: string;
  category: string;
  address: string;
  area: string;
  city: string;
  state: string;
  pinCode: string;
  phone: string;
  email: string;
  workingHours: string;
  about: string;
  access: string[];
};

/** Form of a hospital. `seen`: the version it was rendered from; empty for a new one. */
export function HospitalForm({
  seen,
  states,
  defaults,
  result,
  button,
}: {
  seen: string;
  states: string[];
  defaults?: HospitalFields;
  result: SubmissionResult<string[]> | undefined;
  button: string;
}) {
  const [form, fields] = useNadiForm<HospitalFields>({
    id: "hospital",
    lastResult: result ?? null,
    ...(defaults ? { defaultValue: defaults } : {}),
  });
  // A single choice comes back from the server as a text.
  const known = [fields.access.initialValue ?? []].flat() as string[];
  return (
    <Form form={form} className="card">
      <input type="hidden" name="seen" value={seen} />
      <TextField field={fields.name} label={m.admin_hospital_name()} maxLength={200} autoComplete="off" />
      <SelectField
        field={fields.category}
        label={m.admin_hospital_category()}
        options={HOSPITAL_CATEGORIES.map((value) => ({ value, label: hospitalKindWord(value) }))}
      />
      <TextArea field={fields.address} label={m.admin_hospital_address()} maxLength={400} rows={2} />
      <TextField field={fields.area} label={m.admin_hospital_area()} optional maxLength={80} />
      <TextField field={fields.city} label={m.admin_hospital_city()} maxLength={80} />
      <SelectField
        field={fields.state}
        label={m.admin_hospital_state()}
        placeholder={m.hospitals_hospital_state_choose()}
        options={states.map((value) => ({ value, label: value }))}
      />
      <TextField field={fields.pinCode} label={m.admin_hospital_pin()} optional inputMode="numeric" maxLength={8} />
      <TextField field={fields.phone} label={m.admin_hospital_phone()} optional type="tel" maxLength={30} />
      <TextField field={fields.email} label={m.admin_hospital_email()} optional type="email" maxLength={MAX_EMAIL} />
      <TextField field={fields.workingHours} label={m.admin_hospital_hours()} optional maxLength={MAX_LINE} />
      <TextArea field={fields.about} label={m.admin_hospital_about()} optional maxLength={2000} />
      <fieldset className="field" id={fields.access.id} tabIndex={-1}>
        <legend>
          {m.directory_access()} <Optional />
        </legend>
        <span className="hint">{m.hospitals_access_hint()}</span>
        {HOSPITAL_ACCESS.map((value) => (
          <Pick key={value} look="plain" type="checkbox" name={fields.access.name} value={value} defaultChecked={known.includes(value)}>
            {accessWord(value)}
          </Pick>
        ))}
      </fieldset>
      <SubmitButton full className="mt-3">
        {button}
      </SubmitButton>
    </Form>
  );
}

import { genderOptions } from "#app/domains/platform/users/gender.ts";
import { MAX_LINE } from "#app/lib/text-limits.ts";
import { BLOOD_GROUPS, RELATIONS } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { Checkbox, Form, RadioPicks, SelectField, SubmitButton, TextField, useNadiForm } from "#app/ui/form.tsx";
import { Dock } from "#app/ui/shell.tsx";
import type { FamilyForm as FamilyFields } from "../family.schema.ts";
import { type FamilyMember, relationWord } from "../family.ts";

const valuesOf = (person: FamilyMember) => ({
  name: person.name,
  relation: person.relation,
  gender: person.gender,
  dateOfBirth: person.dateOfBirth ?? "",
  age: person.dateOfBirth === null && person.age > 0 ? String(person.age) : "",
  bloodGroup: person.bloodGroup ?? "",
  noAllergies: person.noAllergies,
});

/** The form of a family member, to add and to edit. `today`: the latest birth date. */
export function FamilyForm({
  person,
  today,
  result,
}: {
  person?: FamilyMember;
  today: string;
  result: Parameters<typeof useNadiForm>[0]["lastResult"];
}) {
  const [form, fields] = useNadiForm<FamilyFields>({
    id: "person",
    lastResult: result ?? null,
    defaultValue: person && valuesOf(person),
  });
  return (
    <Form form={form}>
      <TextField field={fields.name} label={m.family_name()} autoComplete="off" maxLength={MAX_LINE} required />
      <SelectField
        field={fields.relation}
        label={m.family_relation()}
        placeholder={m.family_relation_choose()}
        required
        options={RELATIONS.map((value) => ({ value, label: relationWord(value) }))}
      />
      <RadioPicks field={fields.gender} label={m.family_gender()} columns options={genderOptions()} />
      <fieldset className="field" aria-describedby="person-age-one">
        <legend>{m.family_age_group()}</legend>
        <p className="hint" id="person-age-one">
          {m.family_age_one()}
        </p>
        <div className="card">
          <TextField
            field={fields.dateOfBirth}
            label={m.family_birth()}
            hint={m.family_birth_hint()}
            type="date"
            max={today}
            autoComplete="off"
          />
          <TextField field={fields.age} label={m.family_age()} hint={m.family_age_hint()} inputMode="numeric" maxLength={3} />
        </div>
      </fieldset>
      <SelectField
        field={fields.bloodGroup}
        label={m.family_blood_group()}
        optional
        placeholder={m.family_unknown()}
        options={BLOOD_GROUPS.map((value) => ({ value, label: value }))}
      />
      <Checkbox field={fields.noAllergies} label={m.own_no_allergies()} />
      <Dock>
        <SubmitButton full size="lg" pendingText={m.family_saving()}>
          {m.family_save()}
        </SubmitButton>
      </Dock>
    </Form>
  );
}

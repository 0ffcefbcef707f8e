import { memberRoleWord } from "#app/domains/places/members/words.ts";
import { OFFERED_ROLES } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { RadioPicks } from "#app/ui/form.tsx";
import { Pick } from "#app/ui/members/pick.tsx";
import { Optional } from "#app/ui/pieces.tsx";

type Field = Parameters<typeof RadioPicks>[0]["field"];

/** Role and doctors of a member. */
export function MemberFields({ role, doctorIds, doctors }: { role: Field; doctorIds: Field; doctors: { id: string; name: string }[] }) {
  // A single choice comes back from the server as a text.
  const known = [doctorIds.initialValue ?? []].flat() as string[];
  const hint = { owner: m.clinic_role_owner_hint(), reception: m.clinic_role_reception_hint(), billing: m.clinic_role_billing_hint() };
  return (
    <>
      <RadioPicks
        field={role}
        label={m.clinic_role()}
        options={OFFERED_ROLES.map((value) => ({ value, label: `${memberRoleWord(value)}: ${hint[value]}` }))}
      />
      {doctors.length > 1 && (
        <fieldset className="field" id={doctorIds.id} tabIndex={-1}>
          <legend>
            {m.clinic_acts_for()} <Optional />
          </legend>
          <span className="hint">{m.clinic_acts_for_hint()}</span>
          {doctors.map(({ id, name }) => (
            <Pick key={id} look="plain" type="checkbox" name={doctorIds.name} value={id} defaultChecked={known.includes(id)}>
              {name}
            </Pick>
          ))}
        </fieldset>
      )}
    </>
  );
}

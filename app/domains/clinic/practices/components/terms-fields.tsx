import { SLOT_LENGTHS } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { type Field, SelectField, TextField } from "#app/ui/form.tsx";
import { MAX_SEATS } from "../hours.ts";

/** The fee of a practice. The first practice has that of the profile. */
export const FeeField = ({ field }: { field: Field }) => (
  <TextField field={field} label={m.practices_fee()} hint={m.practices_fee_hint()} optional inputMode="numeric" maxLength={12} />
);

/** Length of a time and patients per time. */
export function TermsFields({ slotMinutes, patientsPerSlot }: { slotMinutes: Field; patientsPerSlot: Field }) {
  return (
    <>
      <SelectField
        field={slotMinutes}
        label={m.practices_length()}
        options={SLOT_LENGTHS.map((minutes) => ({ value: String(minutes), label: m.practices_minutes({ count: minutes }) }))}
      />
      <SelectField
        field={patientsPerSlot}
        label={m.practices_seats()}
        hint={m.practices_seats_hint()}
        options={Array.from({ length: MAX_SEATS }, (_, i) => ({ value: String(i + 1), label: String(i + 1) }))}
      />
    </>
  );
}

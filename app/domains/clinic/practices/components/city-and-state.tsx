import { STATES } from "#app/domains/platform/location/states.ts";
import { m } from "#app/paraglide/messages.js";
import { type Field, SelectField, TextField } from "#app/ui/form.tsx";

/** City and state of a place that a doctor enters. */
export const CityAndState = ({ city, state }: { city: Field; state: Field }) => (
  <>
    <TextField field={city} label={m.admin_hospital_city()} autoComplete="address-level2" maxLength={80} required />
    <SelectField
      field={state}
      label={m.admin_hospital_state()}
      placeholder={m.hospitals_hospital_state_choose()}
      options={STATES.map((value) => ({ value, label: value }))}
    />
  </>
);

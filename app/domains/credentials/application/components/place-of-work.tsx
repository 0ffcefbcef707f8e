import { STATES } from "#app/domains/platform/location/states.ts";
import { m } from "#app/paraglide/messages.js";
import { Button } from "#app/ui/button.tsx";
import { type Field, TextField } from "#app/ui/form.tsx";
import { Part } from "./application-part.tsx";

type City = { id: number; name: string; state: string; displayName: string };

type Props = {
  city: Field;
  state: Field;
  cities: City[];
  places: City[];
  searched: boolean;
};

/** City and state. A city of the list sets the state. Without JavaScript the server does. */
export function PlaceOfWork({ city, state, cities, places, searched }: Props) {
  // The fields are uncontrolled, so the values are written to the elements.
  const put = (place: City | undefined) => {
    for (const [field, value] of [
      [city, place?.name],
      [state, place?.state],
    ] as const) {
      const input = document.getElementById(field.id);
      if (value !== undefined && input instanceof HTMLInputElement) input.value = value;
    }
  };
  return (
    <Part title={m.application_part_place()} id="place">
      <TextField
        field={city}
        label={m.application_city()}
        hint={m.application_city_hint()}
        list="cities"
        autoComplete="address-level2"
        maxLength={80}
        onInput={(event) => put(cities.find((c) => c.displayName === event.currentTarget.value))}
        required
      />
      <datalist id="cities">
        {cities.map((c) => (
          <option key={c.id} value={c.displayName} />
        ))}
      </datalist>
      {places.length > 0 && <PlaceChoice places={places} onChoose={put} />}
      {searched && places.length === 0 && <p className="text-sm text-ink-soft">{m.application_city_unknown()}</p>}
      <Button type="submit" variant="quiet" size="sm" icon="search" name="intent" value="find-city" className="pl-0">
        {m.application_city_find()}
      </Button>
      <TextField field={state} label={m.application_state()} list="states" autoComplete="address-level1" maxLength={80} required />
      <datalist id="states">
        {STATES.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </Part>
  );
}

function PlaceChoice({ places, onChoose }: { places: City[]; onChoose: (place: City) => void }) {
  return (
    <div className="field">
      <p className="text-sm text-ink-soft">{m.application_city_which()}</p>
      <p className="row flex-wrap">
        {places.map((place) => (
          <Button
            key={place.id}
            type="submit"
            variant="second"
            size="sm"
            name="intent"
            value={`place:${place.id}`}
            onClick={() => onChoose(place)}
          >
            {place.displayName}
          </Button>
        ))}
      </p>
    </div>
  );
}

import { href } from "react-router";
import { directionsTo } from "#app/domains/directory/hospitals/places.ts";
import { formatRupees } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, LinkButton } from "#app/ui/button.tsx";

export type DoctorPlace = {
  practiceId: string;
  name: string | null;
  address: string | null;
  city: string;
  /** null for a place without a public page. */
  hospitalId: string | null;
  fee: number | null;
  latitude: number | null;
  longitude: number | null;
};

/** The fee of a doctor, or from the lowest to the highest of several places. */
export function feeOfPlaces(places: readonly Pick<DoctorPlace, "fee">[]): string {
  const fees = places.flatMap(({ fee }) => (fee === null ? [] : [fee]));
  if (!fees.length) return m.doctors_fee_unknown();
  const [least, most] = [Math.min(...fees), Math.max(...fees)];
  return least === most ? formatRupees(least) : `${formatRupees(least)}–${formatRupees(most)}`;
}

/** Each place where a doctor sees patients, with its fee and a way to its free times. */
export const DoctorPlaces = ({ doctorId, places }: { doctorId: string; places: readonly DoctorPlace[] }) => (
  <section aria-labelledby="places">
    <h2 id="places" className="mb-3">
      {m.doctors_places()}
    </h2>
    <ul className="space-y-4">
      {places.map((place) => {
        const name = place.name ?? place.city;
        return (
          <li key={place.practiceId} className="card">
            <h3>
              {place.hospitalId ? (
                <AnyLink className="inline-flex items-center min-h-target-min" to={href("/hospital/:id", { id: place.hospitalId })}>
                  {name}
                </AnyLink>
              ) : (
                name
              )}
            </h3>
            <p className="text-sm text-ink-soft">
              {place.address?.includes(place.city) ? place.address : [place.address, place.city].filter(Boolean).join(", ")}
            </p>
            <p className="mt-2">
              <span className="sr-only">{m.appointments_fee()} </span>
              <b className="num">{place.fee === null ? m.doctors_fee_unknown() : formatRupees(place.fee)}</b>
            </p>
            <p className="row flex-wrap mt-2">
              <LinkButton
                to={`${href("/patient/appointments/datetime")}?${new URLSearchParams({ doctorId, practiceId: place.practiceId })}`}
                variant="second"
                className="grow"
                aria-label={m.doctors_book_at({ place: name })}
              >
                {m.doctors_book_here()}
              </LinkButton>
              {place.address && (
                <LinkButton
                  to={directionsTo({ ...place, name, address: place.address })}
                  variant="second"
                  className="grow"
                  icon="map-pin"
                  target="_blank"
                  rel="noopener"
                >
                  {m.directory_directions()}
                </LinkButton>
              )}
            </p>
          </li>
        );
      })}
    </ul>
  </section>
);

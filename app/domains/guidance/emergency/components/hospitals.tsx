import type { EmergencyHospital } from "#app/db/schema/index.ts";
import { m } from "#app/paraglide/messages.js";
import { IconButton, LinkButton } from "#app/ui/button.tsx";
import { Countdown, Seconds } from "#app/ui/states.tsx";
import { readableNumber } from "../dialable.ts";
import { distanceWord } from "../words.ts";
import { Flow, FlowItem } from "./flow.tsx";

const wayTo = ({ at }: EmergencyHospital) =>
  at ? `https://www.google.com/maps/dir/?api=1&destination=${at.latitude},${at.longitude}` : null;

/** The current hospital: its number to call, and the seconds until the next one. */
export function HospitalNow({ hospital, index, total, left }: { hospital: EmergencyHospital; index: number; total: number; left: number }) {
  const way = wayTo(hospital);
  return (
    <div className="space-y-4">
      <Countdown key={`${index}-${left}`} left={left} className="row items-start pt-2">
        <p className="relative grid size-28 flex-none place-items-center text-[2.25rem] leading-none font-bold num max-[24rem]:size-20 max-[24rem]:text-[1.75rem]">
          <svg className="absolute inset-0 size-full -rotate-90 fill-none stroke-line stroke-4" viewBox="0 0 40 40" aria-hidden="true">
            <circle cx="20" cy="20" r="17" />
            <circle className="animate-drain stroke-sos [stroke-dasharray:100]" cx="20" cy="20" r="17" pathLength="100" />
          </svg>
          <Seconds left={left} />
          <span className="sr-only"> {m.emergency_seconds_left()}</span>
        </p>
        <div className="grow wrap-anywhere">
          <p className="text-sm">
            <b>
              {index === 0
                ? m.emergency_contacting({ total: String(total) })
                : m.emergency_now({ number: String(index + 1), total: String(total) })}
            </b>
          </p>
          <h2 id="now">{hospital.name}</h2>
          <p>{hospital.address}</p>
          {hospital.distance !== null && <p className="text-sm text-ink-soft">{distanceWord(hospital.distance, hospital.fromCentre)}</p>}
        </div>
      </Countdown>
      {hospital.phone ? (
        <>
          <LinkButton to={`tel:${hospital.phone}`} variant="danger" size="lg" full icon="phone-call">
            {m.emergency_call({ phone: readableNumber(hospital.phone) })}
          </LinkButton>
          <p className="text-sm text-ink-soft">{index + 1 < total ? m.emergency_contacting_explain() : m.emergency_contacting_last()}</p>
        </>
      ) : (
        <p>{m.emergency_contacting_no_phone()}</p>
      )}
      <Doubts of={hospital} />
      {way && (
        <LinkButton to={way} variant="second" full icon="map-pin">
          {m.emergency_go_there()}
        </LinkButton>
      )}
    </div>
  );
}

/** Warnings about an unverified number or hospital. */
function Doubts({ of, short }: { of: EmergencyHospital; short?: boolean }) {
  if (of.isDemo) return <p className="text-sm text-ink-soft">{short ? m.emergency_demo_short() : m.emergency_demo()}</p>;
  return of.phone && !of.phoneVerified ? <p className="text-sm text-ink-soft">{m.emergency_unverified()}</p> : null;
}

/**
 * Lists hospitals with their numbers. `current`, whose turn it is, is left out: those to come are first, then those before it,
 * which can be called again.
 */
export function HospitalList({ hospitals, current = -1 }: { hospitals: readonly EmergencyHospital[]; current?: number }) {
  const places = [...hospitals.keys()];
  return (
    <Flow>
      {[...places.slice(current + 1), ...places.slice(0, Math.max(0, current))].map((place) => {
        const hospital = hospitals[place]!;
        const way = wayTo(hospital);
        return (
          <FlowItem key={place} number={place + 1} action={<CallOrGo hospital={hospital} way={way} />}>
            <h3>{hospital.name}</h3>
            <p className="text-sm text-ink-soft">{hospital.address}</p>
            {hospital.distance !== null && <p className="text-sm text-ink-soft">{distanceWord(hospital.distance, hospital.fromCentre)}</p>}
            {current >= 0 && place === current + 1 && <p className="text-sm text-ink-soft">{m.emergency_next()}</p>}
            {place < current && <p className="text-sm text-ink-soft">{m.emergency_again()}</p>}
            <Doubts of={hospital} short />
          </FlowItem>
        );
      })}
    </Flow>
  );
}

/** Calls a hospital of the list, or shows the way to one without a number. */
function CallOrGo({ hospital: { name, phone }, way }: { hospital: EmergencyHospital; way: string | null }) {
  if (phone) return <CallButton name={name} phone={phone} />;
  return way && <IconButton to={way} icon="map-pin" label={m.emergency_go_there_hospital({ name })} />;
}
export const CallButton = ({ name, phone }: { name: string; phone: string }) => (
  <IconButton
    to={`tel:${phone}`}
    icon="phone"
    label={m.emergency_call_hospital({ name })}
    className="rounded-full border-2 border-sos text-sos-strong"
  />
);

import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Note } from "#app/ui/pieces.tsx";
import { distanceWord } from "../words.ts";

/** Below a search field with danger words, above the results: 108, 112 and the nearest hospital with emergency care. */
export function SearchDanger({ danger }: { danger: { hospital: { name: string; phone: string; km: number | null } | null } | undefined }) {
  if (!danger) return null;
  const { hospital } = danger;
  return (
    <Note tone="bad" icon="siren" role="alert" className="mt-2 mb-3 flex-wrap">
      <div className="space-y-1">
        <p>
          <b>{m.enquiry_emergency()}</b>
        </p>
        <p className="row flex-wrap">
          <LinkButton to="tel:108" variant="sos" className="wrap-anywhere">
            {m.emergency_dialog_108()}
          </LinkButton>
          <LinkButton to="tel:112" variant="danger" className="wrap-anywhere">
            {m.emergency_dialog_112()}
          </LinkButton>
        </p>
        {hospital && (
          <div className="row flex-wrap" data-hospital>
            <p className="grow">
              <b>{hospital.name}</b>
              <br />
              <span className="text-sm">
                {[m.emergency_nearest(), hospital.km === null ? null : distanceWord(hospital.km * 1000)].filter(Boolean).join(", ")}
              </span>
            </p>
            <LinkButton to={`tel:${hospital.phone}`} variant="danger" size="sm" icon="phone">
              {m.emergency_call_hospital({ name: hospital.name })}
            </LinkButton>
          </div>
        )}
        <p className="text-sm">{m.emergency_not_urgent()}</p>
      </div>
    </Note>
  );
}

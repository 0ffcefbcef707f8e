import { href } from "react-router";
import { Rating } from "#app/domains/directory/components/rating.tsx";
import { specialtyWord } from "#app/domains/directory/doctors/names.ts";
import { kmWord } from "#app/domains/directory/km-word.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import { Icon } from "#app/ui/icon.tsx";
import { Card, GoLink, Meta, MetaLine } from "#app/ui/pieces.tsx";
import { FavouriteButton } from "../../favourites/components/favourites.tsx";
import type { HospitalCard as Hospital } from "../hospital-card.ts";
import { BuildingPicture } from "./building-picture.tsx";

/** Spec 001 §9: specialties on a card before "+N more". */
const NAMED = 2;

/** Fields of a card. Lists have more. */
type Shown = Omit<Hospital, "kind" | "area" | "city" | "doctors">;

/**
 * A hospital in a list. The whole card links to its page. A drawing replaces the photo. `favourite`: whether it is one; undefined:
 * no heart (outside the patient frame).
 */
export function HospitalCard({ hospital, favourite, id }: { hospital: Shown; favourite?: boolean; id?: string }) {
  const more = hospital.specialties.length - NAMED;
  return (
    <Card kind="hos" id={id}>
      <div className="row items-start">
        <BuildingPicture drawing={hospital.drawing} />
        <div className="grow">
          <h3>
            <GoLink to={href("/hospital/:id", { id: hospital.id })}>{hospital.name}</GoLink>
          </h3>
          <p className="text-sm text-ink-soft">
            {[hospital.address, hospital.distanceKm === null ? "" : m.doctors_distance({ km: kmWord(hospital.distanceKm) })]
              .filter(Boolean)
              .join(", ")}
          </p>
          {hospital.phone && (
            <MetaLine>
              <Meta icon="phone">
                <span className="num">{formatPhone(hospital.phone)}</span>
              </Meta>
            </MetaLine>
          )}
          <Rating rating={hospital.rating} />
        </div>
        {favourite !== undefined && <FavouriteButton kind="hospital" id={hospital.id} name={hospital.name} on={favourite} />}
      </div>
      <p className="foot text-sm text-ink-soft">
        <span className="grow">
          {hospital.specialties.slice(0, NAMED).map(specialtyWord).join(", ")} {more > 0 && <b>{m.directory_more({ count: more })}</b>}
        </span>{" "}
        <span className="inline-flex items-center gap-1.5 text-sm font-bold text-brand-strong">
          {m.directory_view_details()} <Icon name="chevron-right" small />
        </span>
      </p>
    </Card>
  );
}

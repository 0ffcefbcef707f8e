import { href } from "react-router";
import { Rating } from "#app/domains/directory/components/rating.tsx";
import { kmWord } from "#app/domains/directory/km-word.ts";
import type { Rating as RatingOf } from "#app/domains/directory/rating.ts";
import { formatRupees } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Card, Disc, GoLink, Meta, MetaLine } from "#app/ui/pieces.tsx";
import { FavouriteButton } from "../../favourites/components/favourites.tsx";
import { freeWord } from "../free-word.ts";
import { specialtyWord } from "../names.ts";
import { photoPath } from "../photo.ts";
import { BookingTimes } from "./times.tsx";

export type DoctorCardProps = {
  doctor: {
    id: string;
    name: string;
    specialization: string;
    experienceYears: number;
    fee: number | null;
    area: string;
    city: string;
    photo: string | null;
    rating: RatingOf;
    distanceKm: number | null;
    nextFree: { date: string; time: string } | null;
    practiceId?: string;
  };
  today: string;
  /** Whether it is a favourite. Undefined: no heart (outside the patient frame). */
  favourite?: boolean;
  /** Anchor of a link into a long list. */
  id?: string;
  /** Shows a button to the free times. */
  book?: boolean;
  /** Links to the booking of these times, instead of the next one as text. */
  times?: { date: string; time: string }[];
};

/** A doctor in a list. The whole card links to the doctor's page. */
export function DoctorCard({ doctor, today, favourite, id, book, times = [] }: DoctorCardProps) {
  return (
    <Card kind="doc" id={id}>
      <div className="row items-start">
        <Disc id={doctor.id} name={doctor.name} photo={photoPath(doctor.photo)} />
        <div className="grow">
          <h3>
            <GoLink to={href("/details/doctor/:id", { id: doctor.id })}>{doctor.name}</GoLink>
          </h3>
          <p className="text-sm text-ink-soft">
            {m.doctors_what({ specialization: specialtyWord(doctor.specialization), years: doctor.experienceYears })}
          </p>
          <MetaLine>
            <Meta icon="map-pin">{placeOf(doctor)}</Meta>
          </MetaLine>
          {times.length > 0 ? (
            <div className="flex flex-wrap items-center gap-x-2">
              <Rating rating={doctor.rating} /> <span className="ml-auto">{feeOf(doctor)}</span>
            </div>
          ) : (
            <Rating rating={doctor.rating} />
          )}
        </div>
        {favourite !== undefined && <FavouriteButton kind="doctor" id={doctor.id} name={doctor.name} on={favourite} />}
      </div>
      {times.length > 0 ? (
        <BookingTimes doctorId={doctor.id} times={times} today={today} className="relative z-1 mt-3" />
      ) : (
        <CardFoot doctor={doctor} today={today} book={book} />
      )}
    </Card>
  );
}

const feeOf = ({ fee }: DoctorCardProps["doctor"]) =>
  fee === null ? (
    <b>{m.appointments_fee_of({ fee: m.doctors_fee_unknown() })}</b>
  ) : (
    <b className="num">
      <span className="sr-only">{m.appointments_fee()} </span>
      {formatRupees(fee)}
    </b>
  );

function CardFoot({ doctor, today, book }: Pick<DoctorCardProps, "doctor" | "today"> & { book: boolean | undefined }) {
  return (
    <p className="foot">
      {doctor.nextFree ? (
        <span className="inline-flex grow items-center gap-1.5 text-sm font-bold text-brand-strong">
          <Icon name="clock" small />
          {freeWord(doctor.nextFree, today)}
        </span>
      ) : (
        <span className="text-sm text-ink-soft grow">{m.doctors_no_free()}</span>
      )}{" "}
      {feeOf(doctor)}
      {book && (
        <LinkButton
          to={`${href("/patient/appointments/datetime")}?doctorId=${doctor.id}${doctor.practiceId ? `&practiceId=${doctor.practiceId}` : ""}`}
          size="sm"
          full
        >
          {m.doctors_book_now()}
        </LinkButton>
      )}
    </p>
  );
}

const placeOf = ({ area, city, distanceKm }: DoctorCardProps["doctor"]) =>
  [area, city].filter(Boolean).join(", ") + (distanceKm === null ? "" : `, ${m.doctors_distance({ km: kmWord(distanceKm) })}`);

import type { ReactNode } from "react";
import { href, redirect } from "react-router";
import { requiresPrepayment } from "#app/domains/booking/cancellation/policies.server.ts";
import { DoctorReviews, reviewPageOf } from "#app/domains/booking/reviews/components/doctor-reviews.tsx";
import { listDoctorReviews } from "#app/domains/booking/reviews/queries.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import { Rating } from "#app/domains/directory/components/rating.tsx";
import { BookingTimes } from "#app/domains/directory/doctors/components/times.tsx";
import { freeWord } from "#app/domains/directory/doctors/free-word.ts";
import { languageWord, specialtyWord } from "#app/domains/directory/doctors/names.ts";
import { photoPath } from "#app/domains/directory/doctors/photo.ts";
import { listPracticesOfDoctor } from "#app/domains/directory/doctors/practices-of-doctor.server.ts";
import { getPublicDoctor } from "#app/domains/directory/doctors/queries.server.ts";
import { FavouritesLink } from "#app/domains/directory/favourites/components/favourite-item.tsx";
import { FavouriteButton } from "#app/domains/directory/favourites/components/favourites.tsx";
import { favouritesAmong } from "#app/domains/directory/favourites/queries.server.ts";
import { BuildingPicture } from "#app/domains/directory/hospitals/components/building-picture.tsx";
import { type DoctorPlace, DoctorPlaces, feeOfPlaces } from "#app/domains/directory/hospitals/components/doctor-places.tsx";
import { HospitalMap } from "#app/domains/directory/hospitals/components/hospital-map.tsx";
import { directionsTo } from "#app/domains/directory/hospitals/places.ts";
import { doctorEntry } from "#app/domains/directory/search/schema-org.ts";
import { doctorCardPath } from "#app/domains/directory/share-cards/content.server.ts";
import { findByShortName } from "#app/domains/directory/short-names/short-names.server.ts";
import { ON_TIME_MINUTES, ON_TIME_SESSIONS } from "#app/domains/waiting-room/figures/figures.ts";
import { getPunctuality } from "#app/domains/waiting-room/figures/queries.server.ts";
import { loadOpen } from "#app/http/open-load.server.ts";
import { publicPage } from "#app/http/public-page.ts";
import { withUnavailableMessage } from "#app/http/refusals.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { whatsAppShare } from "#app/lib/whatsapp-share.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { AnyLink, LinkButton } from "#app/ui/button.tsx";
import { classes } from "#app/ui/class-names.ts";
import type { PageHandle } from "#app/ui/document.tsx";
import { Icon, type IconName } from "#app/ui/icon.tsx";
import { DetailColumns, Disc, Facts, Meta, MetaLine, SectionHead } from "#app/ui/pieces.tsx";
import { Dock, Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/doctor-detail.ts";

export const handle = { cache: 15, bar: false, map: true } satisfies PageHandle;

/** `/details/doctor/{id}` and `/d/{slug}`. The first is the canonical address of both (app/domains/directory/short-names). */
export const loader = loadOpen((ctx, { params, url }: Route.LoaderArgs) =>
  withUnavailableMessage(m.directory_failed_doctor, async () => {
    const { severalPlaces, ...doctor } = await getPublicDoctor(ctx, "slug" in params ? await idOf(ctx, params.slug, url) : params.id);
    const [places, reviews, liked, punctual, isPrepaid] = await Promise.all([
      severalPlaces ? placesOf(ctx, doctor.id) : [],
      listDoctorReviews(ctx, { doctorId: doctor.id, page: reviewPageOf(url.searchParams), rating: doctor.rating }),
      favouritesAmong(ctx, [doctor.id]),
      getPunctuality(ctx, doctor.id),
      requiresPrepayment(ctx, { doctorId: doctor.id, practiceId: null }),
    ]);
    const { appUrl, maps } = env();
    const address = `${appUrl.origin}/details/doctor/${doctor.id}`;
    const photo = photoPath(doctor.photo);
    return {
      doctor,
      ...(places.length > 1 && { places }),
      reviews,
      liked: liked.has(doctor.id),
      punctual,
      // Of several places each has its own rule, which the page of times names.
      howToPay: howToPay(ctx, places.length > 1 ? null : isPrepaid),
      today: todayInIndia(ctx.now),
      origin: appUrl.origin,
      mapKey: maps.browserKey ?? null,
      // For crawlers, which have no account.
      ...(!ctx.actor && {
        open: { url: address, card: doctorCardPath(doctor), data: doctorEntry(doctor, address, photo && appUrl.origin + photo) },
      }),
    };
  }),
);

/** Returns how the fee is paid. `isPrepaid`: null for several places, each with its own rule. */
function howToPay(ctx: Ctx, isPrepaid: boolean | null): string {
  if (!ctx.integrations.payments) return m.doctors_pay_how();
  return isPrepaid === null ? "" : isPrepaid ? m.doctors_pay_online() : m.doctors_pay_online_or();
}

/** Returns the id of a doctor's short name. Old names redirect to the current one. */
async function idOf(ctx: Ctx, slug: string | undefined, { search }: URL): Promise<string> {
  const found = await findByShortName(ctx, "doctor", slug);
  if (found.slug !== slug) throw redirect(href("/d/:slug", { slug: found.slug }) + search, 301);
  return found.id;
}

async function placesOf(ctx: Ctx, doctorId: string): Promise<DoctorPlace[]> {
  const rows = (await listPracticesOfDoctor(ctx, doctorId)) ?? [];
  return rows
    .filter(({ state }) => state === "active")
    .map(({ id, name, address, city, hospitalId, hospitalListed, fee, latitude, longitude }) => ({
      practiceId: id,
      name,
      address,
      city,
      hospitalId: hospitalListed ? hospitalId : null,
      fee,
      latitude,
      longitude,
    }));
}

export default function DoctorDetail({ loaderData }: Route.ComponentProps) {
  const { doctor, places, reviews, liked, today, punctual, origin } = loaderData;
  const fee = feeOfPlaces(places ?? [doctor]);
  const book = (
    <LinkButton to={timesPath(doctor.id)} size="lg" full iconEnd="arrow-right">
      {m.doctors_book_now()}
    </LinkButton>
  );
  return (
    <Page
      wide
      wizard
      title={m.doctors_detail()}
      titleAs="p"
      back={{ to: href("/doctorspages/Cards-data"), label: m.doctors_back_to_list() }}
    >
      <DetailColumns>
        <div>
          <Name doctor={doctor} liked={liked} />
          <Facets doctor={doctor} punctual={punctual} />
        </div>
        <section className="card" aria-labelledby="times">
          <SectionHead>
            <h2 id="times">{m.doctors_next_times()}</h2>
            {doctor.nextTimes.length > 0 && <AnyLink to={timesPath(doctor.id)}>{m.doctors_all_times()}</AnyLink>}
          </SectionHead>
          {doctor.nextTimes.length > 0 ? (
            <BookingTimes doctorId={doctor.id} times={doctor.nextTimes} today={today} />
          ) : (
            <p className="text-ink-soft">{m.doctors_no_free()}</p>
          )}
          <div className="hidden desktop:block">
            <p className="mt-2 mb-3">
              <b className="num">{fee}</b> <span className="text-sm text-ink-soft">{loaderData.howToPay}</span>
            </p>
            {book}
          </div>
        </section>
        <div>
          {places ? <DoctorPlaces doctorId={doctor.id} places={places} /> : <Where {...loaderData} />}
          <About doctor={doctor} origin={origin} />
          <DoctorReviews reviews={reviews} base={href("/details/doctor/:id", { id: doctor.id })} />
        </div>
      </DetailColumns>
      <Dock className="desktop:hidden">
        <div className="row grow flex-wrap">
          <p className="grow">
            <b className="num">{fee}</b>{" "}
            <small className="text-ink-soft">{doctor.nextFree ? freeWord(doctor.nextFree, today) : m.doctors_no_free()}</small>
          </p>
          <LinkButton to={timesPath(doctor.id)} size="lg" iconEnd="arrow-right">
            {m.doctors_book_now()}
          </LinkButton>
        </div>
      </Dock>
    </Page>
  );
}

const Facets = ({ doctor, punctual }: Pick<Data, "doctor" | "punctual">) => (
  <dl className="mt-4 flex flex-wrap gap-x-4.5 gap-y-1.5">
    <Known icon="badge-check" name={m.doctors_status()}>
      <b>{m.doctors_verified()}</b> · {m.doctors_registration_checked()}
    </Known>
    <Known icon="stethoscope" name={m.doctors_experience()}>
      {m.doctors_years({ years: doctor.experienceYears })}
    </Known>
    {punctual !== null && (
      <Known icon="clock" name={m.figures_punctual_of({ count: ON_TIME_SESSIONS })}>
        {m.figures_punctual({ percent: punctual, minutes: ON_TIME_MINUTES })}
      </Known>
    )}
    {doctor.languages.length > 0 && (
      <Known icon="languages" name={m.doctors_languages()}>
        {doctor.languages.map(languageWord).join(", ")}
      </Known>
    )}
    <div className={classes(KNOWN, "flex-wrap")}>
      <dt className={KNOWN}>
        <Icon name="hospital" small className="text-brand" /> {m.doctors_hospital()}
      </dt>{" "}
      <dd className="min-w-0">{doctor.hospitalName ? m.doctors_available() : m.doctors_not_available()}</dd>
    </div>
  </dl>
);

function About({ doctor, origin }: Pick<Data, "doctor" | "origin">) {
  const { qualifications } = doctor;
  return (
    <section className="mt-7" aria-labelledby="about">
      <h2 id="about">{m.doctors_about()}</h2>
      {doctor.about && <p className="mt-2 whitespace-pre-line">{doctor.about}</p>}
      <p className="mt-2 text-ink-soft">{doctor.additionalSpecializations || m.doctors_no_details()}</p>
      <Facts
        className="mt-2"
        items={[
          qualifications.length > 0 && [
            m.doctors_qualifications(),
            qualifications.map((q) => [q.degree, q.universityCollege, q.year].filter(Boolean).join(", ")).join("; "),
          ],
        ]}
      />
      <Keep
        id={doctor.id}
        text={`${doctor.name}, ${specialtyWord(doctor.specialization)}: ${origin}${href("/details/doctor/:id", doctor)}`}
      />
    </section>
  );
}

const Name = ({ doctor, liked }: Pick<Data, "doctor" | "liked">) => (
  <div className="row flex-wrap items-start">
    <Disc id={doctor.id} name={doctor.name} photo={photoPath(doctor.photo)} size="xl" />
    <div className="grow">
      <div className="row items-start">
        <h1 className="grow">{doctor.name}</h1>
        <FavouriteButton kind="doctor" id={doctor.id} name={doctor.name} on={liked} className="-my-2.5" />
      </div>
      <p>{specialtyWord(doctor.specialization)}</p>
      <MetaLine>
        <Meta icon="map-pin">{[doctor.area, doctor.city, doctor.state].filter(Boolean).join(", ")}</Meta>
      </MetaLine>
      <Rating rating={doctor.rating} />
      <FavouritesLink kind="doctor" id={doctor.id} on={liked} />
    </div>
  </div>
);

const timesPath = (doctorId: string) => `${href("/patient/appointments/datetime")}?doctorId=${doctorId}`;

/** A fact with an icon. Its name is read aloud only. */
const KNOWN = "inline-flex min-w-0 items-center gap-1.25";
const Known = ({ icon, name, children }: { icon: IconName; name: string; children: ReactNode }) => (
  <div className={KNOWN}>
    <dt className={KNOWN}>
      <Icon name={icon} small className="text-brand" /> <span className="sr-only">{name}</span>
    </dt>{" "}
    <dd className="min-w-0">{children}</dd>
  </div>
);

/** Ways to keep or pass on the doctor's contact. */
const Keep = ({ id, text }: { id: string; text: string }) => (
  <p className="row flex-wrap mt-2">
    <LinkButton to={href("/details/doctor/:id/contact.vcf", { id })} variant="quiet" size="sm" className="pl-0" rel="nofollow">
      {m.doctors_save_contact()}
    </LinkButton>{" "}
    <LinkButton to={whatsAppShare(text)} variant="quiet" size="sm" className="pl-0" target="_blank" rel="noreferrer">
      {m.appointments_share()}
    </LinkButton>
  </p>
);

/** The hospital with its address, map, directions and phone. */
function Where({ doctor, mapKey }: Data) {
  const {
    hospitalName: name,
    hospitalAddress: address,
    hospitalPhone: phone,
    hospitalLatitude: latitude,
    hospitalLongitude: longitude,
  } = doctor;
  return (
    <section aria-labelledby="contact">
      <h2 id="contact" className="mb-3">
        {m.doctors_contact()}
      </h2>
      {name && address ? (
        <>
          <PlaceName doctor={doctor} name={name} address={address} />
          {mapKey && latitude !== null && longitude !== null && <HospitalMap name={name} at={{ latitude, longitude }} apiKey={mapKey} />}
          <p className="row flex-wrap mt-2">
            <LinkButton
              to={directionsTo({ name, address, city: doctor.city, latitude, longitude })}
              variant="second"
              className="grow"
              icon="map-pin"
              target="_blank"
              rel="noopener"
            >
              {m.directory_directions()}
            </LinkButton>
            {phone && (
              <LinkButton to={`tel:${phone}`} variant="second" className="grow" icon="phone">
                {m.doctors_call_clinic()}
              </LinkButton>
            )}
          </p>
        </>
      ) : (
        <p className="text-ink-soft">{m.doctors_no_hospital()}</p>
      )}
      <Facts
        className="mt-2"
        items={[
          [m.doctors_city(), doctor.city],
          phone !== null && [
            m.doctors_phone(),
            <a key="tel" className="num" href={`tel:${phone}`}>
              {formatPhone(phone)}
            </a>,
          ],
        ]}
      />
      {phone !== null && doctor.isDemo && <p className="text-sm text-ink-soft">{m.doctors_demo_phone()}</p>}
    </section>
  );
}

const PlaceName = ({ doctor, name, address }: Pick<Data, "doctor"> & { name: string; address: string }) => (
  <div className="row">
    {doctor.hospitalDrawing && <BuildingPicture drawing={doctor.hospitalDrawing} />}
    <div className="grow">
      <h3>
        {doctor.hospitalId ? (
          <AnyLink className="inline-flex items-center min-h-target-min" to={href("/hospital/:id", { id: doctor.hospitalId })}>
            {name}
          </AnyLink>
        ) : (
          name
        )}
      </h3>
      <p className="text-sm text-ink-soft">{address}</p>
    </div>
  </div>
);

type Data = Route.ComponentProps["loaderData"];

export const meta: Route.MetaFunction = ({ loaderData }) => {
  if (!loaderData) return [{ title: m.ui_title({ page: m.doctors_detail() }) }];
  const { doctor, open } = loaderData;
  const title = `${doctor.name}, ${specialtyWord(doctor.specialization)}`;
  if (!open) return [{ title: m.ui_title({ page: title }) }];
  const description = m.doctors_description({ name: doctor.name, specialization: specialtyWord(doctor.specialization), city: doctor.city });
  return publicPage({ title, description, type: "profile", ...open });
};

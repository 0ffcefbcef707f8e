import { href, redirect } from "react-router";
import { Rating } from "#app/domains/directory/components/rating.tsx";
import { DoctorCard } from "#app/domains/directory/doctors/components/doctor-card.tsx";
import { specialtyWord } from "#app/domains/directory/doctors/names.ts";
import { listDoctors } from "#app/domains/directory/doctors/queries.server.ts";
import { FavouritesLink } from "#app/domains/directory/favourites/components/favourite-item.tsx";
import { FavouriteButton } from "#app/domains/directory/favourites/components/favourites.tsx";
import { favouritesAmong } from "#app/domains/directory/favourites/queries.server.ts";
import { BuildingPicture } from "#app/domains/directory/hospitals/components/building-picture.tsx";
import { HospitalContact } from "#app/domains/directory/hospitals/components/hospital-contact.tsx";
import { HospitalMap } from "#app/domains/directory/hospitals/components/hospital-map.tsx";
import { getPublicHospital } from "#app/domains/directory/hospitals/directory.server.ts";
import { openStreetMap } from "#app/domains/directory/hospitals/places.ts";
import { accessWord, hospitalKindWord } from "#app/domains/directory/hospitals/words.ts";
import { hospitalEntry } from "#app/domains/directory/search/schema-org.ts";
import { hospitalCardPath } from "#app/domains/directory/share-cards/content.server.ts";
import { loadOpen } from "#app/http/open-load.server.ts";
import { nearOf } from "#app/http/place.server.ts";
import { publicPage } from "#app/http/public-page.ts";
import { withUnavailableMessage } from "#app/http/refusals.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { AnyLink, LinkButton } from "#app/ui/button.tsx";
import type { PageHandle } from "#app/ui/document.tsx";
import { DetailColumns, Facts, SectionHead } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/hospital.ts";

export const handle = { cache: 15, map: true } satisfies PageHandle;

/** Doctors shown first; all of them on the next page. */
const FIRST_DOCTORS = 6;

export const loader = loadOpen((ctx, { context, params, request }: Route.LoaderArgs) =>
  withUnavailableMessage(m.directory_failed_hospital, async () => {
    const hospital = await getPublicHospital(ctx, params.id);
    if (hospital.mergedInto) throw redirect(href("/hospital/:id", { id: hospital.mergedInto }), 301);
    const { doctors } = await listDoctors(ctx, { hospitalId: hospital.id, near: await nearOf(context, request), limit: FIRST_DOCTORS });
    const liked = await favouritesAmong(ctx, [hospital.id, ...doctors.map(({ id }) => id)]);
    const { appUrl, maps } = env();
    const url = `${appUrl.origin}/hospital/${hospital.id}`;
    // For crawlers, which have no account.
    const open = ctx.actor ? null : { url, card: hospitalCardPath(hospital), data: hospitalEntry(hospital, url) };
    return { hospital, doctors, liked, mapKey: maps.browserKey ?? null, today: todayInIndia(ctx.now), ...(open && { open }) };
  }),
);

type Data = Route.ComponentProps["loaderData"];

export default function HospitalPage({ loaderData }: Route.ComponentProps) {
  const { hospital, liked, mapKey } = loaderData;
  const { latitude, longitude } = hospital;
  return (
    <Page
      wide
      title={m.directory_hospital()}
      titleAs="p"
      back={{ to: href("/hospitalpages/Cards-data"), label: m.directory_back_to_hospitals() }}
    >
      <DetailColumns>
        <header className="row flex-wrap items-start">
          <BuildingPicture drawing={hospital.drawing} large />
          <div className="grow">
            <div className="row items-start">
              <h1 className="grow">{hospital.name}</h1>
              <FavouriteButton kind="hospital" id={hospital.id} name={hospital.name} on={liked.has(hospital.id)} className="-my-2.5" />
            </div>
            <p className="text-ink-soft">{[hospitalKindWord(hospital.kind), hospital.city].join(", ")}</p>
            <Rating rating={hospital.rating} />
            <FavouritesLink kind="hospital" id={hospital.id} on={liked.has(hospital.id)} />
          </div>
        </header>
        <Contact hospital={hospital} />
        <div>
          <About hospital={hospital} />
          <Doctors {...loaderData} />
          <section className="mt-7" aria-labelledby="map">
            <h2 id="map">{m.directory_map()}</h2>
            {mapKey && latitude !== null && longitude !== null && (
              <HospitalMap name={hospital.name} at={{ latitude, longitude }} apiKey={mapKey} />
            )}
            <LinkButton to={openStreetMap(hospital)} target="_blank" rel="noopener" variant="quiet" className="pl-0">
              {m.directory_open_map()}
            </LinkButton>
          </section>
        </div>
      </DetailColumns>
    </Page>
  );
}

const Contact = ({ hospital }: Pick<Data, "hospital">) => (
  <HospitalContact
    hospital={hospital}
    facts={[
      [
        m.doctors_phone(),
        hospital.phone && (
          <a key="tel" className="num" href={`tel:${hospital.phone}`}>
            {formatPhone(hospital.phone)}
          </a>
        ),
      ],
      [
        m.directory_email(),
        hospital.email && (
          <a key="mail" href={`mailto:${hospital.email}`}>
            {hospital.email}
          </a>
        ),
      ],
    ]}
  />
);

const About = ({ hospital }: Pick<Data, "hospital">) => (
  <section aria-labelledby="about">
    <h2 id="about">{m.directory_about()}</h2>
    <p className={hospital.about ? "mt-2 whitespace-pre-line" : "mt-2 text-ink-soft"}>{hospital.about || m.directory_no_about()}</p>
    <Facts
      className="mt-2"
      items={[
        [m.directory_specialties(), hospital.specialties.map(specialtyWord).join(", ")],
        [m.directory_access(), hospital.access.map(accessWord).join(", ")],
      ]}
    />
  </section>
);

const Doctors = ({ hospital, doctors, liked, today }: Pick<Data, "hospital" | "doctors" | "liked" | "today">) => (
  <section className="mt-7" aria-labelledby="doctors">
    <SectionHead>
      <h2 id="doctors">{m.directory_doctors()}</h2>
      {hospital.doctors > doctors.length && (
        <AnyLink to={href("/hospital/:id/doctors", { id: hospital.id })}>{m.directory_see_doctors()}</AnyLink>
      )}
    </SectionHead>
    {doctors.length === 0 ? (
      <p className="text-ink-soft">{m.directory_no_doctors()}</p>
    ) : (
      <div className="grid grid-cols-1 gap-3">
        {doctors.map((doctor) => (
          <DoctorCard key={doctor.id} doctor={doctor} today={today} favourite={liked.has(doctor.id)} />
        ))}
      </div>
    )}
  </section>
);

export const meta: Route.MetaFunction = ({ loaderData }) => {
  if (!loaderData) return [{ title: m.ui_title({ page: m.directory_hospital() }) }];
  const { hospital, open } = loaderData;
  const { name, kind, city } = hospital;
  if (!open) return [{ title: m.ui_title({ page: name }) }];
  const description = m.directory_hospital_description({ name, kind, city });
  return publicPage({ title: `${name}, ${city}`, description, ...open });
};

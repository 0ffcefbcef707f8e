/** `/h/{slug}`: a hospital under its short name, with what is free today. For posters, websites and links in messages. */

import { href, redirect } from "react-router";
import { Rating } from "#app/domains/directory/components/rating.tsx";
import { TimeLink, Times } from "#app/domains/directory/doctors/components/times.tsx";
import { freeWord } from "#app/domains/directory/doctors/free-word.ts";
import { languageWord, specialtyWord } from "#app/domains/directory/doctors/names.ts";
import { BuildingPicture } from "#app/domains/directory/hospitals/components/building-picture.tsx";
import { HospitalContact } from "#app/domains/directory/hospitals/components/hospital-contact.tsx";
import { getPublicHospital } from "#app/domains/directory/hospitals/directory.server.ts";
import { type DoctorToday, listDoctorsToday } from "#app/domains/directory/hospitals/today.server.ts";
import { hospitalKindWord } from "#app/domains/directory/hospitals/words.ts";
import { hospitalEntry } from "#app/domains/directory/search/schema-org.ts";
import { hospitalCardPath } from "#app/domains/directory/share-cards/content.server.ts";
import { findByShortName } from "#app/domains/directory/short-names/short-names.server.ts";
import { loadOpen } from "#app/http/open-load.server.ts";
import { publicPage } from "#app/http/public-page.ts";
import { withUnavailableMessage } from "#app/http/refusals.server.ts";
import { bookingPath, timesPath } from "#app/lib/booking-paths.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { formatRupees } from "#app/lib/money.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { AnyLink, LinkButton } from "#app/ui/button.tsx";
import type { PageHandle } from "#app/ui/document.tsx";
import { Card, DetailColumns, SectionHead } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/hospital-today.ts";

export const handle = { cache: 15 } satisfies PageHandle;

export const loader = loadOpen((ctx, { params, url }: Route.LoaderArgs) =>
  withUnavailableMessage(m.directory_failed_hospital, async () => {
    const { id, slug } = await findByShortName(ctx, "hospital", params.slug);
    if (slug !== params.slug) throw redirect(href("/h/:slug", { slug }) + url.search, 301);
    const [listed, doctors] = await Promise.all([getPublicHospital(ctx, id), listDoctorsToday(ctx, id)]);
    const { name, kind, drawing, rating, address, pinCode, city, latitude, longitude, phone, isDemo, workingHours } = listed;
    const shown = { id, name, kind, drawing, rating, address, pinCode, city, latitude, longitude, phone, isDemo, workingHours };
    const hospital = { ...shown, doctors: listed.doctors };
    // The specified address stays the canonical one.
    const canonical = env().appUrl.origin + href("/hospital/:id", { id });
    const open = ctx.actor ? null : { url: canonical, card: hospitalCardPath(listed), data: hospitalEntry(listed, canonical) };
    return { hospital, doctors, today: todayInIndia(ctx.now), ...(open && { open }) };
  }),
);

type Data = Route.ComponentProps["loaderData"];

export default function HospitalToday({ loaderData }: Route.ComponentProps) {
  const { hospital, doctors, today } = loaderData;
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
            <h1>{hospital.name}</h1>
            <p className="text-ink-soft">{[hospitalKindWord(hospital.kind), hospital.city].join(", ")}</p>
            <Rating rating={hospital.rating} />
          </div>
        </header>
        <section aria-labelledby="free">
          <SectionHead>
            <h2 id="free">{m.door_today()}</h2>
            {hospital.doctors > doctors.length && (
              <LinkButton to={href("/hospital/:id/doctors", { id: hospital.id })} variant="quiet" size="sm">
                {m.directory_see_doctors()}
              </LinkButton>
            )}
          </SectionHead>
          {doctors.length === 0 && <p className="text-ink-soft">{m.directory_no_doctors()}</p>}
          <ul className="space-y-4">
            {doctors.map((doctor) => (
              <Card as="li" key={doctor.practiceId ?? doctor.id}>
                <Doctor doctor={doctor} today={today} />
              </Card>
            ))}
          </ul>
        </section>
        <Contact hospital={hospital} doctors={doctors} />
      </DetailColumns>
    </Page>
  );
}

function Contact({ hospital, doctors }: Pick<Data, "hospital" | "doctors">) {
  const spoken = [...new Set(doctors.flatMap(({ languages }) => languages))];
  return (
    <HospitalContact
      hospital={hospital}
      facts={[
        [m.doctors_languages(), spoken.map(languageWord).join(", ")],
        [m.doctors_phone(), hospital.phone && formatPhone(hospital.phone)],
      ]}
    >
      <p className="mt-2">
        <LinkButton to={href("/hospital/:id", { id: hospital.id })} variant="quiet" size="sm" className="pl-0">
          {m.door_about()}
        </LinkButton>
      </p>
    </HospitalContact>
  );
}

function Doctor({ doctor, today }: { doctor: DoctorToday; today: string }) {
  const { id, name, free, times, next, fee } = doctor;
  const all = doctor.givesTokens && free > 0 ? m.door_token_get() : m.doctors_all_times();
  return (
    <>
      <h3>
        <AnyLink to={href("/details/doctor/:id", { id })} className="inline-flex items-center min-h-target-min">
          {name}
        </AnyLink>
      </h3>
      <p className="text-sm text-ink-soft">
        {[specialtyWord(doctor.specialization), fee !== null && formatRupees(fee)].filter(Boolean).join(" · ")}
      </p>
      {times.length > 0 && (
        <Times className="mt-2">
          {times.map((time) => (
            <TimeLink key={time} to={bookingPath({ doctorId: id, date: today, time })} date={today} time={time} />
          ))}
        </Times>
      )}
      {doctor.givesTokens && free > 0 && <p className="mt-2">{m.door_tokens_left({ count: free })}</p>}
      {free === 0 && <p className="mt-2 text-ink-soft">{next ? freeWord(next, today) : m.doctors_no_free()}</p>}
      {(free > times.length || next) && (
        <p className="mt-2">
          <LinkButton to={timesPath(doctor)} rel="nofollow" aria-label={`${all}: ${name}`} variant="quiet" size="sm" className="pl-0">
            {all}
          </LinkButton>
        </p>
      )}
    </>
  );
}

export const meta: Route.MetaFunction = ({ loaderData }) => {
  if (!loaderData) return [{ title: m.ui_title({ page: m.directory_hospital() }) }];
  const { hospital, open } = loaderData;
  const { name, kind, city } = hospital;
  if (!open) return [{ title: m.ui_title({ page: name }) }];
  return publicPage({ title: `${name}, ${city}`, description: m.directory_hospital_description({ name, kind, city }), ...open });
};

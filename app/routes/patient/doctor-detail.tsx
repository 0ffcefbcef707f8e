import { href } from "react-router";
import { DoctorReviews, reviewPageOf } from "#app/domains/booking/reviews/components/doctor-reviews.tsx";
import { listDoctorReviews } from "#app/domains/booking/reviews/queries.server.ts";
import { Rating } from "#app/domains/directory/components/rating.tsx";
import { freeWord } from "#app/domains/directory/doctors/components/doctor-card.tsx";
import { languageWord, specialtyWord } from "#app/domains/directory/doctors/names.ts";
import { photoPath } from "#app/domains/directory/doctors/photo.ts";
import { getPublicDoctor } from "#app/domains/directory/doctors/queries.server.ts";
import { FavouriteButton } from "#app/domains/directory/favourites/components/favourites.tsx";
import { favouritesAmong } from "#app/domains/directory/favourites/queries.server.ts";
import { doctorEntry } from "#app/domains/directory/search/schema-org.ts";
import { doctorCardPath } from "#app/domains/directory/share-cards/content.server.ts";
import { ctxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { publicPage } from "#app/http/public-page.ts";
import { withUnavailableMessage } from "#app/http/refusals.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { formatRupees } from "#app/lib/money.ts";
import { formatPhone } from "#app/lib/phone.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { AnyLink, LinkButton } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Badge, Disc, Facts, StatTile } from "#app/ui/pieces.tsx";
import { Dock, Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/doctor-detail.ts";

export const handle = { cache: 15, bar: false };

export const loader = load(({ context, params, url }: Route.LoaderArgs) =>
  withUnavailableMessage(m.directory_failed_doctor, async () => {
    const ctx = ctxOf(context);
    const doctor = await getPublicDoctor(ctx, params.id);
    const [reviews, liked] = await Promise.all([
      listDoctorReviews(ctx, { doctorId: doctor.id, page: reviewPageOf(url.searchParams) }),
      favouritesAmong(ctx, [doctor.id]),
    ]);
    const card = ctx.actor ? null : doctorCardPath(doctor);
    return { doctor, reviews, liked: liked.has(doctor.id), today: todayInIndia(ctx.now), card, origin: env().appUrl.origin };
  }),
);

export default function DoctorDetail({ loaderData }: Route.ComponentProps) {
  const { doctor, reviews, liked, today } = loaderData;
  const place = [doctor.area, doctor.city, doctor.state].filter(Boolean).join(", ");
  return (
    <Page wizard title={m.doctors_detail()} titleAs="p" back={{ to: href("/doctorspages/Cards-data"), label: m.doctors_back_to_list() }}>
      <div className="row wrap top-al">
        <Disc id={doctor.id} name={doctor.name} photo={photoPath(doctor.photo)} size="lg" />
        <div className="grow">
          <h1>{doctor.name}</h1>
          <p className="soft">{specialtyWord(doctor.specialization)}</p>
          <p className="meta">
            <span>
              <Icon name="map-pin" small />
              {place}
            </span>{" "}
            {doctor.isDemo && <span>{m.ui_demo()}</span>}
          </p>
          <Rating rating={doctor.rating} />
        </div>
        <FavouriteButton kind="doctor" id={doctor.id} name={doctor.name} on={liked} />
      </div>
      <dl className="facts3 section tight">
        <StatTile
          icon="hospital"
          label={m.doctors_hospital()}
          value={doctor.hospitalName ? m.doctors_available() : m.doctors_not_available()}
        />
        <StatTile icon="clock" label={m.doctors_experience()} value={m.doctors_years({ years: doctor.experienceYears })} />
        <StatTile
          icon="badge-check"
          label={m.doctors_status()}
          value={
            <Badge tone="ok" icon="badge-check">
              {m.doctors_verified()}
            </Badge>
          }
        />
      </dl>
      <section className="section" aria-labelledby="about">
        <h2 id="about">{m.doctors_about()}</h2>
        {doctor.about && <p className="mt pre">{doctor.about}</p>}
        <p className="mt soft">{doctor.additionalSpecializations || m.doctors_no_details()}</p>
        <Facts
          className="mt"
          items={[
            doctor.languages.length > 0 && [m.doctors_languages(), doctor.languages.map(languageWord).join(", ")],
            doctor.qualifications.length > 0 && [
              m.doctors_qualifications(),
              doctor.qualifications.map((q) => [q.degree, q.universityCollege, q.year].filter(Boolean).join(", ")).join("; "),
            ],
          ]}
        />
      </section>
      <DoctorReviews reviews={reviews} base={href("/details/doctor/:id", { id: doctor.id })} />
      <section className="section mb" aria-labelledby="contact">
        <h2 id="contact">{m.doctors_contact()}</h2>
        <Facts
          className="mt"
          items={[
            [
              m.doctors_hospital(),
              doctor.hospitalId ? (
                <AnyLink key="hospital" to={href("/hospital/:id", { id: doctor.hospitalId })}>
                  {doctor.hospitalName}
                </AnyLink>
              ) : (
                doctor.hospitalName
              ),
            ],
            [m.doctors_address(), doctor.hospitalAddress],
            doctor.hospitalPhone !== null && [
              m.doctors_phone(),
              <a key="tel" className="num" href={`tel:${doctor.hospitalPhone}`}>
                {formatPhone(doctor.hospitalPhone)}
              </a>,
            ],
            [m.doctors_city(), doctor.city],
          ]}
        />
      </section>
      <Dock>
        <p className="grow">
          <b className="num">{doctor.fee === null ? m.doctors_fee_unknown() : formatRupees(doctor.fee)}</b>{" "}
          <small className="soft">{doctor.nextFree ? freeWord(doctor.nextFree, today) : m.doctors_no_free()}</small>
        </p>
        <LinkButton to={`${href("/patient/appointments/datetime")}?doctorId=${doctor.id}`} size="lg" iconEnd="arrow-right">
          {m.doctors_book_now()}
        </LinkButton>
      </Dock>
    </Page>
  );
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  if (!loaderData) return [{ title: m.ui_title({ page: m.doctors_detail() }) }];
  const { doctor, card, origin } = loaderData;
  const title = `${doctor.name}, ${specialtyWord(doctor.specialization)}`;
  if (matches[1].loaderData?.patient) return [{ title: m.ui_title({ page: title }) }];
  const url = `${origin}/details/doctor/${doctor.id}`;
  const photo = photoPath(doctor.photo);
  const image = photo && origin + photo;
  const description = m.doctors_description({ name: doctor.name, specialization: specialtyWord(doctor.specialization), city: doctor.city });
  return publicPage({ title, description, url, card, type: "profile", data: doctorEntry(doctor, url, image) });
};

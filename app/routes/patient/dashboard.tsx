import { href } from "react-router";
import { NextAppointment } from "#app/domains/booking/appointments/components/next-appointment.tsx";
import { findNextAppointment } from "#app/domains/booking/appointments/patient-queries.server.ts";
import { NearFirst } from "#app/domains/directory/components/near-first.tsx";
import { DoctorCard } from "#app/domains/directory/doctors/components/doctor-card.tsx";
import { listDoctors } from "#app/domains/directory/doctors/queries.server.ts";
import { favouritesAmong } from "#app/domains/directory/favourites/queries.server.ts";
import { HospitalCard } from "#app/domains/directory/hospitals/components/hospital-card.tsx";
import { listHospitals } from "#app/domains/directory/hospitals/directory.server.ts";
import { isNear, NEAR_KM } from "#app/domains/directory/near-km.ts";
import { CATEGORIES, type Category } from "#app/domains/directory/specialties.ts";
import { ENQUIRY_DIALOG, ENQUIRY_PATH } from "#app/domains/guidance/enquiry/components/enquiry-opener.ts";
import { AnnouncementBanner } from "#app/domains/oversight/announcements/components/announcement-banner.tsx";
import { findBanner } from "#app/domains/oversight/announcements/queries.server.ts";
import { getPatientHead } from "#app/domains/patients/profile/queries.server.ts";
import { placeWord } from "#app/domains/platform/location/place-names.ts";
import { FollowUpCard } from "#app/domains/visit/follow-up/components/follow-up-card.tsx";
import { findNextFollowUp } from "#app/domains/visit/follow-up/follow-ups.server.ts";
import type { ShownFollowUp } from "#app/domains/visit/follow-up/shown-follow-up.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { readOpen } from "#app/http/open-load.server.ts";
import { noteFault } from "#app/http/refusals.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, FloatingLink, LinkButton } from "#app/ui/button.tsx";
import { type PageHandle, useLite } from "#app/ui/document.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { DeepCard } from "#app/ui/members/deep-card.tsx";
import { SectionHead } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { EmptyState, LoadMore } from "#app/ui/states.tsx";
import { useHideOnScroll } from "#app/ui/use-hide-on-scroll.ts";
import type { Route } from "./+types/dashboard.ts";
import { TILES } from "./categories.ts";
import { SearchField, SUGGEST_SCRIPT } from "./search-field.tsx";
import { Tile, tileRow } from "./tiles.tsx";

/** With Save-Data. */
export const handle = { script: SUGGEST_SCRIPT } satisfies PageHandle;

/** Spec 001 §9: doctors in steps of four, hospitals of eight; a category shows at most four doctors. */
const DOCTORS = 4;
const HOSPITALS = 8;
/** Upper bound. Beyond it users have the searchable lists. */
const MOST = { doctors: 60, hospitals: 96 };

/** Returns the number of entries, in whole steps and within the bound. */
const shownOf = (typed: string | null, step: number, most: number) =>
  Math.min(most, Math.max(step, Math.ceil((Number(typed) || step) / step) * step));

/** The URL has the chosen category and the numbers of entries. */
export const loader = loadOwn(async (ctx, { context, url }: Route.LoaderArgs) => {
  const category = CATEGORIES.find((c) => c === url.searchParams.get("category")) ?? null;
  const shown = {
    doctors: category ? DOCTORS : shownOf(url.searchParams.get("doctors"), DOCTORS, MOST.doctors),
    hospitals: shownOf(url.searchParams.get("hospitals"), HOSPITALS, MOST.hospitals),
  };
  const { name, place } = await getPatientHead(ctx);
  const wanted = { near: place, sort: "distance", ...(category ? { category } : {}) } as const;
  const [next, banner, doctors, hospitals] = await Promise.all([
    category ? null : findNextAppointment(ctx),
    category ? null : findBanner(ctx),
    readOpen(context, ctx, (open) => listDoctors(open, { ...wanted, limit: shown.doctors })),
    // Without hospitals the page is still useful (spec 001 §8: the section is hidden).
    readOpen(context, ctx, (open) => listHospitals(open, { ...wanted, limit: shown.hospitals })).catch((error) => {
      noteFault(error, "nearby hospitals");
      return null;
    }),
  ]);
  // The first view has room for one of them.
  const followUp = next || category ? null : await findNextFollowUp(ctx);
  const liked = await favouritesAmong(
    ctx,
    [...doctors.doctors, ...(hospitals?.hospitals ?? [])].map(({ id }) => id),
  );
  return {
    name,
    city: placeWord(place.name),
    today: todayInIndia(ctx.now),
    category,
    // Loader data is part of the page: contains only what is shown.
    next: next && {
      ...{
        id: next.id,
        date: next.date,
        time: next.time,
        status: next.status,
        doctorName: next.doctorName,
        hospitalName: next.hospitalName,
      },
      ...(next.token && { token: next.token, expectedTime: next.expectedTime, expected: next.expected }),
    },
    ...(followUp && { followUp }),
    ...(banner && { banner }),
    doctors: { total: doctors.total, doctors: doctors.doctors },
    hospitals: hospitals && {
      total: hospitals.total,
      hospitals: hospitals.hospitals.map(({ kind: _, area: __, city: ___, doctors: ____, ...shownOnCard }) => shownOnCard),
    },
    liked,
    shown,
  };
});

type Data = Route.ComponentProps["loaderData"];

export default function PatientDashboard({ loaderData }: Route.ComponentProps) {
  const { name, city, today, category, next, followUp, banner } = loaderData;
  if (category) return <CategoryView {...loaderData} category={category} />;
  return (
    <Page wide start={<City name={city} />}>
      <AnnouncementBanner banner={banner} />
      <div className="grid gap-4 desktop:grid-cols-2 desktop:items-end desktop:gap-8">
        <div>
          <h1>{name ? m.patients_greeting({ name: name.split(" ")[0] ?? name }) : m.patients_greeting_plain()}</h1>
          <SearchField label={m.directory_search_doctors()} placeholder={m.directory_search_doctors_hint()} />
        </div>
        {next ? (
          <NextAppointment appointment={next} today={today} to={href("/patient/appointments/:id", { id: next.id })} />
        ) : followUp ? (
          <FollowUpCard followUp={followUp} {...bookingOf(followUp)} />
        ) : (
          <Banner />
        )}
      </div>
      <section className="mt-7" aria-labelledby="h-cat">
        <h2 id="h-cat" className="mb-3">
          {m.patients_categories()}
        </h2>
        <div className={`${tileRow} desktop:grid-cols-8`}>
          {CATEGORIES.map((c) => (
            <Tile key={c} to={`${href("/patient-dashboard")}?category=${c}`} icon={TILES[c].icon}>
              {TILES[c].word()}
            </Tile>
          ))}
        </div>
      </section>
      <section className="mt-7" aria-labelledby="h-doc">
        <SectionHead>
          <h2 id="h-doc">{m.patients_nearby_doctors()}</h2>
          <AnyLink to={`${href("/doctorspages/Cards-data")}?sort=distance`}>{m.ui_see_all()}</AnyLink>
        </SectionHead>
        <NearbyDoctors {...loaderData} />
      </section>
      <NearbyHospitals {...loaderData} />
      <Support />
    </Page>
  );
}

/** The press of a follow-up: the page of the appointment, or the calendar. */
const bookingOf = ({ id, booking }: ShownFollowUp) =>
  id
    ? { action: href("/patient/appointments/:id", { id }) }
    : { to: `${href("/patient/appointments/datetime")}?${new URLSearchParams(booking)}` };

/** Link to the choice of the city. */
function City({ name }: { name: string }) {
  return (
    <AnyLink
      className="city flex min-h-12 min-w-min items-center gap-2 leading-[1.15] text-ink no-underline max-[24rem]:gap-1"
      to={href("/location")}
    >
      <Icon name="map-pin" small className="size-[min(1.125rem,4.6vw)] max-[24rem]:hidden" />
      <span className="*:block">
        <small className="text-ink-soft">{m.patients_your_city()}</small> <b>{name}</b>
      </span>
      <Icon name="chevron-down" small className="size-[min(1.125rem,4.6vw)]" />
    </AnyLink>
  );
}

/** Without an upcoming visit: link to the enquiry. */
function Banner() {
  return (
    <DeepCard aria-labelledby="h-ask">
      <div className="row flex-wrap">
        <div className="grow">
          <h2 id="h-ask">
            <AnyLink className="go" to={ENQUIRY_PATH} data-dialog={ENQUIRY_DIALOG}>
              {m.enquiry_banner()}
            </AnyLink>
          </h2>
          <p className="text-sm">{m.enquiry_banner_text()}</p>
        </div>
        <Icon name="chevron-right" small />
      </div>
    </DeepCard>
  );
}

/** Returns the URL with more entries of one list. The other is unchanged. */
function moreAddress({ category, shown }: Pick<Data, "category" | "shown">, change: Partial<Data["shown"]>, at: string) {
  const next = { ...shown, ...change };
  const query = new URLSearchParams(category ? { category } : {});
  if (!category && next.doctors > DOCTORS) query.set("doctors", String(next.doctors));
  if (next.hospitals > HOSPITALS) query.set("hospitals", String(next.hospitals));
  return `?${query}#${at}`;
}

function NearbyDoctors({ doctors: { doctors, total }, today, liked, shown, category, city }: Data) {
  if (doctors.length === 0) {
    return (
      <EmptyState drawing="no-doctors" title={m.doctors_none_title()}>
        {m.doctors_none_text()}
      </EmptyState>
    );
  }
  const more = shown.doctors + DOCTORS;
  return (
    <>
      {category && <h2 className="sr-only">{m.directory_doctors()}</h2>}
      <NearFirst
        list={doctors}
        step={DOCTORS}
        anchor="d"
        none={category ? null : m.patients_no_doctors_near({ city, km: String(NEAR_KM) })}
        card={(doctor) => <DoctorCard key={doctor.id} doctor={doctor} today={today} favourite={liked.has(doctor.id)} />}
      />
      {!category && shown.doctors < Math.min(total, MOST.doctors) && (
        <LoadMore to={moreAddress({ category, shown }, { doctors: more }, `d${shown.doctors / DOCTORS}`)} label={m.patients_load_more()} />
      )}
    </>
  );
}

function NearbyHospitals({ hospitals: found, liked, shown, category, city }: Data) {
  if (!found || found.hospitals.length === 0) return null;
  const { hospitals, total } = found;
  const more = shown.hospitals + HOSPITALS;
  return (
    <section className="mt-7" aria-labelledby="h-hos">
      <SectionHead>
        <h2 id="h-hos">{m.patients_nearby_hospitals()}</h2>
        <AnyLink to={`${href("/hospitalpages/Cards-data")}?sort=distance`}>{m.patients_all_hospitals()}</AnyLink>
      </SectionHead>
      <NearFirst
        list={hospitals}
        step={HOSPITALS}
        anchor="h"
        none={category ? null : m.patients_no_hospitals_near({ city, km: String(NEAR_KM) })}
        card={(hospital) => <HospitalCard key={hospital.id} hospital={hospital} favourite={liked.has(hospital.id)} />}
      />
      <LoadMore
        to={
          shown.hospitals < Math.min(total, MOST.hospitals)
            ? moreAddress({ category, shown }, { hospitals: more }, `h${shown.hospitals / HOSPITALS}`)
            : null
        }
        label={m.patients_load_more_hospitals()}
        caption={m.patients_hospitals_shown({ shown: hospitals.length, total })}
      />
    </section>
  );
}

/** Spec 001 §2.3: floating at the bottom right, above the bottom bar. Without scripts it could not leave a link that it covers: at the page's end. */
function Support() {
  useHideOnScroll("support");
  const look = { id: "support", to: href("/patient/contact-us"), variant: "second", size: "lg", icon: "headset" } as const;
  const name = { "aria-label": m.patients_support(), title: m.patients_support() };
  return useLite() ? (
    <LinkButton pill {...look} {...name} className="mt-7 ml-auto flex w-fit" />
  ) : (
    <>
      {/* Room for it below the last link. */}
      <div className="h-6" />
      <FloatingLink {...look} {...name} aboveBar className="noscript:static noscript:mt-7 noscript:ml-auto noscript:flex noscript:w-fit" />
    </>
  );
}

/** Spec 001 §2.3: the filtered view of a category. */
function CategoryView(data: Data & { category: Category }) {
  const { category: chosen, city, doctors, hospitals } = data;
  const category = TILES[chosen].word();
  const hasNear = [...doctors.doctors, ...(hospitals?.hospitals ?? [])].some(isNear);
  return (
    <Page
      wide
      title={m.patients_category_doctors({ category })}
      back={{ to: href("/patient-dashboard"), label: m.patients_back_to_dashboard() }}
    >
      <p>
        <LinkButton to={href("/patient-dashboard")} variant="quiet" size="sm" icon="arrow-left" className="pl-0">
          {m.patients_back_to_dashboard()}
        </LinkButton>
      </p>
      <p className="text-ink-soft mb-3">{m.patients_doctor_count({ count: doctors.total })}</p>
      {!hasNear && (
        <EmptyState
          drawing="no-doctors"
          title={m.patients_category_none({ category, city })}
          action={<LinkButton to={href("/doctorspages/Cards-data")}>{m.doctors_all()}</LinkButton>}
        />
      )}
      {doctors.total > 0 && <NearbyDoctors {...data} />}
      {doctors.total > doctors.doctors.length && (
        <p className="mt-2">
          <LinkButton to={`${href("/doctorspages/Cards-data")}?category=${chosen}&sort=distance`} variant="second">
            {m.patients_category_all({ count: doctors.total })}
          </LinkButton>
        </p>
      )}
      <NearbyHospitals {...data} />
      <Support />
    </Page>
  );
}

export const meta: Route.MetaFunction = ({ loaderData }) => {
  const category = loaderData?.category;
  return [
    { title: m.ui_title({ page: category ? m.patients_category_doctors({ category: TILES[category].word() }) : m.ui_place_home() }) },
  ];
};

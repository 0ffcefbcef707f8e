import { href } from "react-router";
import { DoctorCard } from "#app/domains/directory/doctors/components/doctor-card.tsx";
import { listDoctors, listNextTimes } from "#app/domains/directory/doctors/queries.server.ts";
import { CATEGORIES } from "#app/domains/directory/specialties.ts";
import { placeWord } from "#app/domains/platform/location/place-names.ts";
import { sessionContext } from "#app/http/context.ts";
import { loadOpen } from "#app/http/open-load.server.ts";
import { nearOf } from "#app/http/place.server.ts";
import { publicPage } from "#app/http/public-page.ts";
import { redirectTo } from "#app/http/redirects.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { AnyLink } from "#app/ui/button.tsx";
import type { PageHandle } from "#app/ui/document.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Languages } from "#app/ui/languages.tsx";
import { Leafy, SectionHead } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { EmptyState } from "#app/ui/states.tsx";
import type { Route } from "./+types/front-door.ts";
import { TILES } from "./categories.ts";
import { SearchField, SUGGEST_SCRIPT } from "./search-field.tsx";

export const handle = { cache: 15, script: SUGGEST_SCRIPT } satisfies PageHandle;

const LIST = href("/doctorspages/Cards-data");
const DOCTORS = 4;
const TIMES = 3;

/** The first page of visitors: search and doctors before the login. Patients have their dashboard. Of scripts it has that of its search alone: with the app's it is above the 18 KB of a visitor's first view. */
export const loader = loadOpen(async (ctx, { context, request }: Route.LoaderArgs) => {
  if (context.get(sessionContext)?.role === "patient") throw redirectTo(href("/patient-dashboard"));
  const near = await nearOf(context, request);
  const { doctors, total } = await listDoctors(ctx, { near, sort: "distance", limit: DOCTORS });
  const times = await listNextTimes(ctx, doctors);
  return {
    city: placeWord(near.name),
    today: todayInIndia(ctx.now),
    doctors: doctors.map((doctor) => ({ ...doctor, times: times.get(doctor.id)?.slice(0, TIMES) ?? [] })),
    total,
    origin: env().appUrl.origin,
  };
});

/** What patients search for most. Each is found in all three languages. Their addresses are not encoded, which the browser does: 70 bytes less in Telugu. */
const OFTEN = [
  () => m.front_fever(),
  () => m.front_sugar(),
  () => m.front_tooth(),
  () => m.front_back(),
  () => m.front_pregnancy(),
  () => m.front_skin(),
];

export default function FrontDoor({ loaderData }: Route.ComponentProps) {
  const { city, today, doctors, total } = loaderData;
  return (
    <Page wide start={<City name={city} />}>
      <h1>{m.front_title()}</h1>
      <SearchField label={m.front_label()} />
      <nav aria-label={m.front_often()} className="row mt-3 flex-wrap gap-2">
        {OFTEN.map((word) => (
          <AnyLink key={word()} className="chip no-underline" to={`${LIST}?q=${word().replaceAll(" ", "+")}`}>
            {word()}
          </AnyLink>
        ))}
      </nav>
      <section className="mt-7" aria-labelledby="h-doc">
        <SectionHead>
          <h2 id="h-doc">{m.front_nearest()}</h2>
          {total > doctors.length && <AnyLink to={`${LIST}?sort=distance`}>{m.front_all({ count: total })}</AnyLink>}
        </SectionHead>
        {doctors.length === 0 ? (
          <EmptyState drawing="no-doctors" title={m.doctors_none_title()}>
            {m.doctors_none_text()}
          </EmptyState>
        ) : (
          <div className="grid grid-cols-1 gap-3 tab:grid-cols-2 tab:gap-4">
            {doctors.map(({ times, ...doctor }) => (
              <DoctorCard key={doctor.id} doctor={doctor} today={today} times={times} />
            ))}
          </div>
        )}
      </section>
      <section className="mt-7" aria-labelledby="h-cat">
        <h2 id="h-cat" className="mb-3">
          {m.patients_categories()}
        </h2>
        <div className="grid grid-cols-[repeat(auto-fill,minmax(4.5em,1fr))] gap-2">
          {CATEGORIES.map((category) => (
            <AnyLink
              key={category}
              className="flex flex-col items-center gap-1 text-center text-sm text-ink no-underline"
              to={`${LIST}?${new URLSearchParams({ category })}`}
            >
              <Leafy icon={TILES[category].icon} />
              {TILES[category].word()}
            </AnyLink>
          ))}
        </div>
      </section>
      <div className="row mt-7 flex-wrap">
        <p className="grow">
          <b>{m.front_doctor()}</b>{" "}
          <AnyLink className="inline-flex items-center min-h-target-min" to={href("/dual-doctor")}>
            {m.front_doctor_login()}
          </AnyLink>
        </p>
        <Languages />
      </div>
    </Page>
  );
}

/** Link to the choice of the city, in the top bar. */
const City = ({ name }: { name: string }) => (
  <AnyLink className="city flex min-h-target items-center gap-2 text-ink no-underline" to={href("/location")}>
    <span>
      <small className="block text-ink-soft">{m.front_near()}</small> <b>{name}</b>
    </span>
    <Icon name="chevron-down" small />
  </AnyLink>
);

export const meta: Route.MetaFunction = ({ loaderData }) =>
  publicPage({ title: m.front_title(), description: m.front_description(), url: `${loaderData?.origin ?? ""}${href("/find-a-doctor")}` });

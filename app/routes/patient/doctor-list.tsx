import { href } from "react-router";
import { NearSections } from "#app/domains/directory/components/near-sections.tsx";
import { DoctorCard } from "#app/domains/directory/doctors/components/doctor-card.tsx";
import { FilterFields, FiltersHead, FiltersInUse } from "#app/domains/directory/doctors/components/doctor-filters.tsx";
import { FILTER_NAMES, filtersInUse, readDoctorFilters } from "#app/domains/directory/doctors/doctor-filters.ts";
import { specialtyWord } from "#app/domains/directory/doctors/names.ts";
import { DOCTOR_SORTS, type DoctorSort, listDoctors } from "#app/domains/directory/doctors/queries.server.ts";
import { favouritesAmong } from "#app/domains/directory/favourites/queries.server.ts";
import { NEAR_KM } from "#app/domains/directory/near-km.ts";
import { countWord, ListEnd, ListForm, ListStatus, type SortWords } from "#app/domains/directory/search/components/list-parts.tsx";
import { fromStart, isNearFirst, listPath, readListState, stepId } from "#app/domains/directory/search/list-state.ts";
import { CATEGORIES, SPECIALTY_CHIPS } from "#app/domains/directory/specialties.ts";
import { SearchDanger } from "#app/domains/guidance/emergency/components/search-danger.tsx";
import { findSearchDanger } from "#app/domains/guidance/emergency/find-danger.server.ts";
import { placeWord } from "#app/domains/platform/location/place-names.ts";
import { loadOpen } from "#app/http/open-load.server.ts";
import { nearOf } from "#app/http/place.server.ts";
import { publicPage } from "#app/http/public-page.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { LinkButton } from "#app/ui/button.tsx";
import type { PageHandle } from "#app/ui/document.tsx";
import { Chips } from "#app/ui/nav.tsx";
import { HOME, Page } from "#app/ui/shell.tsx";
import { EmptyState } from "#app/ui/states.tsx";
import type { Route } from "./+types/doctor-list.ts";

export const handle = { cache: 15 } satisfies PageHandle;

const PATH = href("/doctorspages/Cards-data");

/** The whole state of the list is its URL. */
export const loader = loadOpen(async (ctx, { context, request, url }: Route.LoaderArgs) => {
  const state = readListState(url.searchParams, DOCTOR_SORTS);
  const filters = readDoctorFilters(url.searchParams);
  const specialty = SPECIALTY_CHIPS.find((s) => s === url.searchParams.get("specialty")) ?? null;
  const category = specialty ? null : (CATEGORIES.find((c) => c === url.searchParams.get("category")) ?? null);
  const place = await nearOf(context, request);
  const danger = await findSearchDanger(ctx, state.text, place);
  const found = await listDoctors(ctx, {
    near: place,
    text: state.text,
    filters,
    sort: state.sort,
    reversed: state.reversed,
    limit: state.show,
    offset: state.from,
    ...(specialty ? { specialty } : {}),
    ...(category ? { category } : {}),
  });
  const liked = await favouritesAmong(
    ctx,
    found.doctors.map(({ id }) => id),
  );
  const { origin } = env().appUrl;
  return {
    ...found,
    liked,
    state,
    filters,
    specialty,
    category,
    city: placeWord(place.name),
    isExact: place.exact,
    today: todayInIndia(ctx.now),
    origin,
    ...(danger && { danger }),
  };
});

const SORT_WORDS: Record<DoctorSort, SortWords[string]> = {
  default: () => [m.directory_sort_default(), m.directory_default_first(), m.directory_default_last()],
  distance: () => [m.directory_sort_distance(), m.directory_nearest(), m.directory_farthest()],
  soonest: () => [m.directory_sort_soonest(), m.directory_soonest(), null],
  review: () => [m.directory_sort_review(), m.directory_best_rated(), m.directory_lowest_rated()],
  liked: () => [m.directory_sort_liked(), m.directory_liked_first(), m.directory_liked_last()],
  experience: () => [m.directory_sort_experience(), m.directory_most_experience(), m.directory_least_experience()],
  fee: () => [m.directory_sort_fee(), m.directory_lowest_fee(), m.directory_highest_fee()],
  name: () => [m.directory_sort_name(), m.directory_a_to_z(), m.directory_z_to_a()],
};
type Data = Route.ComponentProps["loaderData"];

export default function DoctorList({ loaderData }: Route.ComponentProps) {
  const { doctors, total, uncounted, similar, meant, state, filters, specialty, category, city, isExact, danger } = loaderData;
  const more = { specialty, category, ...filters };
  const list = { path: PATH, state, more };
  const chip = (chosen: string | null, label: string) => ({
    to: listPath(PATH, fromStart(state), { specialty: chosen, ...filters }),
    label,
    current: specialty === chosen && !category,
  });
  return (
    <Page wide title={category ? m.patients_category_doctors({ category: specialtyWord(category) }) : m.doctors_all()} back={{ to: HOME }}>
      <div className="*:min-w-0 desktop:grid desktop:grid-cols-[minmax(0,17rem)_minmax(0,1fr)] desktop:gap-8 desktop:items-start">
        <div>
          <ListForm
            {...list}
            label={m.directory_search_doctors()}
            placeholder={m.directory_search_doctors_hint()}
            sorts={SORT_WORDS}
            below={<SearchDanger danger={danger} />}
            filters={{
              names: FILTER_NAMES,
              head: <FiltersHead filters={filters} />,
              fields: <FilterFields filters={filters} />,
              submit: m.directory_show_doctors(),
            }}
          />
          <FiltersInUse filters={filters} to={(left) => listPath(PATH, fromStart(state), { specialty, category, ...left })} />
        </div>
        <div>
          <Chips
            label={m.doctors_specialties()}
            chips={[chip(null, m.doctors_specialty_all()), ...SPECIALTY_CHIPS.map((name) => chip(name, specialtyWord(name)))]}
          />
          <ListStatus
            path={PATH}
            loading={m.directory_loading_doctors()}
            count={m.doctors_count({ count: countWord({ total, uncounted }) })}
            centre={isExact || doctors.length === 0 ? null : city}
            similar={similar}
            meant={meant && m.directory_meant({ text: state.text, doctor: specialtyWord(meant) })}
            text={state.text}
          />
          {doctors.length === 0 ? (
            <Nothing {...loaderData} />
          ) : (
            <>
              <Cards {...loaderData} />
              <ListEnd {...list} shown={doctors.length} total={total} uncounted={uncounted} />
            </>
          )}
        </div>
      </div>
    </Page>
  );
}

function Cards({ doctors, state, city, near, specialty, category, liked, today }: Data) {
  const kind = specialty ?? category;
  const none = kind
    ? m.patients_category_none({ category: specialtyWord(kind), city })
    : m.patients_no_doctors_near({ city, km: String(NEAR_KM) });
  return (
    <NearSections
      list={doctors}
      nearFirst={isNearFirst(state)}
      none={near === 0 ? none : null}
      label={m.directory_doctors()}
      card={(doctor, i) => (
        <DoctorCard key={doctor.id} id={stepId(state.from + i)} doctor={doctor} today={today} favourite={liked.has(doctor.id)} />
      )}
    />
  );
}

/** No match. Inside a chip it names the chip and offers the search in all doctors. */
function Nothing({ state, filters, specialty, category, city }: Data) {
  const kind = specialty ?? category;
  const filtered = filtersInUse(filters).length > 0;
  if (kind && state.text)
    return (
      <EmptyState
        drawing="nothing-found"
        title={m.directory_none_in_chip({ kind: specialtyWord(kind), text: state.text })}
        action={<LinkButton to={listPath(PATH, fromStart(state), filters)}>{m.directory_search_all()}</LinkButton>}
      />
    );
  if (kind && !filtered)
    return (
      <EmptyState
        drawing="nothing-found"
        title={m.patients_category_none({ category: specialtyWord(kind), city })}
        action={<LinkButton to={PATH}>{m.doctors_all()}</LinkButton>}
      />
    );
  return (
    <EmptyState drawing="nothing-found" title={m.doctors_none_title()} action={<LinkButton to={PATH}>{m.directory_reset()}</LinkButton>}>
      {m.doctors_none_match()}
    </EmptyState>
  );
}

/** Search engines index the whole list and that of each specialty, but no searches. */
export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  if (matches[1].loaderData?.patient || !loaderData) return [{ title: m.ui_title({ page: m.doctors_all() }) }];
  const { state, filters, specialty, category, origin } = loaderData;
  const narrowed = state.text || category || filtersInUse(filters).length > 0;
  const url = narrowed ? null : origin + listPath(PATH, { ...fromStart(state), sort: "default", reversed: false }, { specialty });
  return publicPage({ title: m.doctors_all(), description: m.doctors_list_description(), url });
};

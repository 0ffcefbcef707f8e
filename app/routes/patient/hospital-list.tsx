import { href } from "react-router";
import { NearSections } from "#app/domains/directory/components/near-sections.tsx";
import { favouritesAmong } from "#app/domains/directory/favourites/queries.server.ts";
import { HospitalCard } from "#app/domains/directory/hospitals/components/hospital-card.tsx";
import { HOSPITAL_FILTERS, HOSPITAL_SORTS, type HospitalSort, listHospitals } from "#app/domains/directory/hospitals/directory.server.ts";
import { getDirectoryFigures } from "#app/domains/directory/hospitals/statistics.server.ts";
import { NEAR_KM } from "#app/domains/directory/near-km.ts";
import { countWord, ListEnd, ListForm, ListStatus, type SortWords } from "#app/domains/directory/search/components/list-parts.tsx";
import { fromStart, isNearFirst, listPath, readListState, stepId } from "#app/domains/directory/search/list-state.ts";
import { SearchDanger } from "#app/domains/guidance/emergency/components/search-danger.tsx";
import { findSearchDanger } from "#app/domains/guidance/emergency/find-danger.server.ts";
import { placeWord } from "#app/domains/platform/location/place-names.ts";
import { loadOpen } from "#app/http/open-load.server.ts";
import { nearOf } from "#app/http/place.server.ts";
import { publicPage } from "#app/http/public-page.ts";
import { withUnavailableMessage } from "#app/http/refusals.server.ts";
import { formatCount } from "#app/lib/numbers.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { LinkButton } from "#app/ui/button.tsx";
import type { PageHandle } from "#app/ui/document.tsx";
import { Chips } from "#app/ui/nav.tsx";
import { HOME, Page } from "#app/ui/shell.tsx";
import { EmptyState } from "#app/ui/states.tsx";
import type { Route } from "./+types/hospital-list.ts";

export const handle = { cache: 15 } satisfies PageHandle;

const PATH = href("/hospitalpages/Cards-data");

/** Switches in the address: `?open=1`. */
const SWITCHES = ["open", "emergency", "nearby"] as const;
type Switch = (typeof SWITCHES)[number];
const SWITCH_WORDS: Record<Switch, () => string> = {
  open: () => m.directory_filter_open(),
  emergency: () => m.directory_filter_emergency(),
  nearby: () => m.directory_filter_near(),
};

/** The whole state of the list is its URL. */
export const loader = loadOpen((ctx, { context, request, url }: Route.LoaderArgs) =>
  withUnavailableMessage(m.directory_failed_hospitals, async () => {
    const state = readListState(url.searchParams, HOSPITAL_SORTS);
    const doctors = HOSPITAL_FILTERS.find((one) => one === url.searchParams.get("doctors")) ?? null;
    const switches = Object.fromEntries(SWITCHES.map((name) => [name, url.searchParams.get(name) === "1" ? "1" : null])) as Record<
      Switch,
      "1" | null
    >;
    const place = await nearOf(context, request);
    const [found, figures, danger] = await Promise.all([
      listHospitals(ctx, {
        near: place,
        open: switches.open !== null,
        emergency: switches.emergency !== null,
        nearby: switches.nearby !== null,
        text: state.text,
        sort: state.sort,
        reversed: state.reversed,
        limit: state.show,
        offset: state.from,
        ...(doctors && { doctors }),
      }),
      getDirectoryFigures(ctx),
      findSearchDanger(ctx, state.text, place),
    ]);
    const liked = await favouritesAmong(
      ctx,
      found.hospitals.map(({ id }) => id),
    );
    return {
      ...found,
      figures,
      liked,
      state,
      doctors,
      switches,
      city: placeWord(place.name),
      isExact: place.exact,
      origin: env().appUrl.origin,
      ...(danger && { danger }),
    };
  }),
);

const SORT_WORDS: Record<HospitalSort, SortWords[string]> = {
  default: () => [m.directory_sort_default(), m.directory_default_first(), m.directory_default_last()],
  name: () => [m.directory_sort_name(), m.directory_a_to_z(), m.directory_z_to_a()],
  distance: () => [m.directory_sort_distance(), m.directory_nearest(), m.directory_farthest()],
  review: () => [m.directory_sort_review(), m.directory_best_rated(), m.directory_lowest_rated()],
  doctors: () => [m.directory_sort_doctors(), m.directory_most_doctors(), m.directory_fewest_doctors()],
  liked: () => [m.directory_sort_liked(), m.directory_liked_first(), m.directory_liked_last()],
};

type Data = Route.ComponentProps["loaderData"];

export default function HospitalList({ loaderData }: Route.ComponentProps) {
  const { hospitals, total, uncounted, similar, figures, state, doctors, switches, city, isExact, danger } = loaderData;
  const list = { path: PATH, state, more: { doctors, ...switches } };
  const chip = (chosen: typeof doctors, label: string) => ({
    to: listPath(PATH, fromStart(state), { doctors: chosen, ...switches }),
    label,
    current: doctors === chosen,
  });
  const toggle = (name: Switch) => ({
    to: listPath(PATH, fromStart(state), { doctors, ...switches, [name]: switches[name] ? null : "1" }),
    label: SWITCH_WORDS[name](),
    current: switches[name] !== null,
  });
  return (
    <Page wide title={m.directory_all_hospitals()} back={{ to: HOME }}>
      <p className="text-sm text-ink-soft mb-3">
        {m.directory_counts({
          hospitals: formatCount(figures.hospitals),
          withDoctors: formatCount(figures.withDoctors),
          doctors: formatCount(figures.doctors),
        })}
      </p>
      <ListForm
        {...list}
        label={m.directory_search_hospitals()}
        placeholder={m.directory_search_hospitals_hint()}
        sorts={SORT_WORDS}
        below={<SearchDanger danger={danger} />}
      />
      <Chips label={m.directory_filter_hospitals()} chips={SWITCHES.map(toggle)} />
      <Chips
        label={m.directory_filter()}
        chips={[
          chip(null, m.directory_filter_all()),
          chip("available", m.directory_filter_available()),
          chip("none", m.directory_filter_none()),
        ]}
      />
      <ListStatus
        path={PATH}
        loading={m.directory_loading_hospitals()}
        opening={{ under: "/hospital/", word: m.directory_loading_hospital() }}
        count={m.directory_hospital_count({ count: countWord({ total, uncounted }) })}
        centre={isExact || hospitals.length === 0 ? null : city}
        similar={similar}
        text={state.text}
      />
      <Hospitals {...loaderData} list={list} />
    </Page>
  );
}

const Hospitals = ({
  hospitals,
  total,
  uncounted,
  liked,
  state,
  near,
  city,
  list,
}: Data & { list: Pick<Parameters<typeof ListEnd>[0], "path" | "state" | "more"> }) =>
  hospitals.length === 0 ? (
    <EmptyState
      drawing="nothing-found"
      title={m.directory_no_hospitals()}
      action={<LinkButton to={PATH}>{m.directory_reset()}</LinkButton>}
    >
      {m.directory_no_hospitals_text()}
    </EmptyState>
  ) : (
    <>
      <NearSections
        list={hospitals}
        nearFirst={isNearFirst(state)}
        none={near === 0 ? m.patients_no_hospitals_near({ city, km: String(NEAR_KM) }) : null}
        label={m.patients_place_hospitals()}
        card={(hospital, i) => (
          <HospitalCard key={hospital.id} id={stepId(state.from + i)} hospital={hospital} favourite={liked.has(hospital.id)} />
        )}
      />
      <ListEnd {...list} shown={hospitals.length} total={total} uncounted={uncounted} />
    </>
  );

/** Search engines index the whole list, but no searches. */
export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  if (matches[1].loaderData?.patient || !loaderData) return [{ title: m.ui_title({ page: m.directory_all_hospitals() }) }];
  const { state, switches, origin } = loaderData;
  const url =
    state.text || Object.values(switches).some(Boolean)
      ? null
      : origin + listPath(PATH, { ...fromStart(state), sort: "default", reversed: false });
  return publicPage({ title: m.directory_all_hospitals(), description: m.directory_hospitals_description(), url });
};

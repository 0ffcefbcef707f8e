import { href } from "react-router";
import { DoctorCard } from "#app/domains/directory/doctors/components/doctor-card.tsx";
import { specialtyWord } from "#app/domains/directory/doctors/names.ts";
import { DOCTOR_SORTS, type DoctorSort, listDoctors } from "#app/domains/directory/doctors/queries.server.ts";
import { favouritesAmong } from "#app/domains/directory/favourites/queries.server.ts";
import { countWord, ListEnd, ListForm, ListStatus } from "#app/domains/directory/search/components/list-parts.tsx";
import { fromStart, listPath, readListState, stepId } from "#app/domains/directory/search/list-state.ts";
import { CATEGORIES, SPECIALTY_CHIPS } from "#app/domains/directory/specialties.ts";
import { ctxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { nearOf } from "#app/http/place.server.ts";
import { publicPage } from "#app/http/public-page.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Chips } from "#app/ui/nav.tsx";
import { Page } from "#app/ui/shell.tsx";
import { EmptyState } from "#app/ui/states.tsx";
import type { Route } from "./+types/doctor-list.ts";

export const handle = { cache: 15 };

const PATH = href("/doctorspages/Cards-data");

/** The whole state of the list is its URL. */
export const loader = load(async ({ context, request, url }: Route.LoaderArgs) => {
  const ctx = ctxOf(context);
  const state = readListState(url.searchParams, DOCTOR_SORTS);
  const specialty = SPECIALTY_CHIPS.find((s) => s === url.searchParams.get("specialty")) ?? null;
  const category = specialty ? null : (CATEGORIES.find((c) => c === url.searchParams.get("category")) ?? null);
  const found = await listDoctors(ctx, {
    near: await nearOf(context, request),
    text: state.text,
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
  return { ...found, liked, state, specialty, category, today: todayInIndia(ctx.now), origin: env().appUrl.origin };
});

const SORT_WORDS: Record<DoctorSort, () => [label: string, first: string, reversed: string]> = {
  default: () => [m.directory_sort_default(), m.directory_a_to_z(), m.directory_z_to_a()],
  distance: () => [m.directory_sort_distance(), m.directory_nearest(), m.directory_farthest()],
  review: () => [m.directory_sort_review(), m.directory_best_rated(), m.directory_lowest_rated()],
  liked: () => [m.directory_sort_liked(), m.directory_liked_first(), m.directory_liked_last()],
  experience: () => [m.directory_sort_experience(), m.directory_most_experience(), m.directory_least_experience()],
  fee: () => [m.directory_sort_fee(), m.directory_lowest_fee(), m.directory_highest_fee()],
};

export default function DoctorList({ loaderData }: Route.ComponentProps) {
  const { doctors, total, uncounted, similar, liked, today, state, specialty, category } = loaderData;
  const list = { path: PATH, state, more: { specialty, category } };
  const chip = (chosen: string | null, label: string) => ({
    to: listPath(PATH, fromStart(state), { specialty: chosen }),
    label,
    current: specialty === chosen && !category,
  });
  return (
    <Page
      wide
      title={category ? m.patients_category_doctors({ category: specialtyWord(category) }) : m.doctors_all()}
      back={{ to: href("/patient-dashboard") }}
    >
      <ListForm {...list} label={m.directory_search_doctors()} placeholder={m.directory_search_doctors_hint()} sorts={SORT_WORDS} />
      <Chips
        label={m.doctors_specialties()}
        chips={[chip(null, m.doctors_specialty_all()), ...SPECIALTY_CHIPS.map((name) => chip(name, specialtyWord(name)))]}
      />
      <ListStatus
        path={PATH}
        loading={m.directory_loading_doctors()}
        count={m.doctors_count({ count: countWord({ total, uncounted }) })}
        similar={similar}
        text={state.text}
      />
      {doctors.length === 0 ? (
        <EmptyState
          drawing="nothing-found"
          title={m.doctors_none_title()}
          action={<LinkButton to={PATH}>{m.directory_reset()}</LinkButton>}
        >
          {m.doctors_none_match()}
        </EmptyState>
      ) : (
        <>
          <h2 className="vh">{m.directory_doctors()}</h2>
          <div className="grid2">
            {doctors.map((doctor, i) => (
              <DoctorCard key={doctor.id} id={stepId(state.from + i)} doctor={doctor} today={today} favourite={liked.has(doctor.id)} />
            ))}
          </div>
          <ListEnd {...list} shown={doctors.length} total={total} uncounted={uncounted} />
        </>
      )}
    </Page>
  );
}

/** Search engines index the whole list and that of each specialty, but no searches. */
export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  if (matches[1].loaderData?.patient || !loaderData) return [{ title: m.ui_title({ page: m.doctors_all() }) }];
  const { state, specialty, category, origin } = loaderData;
  const url =
    state.text || category ? null : origin + listPath(PATH, { ...fromStart(state), sort: "default", reversed: false }, { specialty });
  return publicPage({ title: m.doctors_all(), description: m.doctors_list_description(), url });
};

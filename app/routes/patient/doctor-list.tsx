import { Form } from "react-router";
import { DoctorCard } from "#app/domains/doctors/components/doctor-card.tsx";
import { type DoctorSort, listDoctors } from "#app/domains/doctors/queries.server.ts";
import { SPECIALTY_CHIPS } from "#app/domains/doctors/specialties.ts";
import { favouritesAmong } from "#app/domains/favourites/queries.server.ts";
import { DEFAULT_PLACE, getPatientHead } from "#app/domains/patients/queries.server.ts";
import { actorCtxOf, ctxOf, sessionContext } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Chips } from "#app/ui/nav.tsx";
import { Page } from "#app/ui/shell.tsx";
import { EmptyState, Pagination } from "#app/ui/states.tsx";
import type { Route } from "./+types/doctor-list.ts";

export const handle = { cache: 15 };

const PATH = "/doctorspages/Cards-data";
const PAGE = 12;
const SORTS = ["default", "distance", "review", "liked", "experience", "fee"] as const satisfies readonly DoctorSort[];

/** The whole state of the list is its URL. */
export const loader = load(async ({ context, request }: Route.LoaderArgs) => {
  const ctx = ctxOf(context);
  const query = new URL(request.url).searchParams;
  const text = (query.get("q") ?? "").trim().slice(0, 80);
  const specialty = SPECIALTY_CHIPS.find((s) => s === query.get("specialty")) ?? null;
  const sort = SORTS.find((s) => s === query.get("sort")) ?? "default";
  const direction = query.get("dir") === "desc" ? ("desc" as const) : ("asc" as const);
  const page = Math.min(500, Math.max(1, Math.floor(Number(query.get("page")) || 1)));
  const { place } = context.get(sessionContext)?.role === "patient" ? await getPatientHead(actorCtxOf(context)) : { place: DEFAULT_PLACE };
  const found = await listDoctors(ctx, {
    near: place,
    sort,
    direction,
    limit: PAGE,
    offset: (page - 1) * PAGE,
    ...(text ? { text } : {}),
    ...(specialty ? { specialty } : {}),
  });
  const liked = await favouritesAmong(
    ctx,
    found.doctors.map(({ id }) => id),
  );
  return { ...found, liked, text, specialty, sort, direction, page, today: todayInIndia(ctx.now) };
});

type State = Pick<Route.ComponentProps["loaderData"], "text" | "specialty" | "sort" | "direction" | "page">;
/** The list's address with some of its state changed; defaults are left out, and a change begins at the first page. */
function addressOf(state: State, change: Partial<State>): string {
  const next = { ...state, page: 1, ...change };
  const query = new URLSearchParams();
  if (next.text) query.set("q", next.text);
  if (next.specialty) query.set("specialty", next.specialty);
  if (next.sort !== "default") query.set("sort", next.sort);
  if (next.direction !== "asc") query.set("dir", next.direction);
  if (next.page > 1) query.set("page", String(next.page));
  return `${PATH}${query.size ? `?${query}` : ""}`;
}

const SORT_WORDS: Record<DoctorSort, () => string> = {
  default: () => m.doctors_sort_default(),
  distance: () => m.doctors_sort_distance(),
  review: () => m.doctors_sort_review(),
  liked: () => m.doctors_sort_liked(),
  experience: () => m.doctors_sort_experience(),
  fee: () => m.doctors_sort_fee(),
};

export default function DoctorList({ loaderData }: Route.ComponentProps) {
  const { doctors, total, liked, today, ...state } = loaderData;
  const pages = Math.ceil(total / PAGE);
  return (
    <Page wide title={m.doctors_all()} back={{ to: "/patient-dashboard" }}>
      <Form action={PATH} role="search" key={`${state.text}|${state.sort}|${state.direction}`}>
        {state.specialty && <input type="hidden" name="specialty" value={state.specialty} />}
        <div className="search">
          <label className="vh" htmlFor="q">
            {m.doctors_search_label()}
          </label>
          <Icon name="search" />
          <input className="input" id="q" name="q" type="search" defaultValue={state.text} placeholder={m.doctors_search_placeholder()} />
        </div>
        <div className="row wrap sorts">
          <label className="label" htmlFor="sort">
            {m.doctors_sort()}
          </label>
          <select className="input" id="sort" name="sort" defaultValue={state.sort}>
            {SORTS.map((sort) => (
              <option key={sort} value={sort}>
                {SORT_WORDS[sort]()}
              </option>
            ))}
          </select>
          <select className="input" name="dir" aria-label={m.doctors_direction()} defaultValue={state.direction}>
            <option value="asc">{m.doctors_ascending()}</option>
            <option value="desc">{m.doctors_descending()}</option>
          </select>
          <Button type="submit" variant="second">
            {m.doctors_show()}
          </Button>
        </div>
      </Form>
      <Chips
        label={m.doctors_specialties()}
        chips={[
          { to: addressOf(state, { specialty: null }), label: m.doctors_specialty_all(), current: state.specialty === null },
          ...SPECIALTY_CHIPS.map((specialty) => ({
            to: addressOf(state, { specialty }),
            label: specialty,
            current: state.specialty === specialty,
          })),
        ]}
      />
      {doctors.length === 0 ? (
        <EmptyState drawing="find" title={m.doctors_none_title()} action={<LinkButton to={PATH}>{m.doctors_reset()}</LinkButton>}>
          {m.doctors_none_match()}
        </EmptyState>
      ) : (
        <>
          <p className="soft small mb" role="status">
            {m.doctors_count({ count: total })}
          </p>
          <div className="grid2">
            {doctors.map((doctor) => (
              <DoctorCard key={doctor.id} doctor={doctor} today={today} favourite={liked.has(doctor.id)} />
            ))}
          </div>
          {pages > 1 && (
            <Pagination
              label={m.ui_pages()}
              previous={state.page > 1 ? { to: addressOf(state, { page: state.page - 1 }), label: m.ui_previous() } : null}
              next={state.page < pages ? { to: addressOf(state, { page: state.page + 1 }), label: m.ui_next() } : null}
              caption={m.ui_page_of({ page: state.page, pages })}
            />
          )}
        </>
      )}
    </Page>
  );
}

/** The description is for search engines, which are visitors. */
export const meta: Route.MetaFunction = ({ matches }) => [
  { title: m.ui_title({ page: m.doctors_all() }) },
  ...(matches[1].loaderData?.patient ? [] : [{ name: "description", content: m.doctors_list_description() }]),
];

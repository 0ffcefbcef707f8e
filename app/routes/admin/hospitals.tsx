import { href } from "react-router";
import { HospitalBadge } from "#app/domains/credentials/hospitals/components/hospital-badge.tsx";
import { HospitalFilterSchema } from "#app/domains/credentials/hospitals/hospital-filter.schema.ts";
import { listHospitalCities, listHospitalsInStatus } from "#app/domains/credentials/hospitals/queries.server.ts";
import { HOSPITAL_SORTS, type HospitalSort, REVIEWER_FILTERS } from "#app/domains/credentials/hospitals/sorts.ts";
import { hospitalStatusWord } from "#app/domains/credentials/hospitals/words.ts";
import { hospitalKindWord } from "#app/domains/directory/hospitals/words.ts";
import { toLastPage } from "#app/http/list-page.server.ts";
import { given, listAddress, listState, listStatus } from "#app/http/list-state.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { formatDate, todayInIndia } from "#app/lib/dates.ts";
import { readFilter } from "#app/lib/list-filter.ts";
import { HOSPITAL_CATEGORIES, type HospitalCategory } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { SortChips } from "#app/ui/nav.tsx";
import { Badge } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { Filters } from "#app/ui/staff/filters.tsx";
import { RowLink, RowsTable } from "#app/ui/staff/table.tsx";
import { EmptyState, Pages } from "#app/ui/states.tsx";
import type { Route } from "./+types/hospitals.ts";
import { CountChips, ListSearch } from "./list-parts.tsx";

const SORT_WORDS: Record<HospitalSort, () => string> = {
  city: () => m.admin_col_city(),
  newest: () => m.admin_sort_newest_account(),
  doctors: () => m.admin_sort_most_doctors(),
};
const REVIEWER_WORDS: Record<(typeof REVIEWER_FILTERS)[number], () => string> = {
  with: () => m.admin_filter_with_reviewers(),
  without: () => m.admin_filter_without_reviewers(),
};
const reviewerWord = (value: string) => REVIEWER_WORDS[value as keyof typeof REVIEWER_WORDS]();
const kindWord = (value: string) => hospitalKindWord(value as HospitalCategory);
const STATUSES = ["active", "pending", "refused", "merged"] as const;
type Status = (typeof STATUSES)[number];

export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const { query, search, page } = listState(request);
  const filter = readFilter(query, HospitalFilterSchema);
  const filtered = Object.keys(given(filter)).length > 0;
  const { chosen, status } = listStatus(query, STATUSES, search !== "" || filtered);
  const sort = HOSPITAL_SORTS.find((s) => s === query.get("sort")) ?? null;
  const [list, cities] = await Promise.all([listHospitalsInStatus(ctx, { status, search, page, sort, filter }), listHospitalCities(ctx)]);
  toLastPage(request, page, list.total);
  return { status, chosen, search, page, sort, filter, filtered, cities, ...list };
});

type Data = Route.ComponentProps["loaderData"];

export default function AdminHospitals({ loaderData }: Route.ComponentProps) {
  const { status, chosen, search, page, sort, filter, cities, rows, total, all, hasMore, counts } = loaderData;
  const preserve = given({ q: search, status: chosen, sort });
  const address = (change: { status?: Status | "all"; q?: string; page?: number; sort?: HospitalSort | "" }) =>
    listAddress(href("/admin/hospitals"), { q: search, status: status ?? "all", sort: sort ?? "", ...filter, ...change });
  const reset = listAddress(href("/admin/hospitals"), preserve);
  return (
    <Page wide title={m.admin_hospitals_title()}>
      <CountChips
        label={m.admin_hospitals_statuses()}
        chips={[
          { to: address({ status: "all" }), label: m.admin_users_all(), count: all, current: status === null },
          ...STATUSES.map((s) => ({ to: address({ status: s }), label: hospitalStatusWord(s), count: counts[s], current: s === status })),
        ]}
      />
      <ListSearch
        action={href("/admin/hospitals")}
        preserve={given({ ...filter, sort })}
        label={m.admin_hospitals_search()}
        placeholder={m.admin_hospitals_search_placeholder()}
        text={search}
        clear={address({ q: "" })}
      />
      <HospitalFilters filter={filter} cities={cities} preserve={preserve} reset={reset} />
      <p className="mb-3">
        <LinkButton to={href("/admin/hospitals/new")} variant="quiet" size="sm" icon="plus" className="pl-0">
          {m.admin_hospitals_add()}
        </LinkButton>
      </p>
      {rows.length > 1 && (
        <SortChips
          label={m.admin_sort()}
          chips={[
            {
              to: address({ sort: "" }),
              label: status === "pending" ? m.admin_sort_oldest_account() : m.admin_sort_name(),
              current: sort === null,
            },
            ...HOSPITAL_SORTS.map((s) => ({ to: address({ sort: s }), label: SORT_WORDS[s](), current: s === sort })),
          ]}
        />
      )}
      {rows.length ? <HospitalRows rows={rows} /> : <NoHospitals {...loaderData} clear={address({ q: "" })} reset={reset} />}
      <Pages page={page} hasMore={hasMore} to={(page) => address({ page })} of={{ rows: rows.length, total }} />
    </Page>
  );
}

type NoneProps = Pick<Data, "search" | "filtered" | "all" | "counts"> & { clear: string; reset: string };
/** Why the list is empty. `clear`, `reset`: its URLs without the search and without the filters. */
const NoHospitals = ({ search, filtered, all, counts, clear, reset }: NoneProps) =>
  search ? (
    <EmptyState
      drawing="nothing-found"
      title={m.admin_merge_none()}
      action={
        <LinkButton to={clear} variant="second">
          {m.cases_clear_search()}
        </LinkButton>
      }
    >
      {Object.values(counts).some(Boolean) && m.cases_found_elsewhere()}
    </EmptyState>
  ) : filtered ? (
    <EmptyState
      drawing="nothing-found"
      title={m.admin_filter_none_hospitals()}
      action={<LinkButton to={reset}>{m.ui_filter_reset()}</LinkButton>}
    >
      {all ? m.cases_found_elsewhere() : m.admin_filter_none_text()}
    </EmptyState>
  ) : (
    <EmptyState drawing="care" title={m.admin_hospitals_none()}>
      {m.admin_hospitals_none_text()}
    </EmptyState>
  );

const HospitalFilters = ({
  filter,
  cities,
  preserve,
  reset,
}: Pick<Data, "filter" | "cities"> & { preserve: Record<string, string>; reset: string }) => (
  <Filters
    action={href("/admin/hospitals")}
    preserve={preserve}
    reset={reset}
    filters={[
      { name: "city", label: m.admin_col_city(), values: cities, value: filter.city },
      { name: "category", label: m.admin_hospital_category(), values: HOSPITAL_CATEGORIES, word: kindWord, value: filter.category },
      { name: "reviewers", label: m.admin_col_reviewers(), values: REVIEWER_FILTERS, word: reviewerWord, value: filter.reviewers },
      { name: "from", type: "date", label: m.admin_filter_added_from(), value: filter.from },
      { name: "to", type: "date", label: m.admin_filter_added_to(), value: filter.to },
    ]}
  />
);

const HospitalRows = ({ rows }: Pick<Data, "rows">) => (
  <RowsTable
    caption={m.admin_hospitals_title()}
    heads={[m.admin_col_name(), m.admin_col_city(), m.admin_col_doctors(), m.admin_col_reviewers(), m.cases_col_status()]}
  >
    {rows.map((h) => (
      <tr key={h.id}>
        <td>
          <RowLink to={href("/admin/hospitals/:id", { id: h.id })}>{h.name}</RowLink>
          <p className="text-sm text-ink-soft">{h.address}</p>
        </td>
        <td>{h.city}</td>
        <td data-label={m.admin_col_doctors()}>{h.doctors}</td>
        <td data-label={m.admin_col_reviewers()}>{h.reviewers}</td>
        <td>
          <span className="row flex-wrap">
            <HospitalBadge status={h.status} />
            {h.status === "pending" && <span className="text-sm text-ink-soft">{formatDate(todayInIndia(h.createdAt))}</span>}{" "}
            {h.isDemo && <Badge>{m.ui_demo()}</Badge>}
          </span>
        </td>
      </tr>
    ))}
  </RowsTable>
);

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.admin_hospitals_title() }) }];

import { Form, href } from "react-router";
import { CaseFilterSchema } from "#app/domains/credentials/cases/case-filter.schema.ts";
import { ADMIN_STATUSES, ASSIGNED, CASE_SORTS, type CaseSort } from "#app/domains/credentials/cases/case-lists.ts";
import { listCaseChoices, listDoctorCases } from "#app/domains/credentials/cases/case-queries.server.ts";
import { CaseTable } from "#app/domains/credentials/cases/components/case-table.tsx";
import { statusWord } from "#app/domains/credentials/cases/words.ts";
import { specialtyWord } from "#app/domains/directory/doctors/names.ts";
import { SPECIALTIES } from "#app/domains/directory/specialties.ts";
import { toLastPage } from "#app/http/list-page.server.ts";
import { given, listAddress, listState, listStatus } from "#app/http/list-state.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { readFilter } from "#app/lib/list-filter.ts";
import { m } from "#app/paraglide/messages.js";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { SortChips } from "#app/ui/nav.tsx";
import { Page } from "#app/ui/shell.tsx";
import { Filters } from "#app/ui/staff/filters.tsx";
import { EmptyState, Pages } from "#app/ui/states.tsx";
import type { Route } from "./+types/doctors.ts";
import { CountChips, ListSearch } from "./list-parts.tsx";

type Status = (typeof ADMIN_STATUSES)[number];

const isAssignable = (line: { status: string }) => line.status === "under review by hospital";
const ASSIGNED_WORDS: Record<(typeof ASSIGNED)[number], () => string> = {
  assigned: () => m.admin_filter_assigned(),
  unassigned: () => m.cases_unassigned(),
};
const assignedWord = (value: string) => ASSIGNED_WORDS[value as keyof typeof ASSIGNED_WORDS]();

export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const { query, search, page } = listState(request);
  const filter = readFilter(query, CaseFilterSchema);
  const filtered = Object.keys(given(filter)).length > 0;
  const { chosen, status } = listStatus(query, ADMIN_STATUSES, search !== "" || filtered);
  const sort = CASE_SORTS.find((s) => s === query.get("sort")) ?? null;
  const [list, choices] = await Promise.all([listDoctorCases(ctx, { status, search, page, sort, filter }), listCaseChoices(ctx)]);
  toLastPage(request, page, list.total);
  return { status, chosen, search, page, sort, filter, filtered, choices, now: ctx.now, ...list };
});

type Data = Route.ComponentProps["loaderData"];

export default function AdminDoctors({ loaderData }: Route.ComponentProps) {
  const { status, chosen, search, page, sort, filter, choices, now, rows, total, all, hasMore, counts } = loaderData;
  const preserve = given({ q: search, status: chosen, sort });
  const address = (change: { status?: Status | "all"; q?: string; page?: number; sort?: CaseSort | "" }) =>
    listAddress(href("/admin/doctors"), { q: search, status: status ?? "all", sort: sort ?? "", ...filter, ...change });
  const reset = listAddress(href("/admin/doctors"), preserve);
  return (
    <Page wide title={m.admin_doctors_title()}>
      <CountChips
        label={m.admin_doctors_statuses()}
        chips={[
          { to: address({ status: "all" }), label: m.admin_users_all(), count: all, current: status === null },
          ...ADMIN_STATUSES.map((s) => ({
            to: address({ status: s }),
            label: statusWord(s),
            count: counts[s] ?? 0,
            current: s === status,
          })),
        ]}
      />
      <ListSearch
        action={href("/admin/doctors")}
        preserve={given({ ...filter, sort })}
        label={m.admin_doctors_search()}
        placeholder={m.admin_doctors_search_placeholder()}
        text={search}
        clear={address({ q: "" })}
      />
      <DoctorFilters filter={filter} choices={choices} preserve={preserve} reset={reset} />
      {rows.length > 1 && (
        <SortChips
          label={m.admin_sort()}
          chips={[
            { to: address({ sort: "" }), label: m.admin_sort_waiting(), current: sort === null },
            { to: address({ sort: "name" }), label: m.admin_sort_name(), current: sort === "name" },
            { to: address({ sort: "city" }), label: m.admin_col_city(), current: sort === "city" },
            { to: address({ sort: "registered" }), label: m.admin_sort_registered(), current: sort === "registered" },
            { to: address({ sort: "newest" }), label: m.admin_sort_newest(), current: sort === "newest" },
            { to: address({ sort: "oldest" }), label: m.admin_sort_oldest(), current: sort === "oldest" },
          ]}
        />
      )}
      {rows.length ? (
        <Cases rows={rows} status={status} now={now} />
      ) : (
        <NoDoctors {...loaderData} clear={address({ q: "" })} reset={reset} />
      )}
      <Pages page={page} hasMore={hasMore} to={(page) => address({ page })} of={{ rows: rows.length, total }} />
    </Page>
  );
}

type NoneProps = Pick<Data, "search" | "filtered" | "all" | "counts"> & { clear: string; reset: string };
/** Why the list is empty. `clear`, `reset`: its URLs without the search and without the filters. */
const NoDoctors = ({ search, filtered, all, counts, clear, reset }: NoneProps) =>
  search ? (
    <EmptyState drawing="nothing-found" title={m.cases_none_found()} action={<LinkButton to={clear}>{m.cases_clear_search()}</LinkButton>}>
      {Object.values(counts).some(Boolean) ? m.cases_found_elsewhere() : m.cases_none_found_text()}
    </EmptyState>
  ) : filtered ? (
    <EmptyState
      drawing="nothing-found"
      title={m.admin_filter_none_doctors()}
      action={<LinkButton to={reset}>{m.ui_filter_reset()}</LinkButton>}
    >
      {all ? m.cases_found_elsewhere() : m.admin_filter_none_text()}
    </EmptyState>
  ) : (
    <EmptyState drawing="finished-today" title={m.admin_doctors_none()}>
      {m.admin_doctors_none_text()}
    </EmptyState>
  );

const DoctorFilters = ({
  filter,
  choices,
  preserve,
  reset,
}: Pick<Data, "filter" | "choices"> & { preserve: Record<string, string>; reset: string }) => (
  <Filters
    action={href("/admin/doctors")}
    preserve={preserve}
    reset={reset}
    filters={[
      { name: "city", label: m.admin_col_city(), values: choices.cities, value: filter.city },
      { name: "category", label: m.admin_filter_category(), values: SPECIALTIES, word: specialtyWord, value: filter.category },
      { name: "specialty", label: m.admin_filter_specialty(), values: choices.specialties, word: specialtyWord, value: filter.specialty },
      { name: "reviewer", label: m.admin_assign_reviewer(), values: ASSIGNED, word: assignedWord, value: filter.reviewer },
      { name: "from", type: "date", label: m.admin_filter_registered_from(), value: filter.from },
      { name: "to", type: "date", label: m.admin_filter_registered_to(), value: filter.to },
    ]}
  />
);

/** A GET form: the chosen cases are in the URL of the page that assigns them. */
const Cases = ({ rows, status, now }: Pick<Data, "rows" | "status" | "now">) => (
  <Form action={href("/admin/doctors/assign")}>
    <CaseTable
      label={status ? statusWord(status) : m.admin_users_all()}
      cases={rows}
      base={href("/admin/doctors")}
      now={now}
      registered
      choose={isAssignable}
    />
    {rows.some(isAssignable) && (
      <p className="mt-4">
        <Button type="submit" variant="second" icon="user-round">
          {m.admin_assign_selected()}
        </Button>
      </p>
    )}
  </Form>
);

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.admin_doctors_title() }) }];

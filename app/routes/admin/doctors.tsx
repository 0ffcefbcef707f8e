import { ADMIN_STATUSES, CASE_SORTS, type CaseSort } from "#app/domains/credentials/cases/case-lists.ts";
import { listDoctorCases } from "#app/domains/credentials/cases/case-queries.server.ts";
import { CaseTable } from "#app/domains/credentials/cases/components/case-table.tsx";
import { statusWord } from "#app/domains/credentials/cases/words.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { toLastPage } from "#app/http/list-page.server.ts";
import { listAddress, listState } from "#app/http/list-state.ts";
import { load } from "#app/http/load.server.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Finder } from "#app/ui/finder.tsx";
import { Chips, SortChips } from "#app/ui/nav.tsx";
import { Page } from "#app/ui/shell.tsx";
import { EmptyState, Pages } from "#app/ui/states.tsx";
import type { Route } from "./+types/doctors.ts";

type Status = (typeof ADMIN_STATUSES)[number];

export const loader = load(async ({ context, request }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  const { query, search, page } = listState(request);
  // A search without a status covers all statuses.
  const asked = query.get("status");
  const status = ADMIN_STATUSES.find((s) => s === asked) ?? (asked === "all" || search ? null : ADMIN_STATUSES[0]);
  const sort = CASE_SORTS.find((s) => s === query.get("sort")) ?? null;
  const list = await listDoctorCases(ctx, { status, search, page, sort });
  toLastPage(request, page, list.total);
  return { status, search, page, sort, now: ctx.now, ...list };
});

export default function AdminDoctors({ loaderData }: Route.ComponentProps) {
  const { status, search, page, sort, now, rows, total, all, hasMore, counts } = loaderData;
  const address = (change: { status?: Status | "all"; q?: string; page?: number; sort?: CaseSort | "" }) =>
    listAddress("/admin/doctors", { status: status ?? "all", q: search, sort: sort ?? "", ...change });
  return (
    <Page wide title={m.admin_doctors_title()}>
      <Chips
        label={m.admin_doctors_statuses()}
        chips={[
          {
            to: address({ status: "all" }),
            label: m.admin_chip_count({ label: m.admin_users_all(), count: String(all) }),
            current: status === null,
          },
          ...ADMIN_STATUSES.map((s) => ({
            to: address({ status: s }),
            label: m.admin_chip_count({ label: statusWord(s), count: String(counts[s] ?? 0) }),
            current: s === status,
          })),
        ]}
      />
      <Finder
        action="/admin/doctors"
        keep={sort ? { sort } : {}}
        label={m.admin_doctors_search()}
        placeholder={m.admin_doctors_search_placeholder()}
        text={search}
        button={m.cases_search()}
        clear={{ to: address({ q: "" }), label: m.cases_clear_search() }}
      />
      {rows.length > 1 && (
        <SortChips
          label={m.admin_sort()}
          chips={[
            { to: address({ sort: "" }), label: m.admin_sort_waiting(), current: sort === null },
            { to: address({ sort: "name" }), label: m.admin_sort_name(), current: sort === "name" },
            { to: address({ sort: "newest" }), label: m.admin_sort_newest(), current: sort === "newest" },
            { to: address({ sort: "oldest" }), label: m.admin_sort_oldest(), current: sort === "oldest" },
          ]}
        />
      )}
      {rows.length ? (
        <CaseTable label={status ? statusWord(status) : m.admin_users_all()} cases={rows} base="/admin/doctors" now={now} />
      ) : search ? (
        <EmptyState
          drawing="find"
          title={m.cases_none_found()}
          action={<LinkButton to={address({ q: "" })}>{m.cases_clear_search()}</LinkButton>}
        >
          {Object.values(counts).some(Boolean) ? m.cases_found_elsewhere() : m.cases_none_found_text()}
        </EmptyState>
      ) : (
        <EmptyState drawing="care" title={m.admin_doctors_none()}>
          {m.admin_doctors_none_text()}
        </EmptyState>
      )}
      <Pages page={page} hasMore={hasMore} to={(page) => address({ page })} of={{ rows: rows.length, total }} />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.admin_doctors_title() }) }];

import { HospitalBadge } from "#app/domains/credentials/hospitals/components/hospital-badge.tsx";
import { listHospitalsInStatus } from "#app/domains/credentials/hospitals/queries.server.ts";
import { HOSPITAL_SORTS, type HospitalSort } from "#app/domains/credentials/hospitals/sorts.ts";
import { hospitalStatusWord } from "#app/domains/credentials/hospitals/words.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { toLastPage } from "#app/http/list-page.server.ts";
import { listAddress, listState } from "#app/http/list-state.ts";
import { load } from "#app/http/load.server.ts";
import { formatDate, todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, LinkButton } from "#app/ui/button.tsx";
import { Finder } from "#app/ui/finder.tsx";
import { Chips, SortChips } from "#app/ui/nav.tsx";
import { Badge } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { EmptyState, Pages } from "#app/ui/states.tsx";
import type { Route } from "./+types/hospitals.ts";

const SORT_WORDS: Record<HospitalSort, () => string> = {
  city: () => m.admin_col_city(),
  newest: () => m.admin_sort_newest_account(),
  doctors: () => m.admin_sort_most_doctors(),
};
const STATUSES = ["active", "pending", "refused", "merged"] as const;
type Status = (typeof STATUSES)[number];

export const loader = load(async ({ context, request }: Route.LoaderArgs) => {
  const { query, search, page } = listState(request);
  // A search without a status covers all statuses.
  const asked = query.get("status");
  const status = STATUSES.find((s) => s === asked) ?? (asked === "all" || search ? null : "active");
  const sort = HOSPITAL_SORTS.find((s) => s === query.get("sort")) ?? null;
  const list = await listHospitalsInStatus(actorCtxOf(context), { status, search, page, sort });
  toLastPage(request, page, list.total);
  return { status, search, page, sort, ...list };
});

export default function AdminHospitals({ loaderData }: Route.ComponentProps) {
  const { status, search, page, sort, rows, total, all, hasMore, counts } = loaderData;
  const address = (change: { status?: Status | "all"; q?: string; page?: number; sort?: HospitalSort | "" }) =>
    listAddress("/admin/hospitals", { status: status ?? "all", q: search, sort: sort ?? "", ...change });
  return (
    <Page wide title={m.admin_hospitals_title()}>
      <Chips
        label={m.admin_hospitals_statuses()}
        chips={[
          {
            to: address({ status: "all" }),
            label: m.admin_chip_count({ label: m.admin_users_all(), count: String(all) }),
            current: status === null,
          },
          ...STATUSES.map((s) => ({
            to: address({ status: s }),
            label: m.admin_chip_count({ label: hospitalStatusWord(s), count: String(counts[s]) }),
            current: s === status,
          })),
        ]}
      />
      <Finder
        action="/admin/hospitals"
        keep={sort ? { sort } : {}}
        label={m.admin_hospitals_search()}
        placeholder={m.admin_hospitals_search_placeholder()}
        text={search}
        button={m.cases_search()}
        clear={{ to: address({ q: "" }), label: m.cases_clear_search() }}
      />
      <p className="mb">
        <LinkButton to="/admin/hospitals/new" variant="quiet" size="sm" icon="plus" className="flush">
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
      {rows.length ? (
        <div className="scroll">
          <table className="table rows">
            <caption className="vh">{m.admin_hospitals_title()}</caption>
            <thead>
              <tr>
                <th scope="col">{m.admin_col_name()}</th>
                <th scope="col">{m.admin_col_city()}</th>
                <th scope="col">{m.admin_col_doctors()}</th>
                <th scope="col">{m.admin_col_reviewers()}</th>
                <th scope="col">{m.cases_col_status()}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((h) => (
                <tr key={h.id}>
                  <td>
                    <AnyLink className="go" to={`/admin/hospitals/${h.id}`}>
                      {h.name}
                    </AnyLink>
                    <p className="soft small">{h.address}</p>
                  </td>
                  <td>{h.city}</td>
                  <td data-label={m.admin_col_doctors()}>{h.doctors}</td>
                  <td data-label={m.admin_col_reviewers()}>{h.reviewers}</td>
                  <td>
                    <span className="row wrap">
                      <HospitalBadge status={h.status} />
                      {h.status === "pending" && <span className="small soft">{formatDate(todayInIndia(h.createdAt))}</span>}{" "}
                      {h.isDemo && <Badge>{m.ui_demo()}</Badge>}
                    </span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : search ? (
        <EmptyState
          drawing="find"
          title={m.admin_merge_none()}
          action={
            <LinkButton to={address({ q: "" })} variant="second">
              {m.cases_clear_search()}
            </LinkButton>
          }
        >
          {Object.values(counts).some(Boolean) && m.cases_found_elsewhere()}
        </EmptyState>
      ) : (
        <EmptyState drawing="care" title={m.admin_hospitals_none()}>
          {m.admin_hospitals_none_text()}
        </EmptyState>
      )}
      <Pages page={page} hasMore={hasMore} to={(page) => address({ page })} of={{ rows: rows.length, total }} />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.admin_hospitals_title() }) }];

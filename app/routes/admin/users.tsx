import { href } from "react-router";
import { AccountBadge } from "#app/domains/oversight/users/components/account-badge.tsx";
import { listUsers } from "#app/domains/oversight/users/queries.server.ts";
import { USER_SORTS, type UserSort } from "#app/domains/oversight/users/sorts.ts";
import { roleWord } from "#app/domains/oversight/users/words.ts";
import { toLastPage } from "#app/http/list-page.server.ts";
import { listAddress, listState } from "#app/http/list-state.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { formatDate, todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { SortChips } from "#app/ui/nav.tsx";
import { Badge } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { RowLink, RowsTable } from "#app/ui/staff/table.tsx";
import { EmptyState, Pages } from "#app/ui/states.tsx";
import type { Route } from "./+types/users.ts";
import { CountChips, ListSearch } from "./list-parts.tsx";

const SORT_WORDS: Record<UserSort, () => string> = { name: () => m.admin_sort_name(), oldest: () => m.admin_sort_oldest_account() };
const ROLES = ["patient", "doctor", "reviewer", "staff", "admin"] as const;
type View = (typeof ROLES)[number] | "all" | "closed";

export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const { query, search, page } = listState(request);
  const asked = query.get("show");
  const role = ROLES.find((r) => r === asked) ?? null;
  const disabled = asked === "closed";
  const view: View = disabled ? "closed" : (role ?? "all");
  const sort = USER_SORTS.find((s) => s === query.get("sort")) ?? null;
  const list = await listUsers(ctx, { search, role, disabled, page, sort });
  toLastPage(request, page, Math.min(list.total, list.most));
  return { view, search, page, sort, ...list };
});

export default function AdminUsers({ loaderData }: Route.ComponentProps) {
  const { view, search, page, sort, rows, total, hasMore, counts, most } = loaderData;
  const address = ({ view: to = view, ...change }: { view?: View; q?: string; page?: number; sort?: UserSort | "" }) =>
    listAddress(href("/admin/users"), { show: to === "all" ? "" : to, q: search, sort: sort ?? "", ...change });
  const all = Object.values(counts).reduce((sum, n) => sum + n, 0);
  return (
    <Page wide title={m.admin_users_title()}>
      <CountChips
        label={m.admin_users_roles()}
        most={most}
        chips={[
          { to: address({ view: "all" }), label: m.admin_users_all(), count: all, current: view === "all" },
          ...ROLES.map((r) => ({ to: address({ view: r }), label: roleWord(r), count: counts[r], current: view === r })),
          { to: address({ view: "closed" }), label: m.admin_users_closed(), current: view === "closed" },
        ]}
      />
      <ListSearch
        action={href("/admin/users")}
        preserve={{ ...(view !== "all" && { show: view }), ...(sort && { sort }) }}
        label={m.admin_users_search()}
        placeholder={m.admin_users_search_placeholder()}
        text={search}
        clear={address({ q: "" })}
      />
      {rows.length > 1 && (
        <SortChips
          label={m.admin_sort()}
          chips={[
            { to: address({ sort: "" }), label: m.admin_sort_newest_account(), current: sort === null },
            ...USER_SORTS.map((s) => ({ to: address({ sort: s }), label: SORT_WORDS[s](), current: s === sort })),
          ]}
        />
      )}
      {rows.length ? (
        <UserRows rows={rows} />
      ) : (
        <EmptyState
          drawing="nothing-found"
          title={m.admin_users_none()}
          action={
            <LinkButton to={href("/admin/users")} variant="second">
              {m.cases_clear_search()}
            </LinkButton>
          }
        >
          {m.admin_users_none_text()}
        </EmptyState>
      )}
      <Pages page={page} hasMore={hasMore} to={(page) => address({ page })} of={{ rows: rows.length, total, most }} />
    </Page>
  );
}

const UserRows = ({ rows }: Pick<Route.ComponentProps["loaderData"], "rows">) => (
  <RowsTable
    caption={m.admin_users_title()}
    heads={[m.admin_col_person(), m.admin_col_role(), m.admin_col_contact(), m.admin_col_joined(), m.cases_col_status()]}
  >
    {rows.map((user) => (
      <tr key={user.id}>
        <td>
          <RowLink to={href("/admin/users/:id", { id: user.id })}>{user.name || user.email || user.phone || m.cases_unnamed()}</RowLink>
        </td>
        <td>{roleWord(user.role)}</td>
        <td className="text-sm">
          {user.phone && <p className="num">{user.phone}</p>}
          {user.email && <p>{user.email}</p>}
        </td>
        <td data-label={m.admin_col_joined()}>{formatDate(todayInIndia(user.createdAt))}</td>
        <td>
          <span className="row flex-wrap">
            <AccountBadge status={user.status} /> {user.isDemo && <Badge>{m.ui_demo()}</Badge>}
          </span>
        </td>
      </tr>
    ))}
  </RowsTable>
);

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.admin_users_title() }) }];

import { href } from "react-router";
import { StatusBadge } from "#app/domains/booking/appointments/components/status-badge.tsx";
import { findVisits } from "#app/domains/oversight/visits/find-visits.server.ts";
import { toLastPage } from "#app/http/list-page.server.ts";
import { listAddress, listState } from "#app/http/list-state.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { formatDay, formatTime } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink } from "#app/ui/button.tsx";
import { Page } from "#app/ui/shell.tsx";
import { RowLink, RowsTable } from "#app/ui/staff/table.tsx";
import { EmptyState, Pages } from "#app/ui/states.tsx";
import type { Route } from "./+types/visits.ts";
import { ListSearch } from "./list-parts.tsx";

export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const { search, page } = listState(request);
  const found = await findVisits(ctx, { search, page });
  toLastPage(request, page, found.total);
  return { search, page, ...found };
});

export default function AdminVisits({ loaderData }: Route.ComponentProps) {
  const { search, page, rows, total, hasMore } = loaderData;
  const path = href("/admin/appointments");
  return (
    <Page wide title={m.admin_find_title()}>
      <ListSearch
        action={path}
        preserve={{}}
        label={m.admin_find_label()}
        placeholder={m.admin_find_placeholder()}
        text={search}
        clear={path}
      />
      {rows.length ? (
        <RowsTable
          className="mt-4"
          caption={m.admin_find_title()}
          heads={[m.admin_find_when(), m.admin_find_patient(), m.admin_find_doctor(), m.admin_find_reference(), m.cases_col_status()]}
        >
          {rows.map((row) => (
            <tr key={row.id}>
              <td>
                <RowLink to={href("/admin/appointments/:id", { id: row.id })}>
                  {formatDay(row.date)}, {formatTime(row.time)}
                </RowLink>
              </td>
              <td data-label={m.admin_find_patient()}>
                <AnyLink to={href("/admin/users/:id", { id: row.patientId })}>{row.patientName}</AnyLink>
              </td>
              <td data-label={m.admin_find_doctor()}>
                <AnyLink to={href("/admin/doctors/:id", { id: row.doctorId })}>{row.doctorName}</AnyLink>
                {row.hospitalName && <p className="text-sm text-ink-soft">{row.hospitalName}</p>}
              </td>
              <td className="num" data-label={m.admin_find_reference()}>
                {row.reference}
              </td>
              <td>
                <StatusBadge status={row.status} missed={row.missed} />
              </td>
            </tr>
          ))}
        </RowsTable>
      ) : (
        <EmptyState drawing={search ? "nothing-found" : "no-appointments"} title={search ? m.admin_find_none() : m.admin_find_start()}>
          {search ? m.admin_find_none_text() : m.admin_find_start_text()}
        </EmptyState>
      )}
      <Pages page={page} hasMore={hasMore} to={(to) => listAddress(path, { q: search, page: to })} of={{ rows: rows.length, total }} />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.admin_find_title() }) }];

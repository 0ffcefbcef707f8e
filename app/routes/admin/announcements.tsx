import { href } from "react-router";
import { AnnouncementBadge } from "#app/domains/oversight/announcements/components/announcement-badge.tsx";
import { listAnnouncements } from "#app/domains/oversight/announcements/queries.server.ts";
import { audienceWord } from "#app/domains/oversight/announcements/words.ts";
import { toLastPage } from "#app/http/list-page.server.ts";
import { listAddress, listState } from "#app/http/list-state.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { formatInstant } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Page } from "#app/ui/shell.tsx";
import { RowLink, RowsTable } from "#app/ui/staff/table.tsx";
import { EmptyState, Pages } from "#app/ui/states.tsx";
import type { Route } from "./+types/announcements.ts";

export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const { page } = listState(request);
  const list = await listAnnouncements(ctx, { page });
  toLastPage(request, page, list.total);
  return { page, ...list };
});

export default function Announcements({ loaderData: { page, rows, total, hasMore } }: Route.ComponentProps) {
  const path = href("/admin/announcements");
  const add = (
    <LinkButton to={href("/admin/announcements/new")} icon="plus">
      {m.announce_new()}
    </LinkButton>
  );
  return (
    <Page wide title={m.announce_list()}>
      {rows.length ? (
        <>
          <p className="mb-3">{add}</p>
          <RowsTable
            caption={m.announce_list()}
            heads={[m.announce_title(), m.announce_audience(), m.announce_sent_at(), m.announce_delivered(), m.cases_col_status()]}
          >
            {rows.map((row) => (
              <tr key={row.id}>
                <td>
                  <RowLink to={href("/admin/announcements/:id", { id: row.id })}>
                    <span lang={row.language}>{row.texts[row.language]?.title}</span>
                  </RowLink>
                </td>
                <td data-label={m.announce_audience()}>{audienceWord(row.audience, row.hospitalName)}</td>
                <td data-label={m.announce_sent_at()}>{row.sentAt ? formatInstant(row.sentAt) : "–"}</td>
                <td className="num" data-label={m.announce_delivered()}>
                  {row.delivered}
                </td>
                <td>
                  <AnnouncementBadge state={row.state} />
                </td>
              </tr>
            ))}
          </RowsTable>
        </>
      ) : (
        <EmptyState drawing="finished-today" title={m.announce_none()} action={add}>
          {m.announce_none_text()}
        </EmptyState>
      )}
      <Pages page={page} hasMore={hasMore} to={(to) => listAddress(path, { page: to })} of={{ rows: rows.length, total }} />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.announce_list() }) }];

import { href } from "react-router";
import { ageWords } from "#app/domains/credentials/cases/age.ts";
import { roleWord } from "#app/domains/oversight/users/words.ts";
import { ThreadBadge } from "#app/domains/platform/support/components/thread-badge.tsx";
import { listInbox } from "#app/domains/platform/support/inbox.server.ts";
import { stateWord, topicWord } from "#app/domains/platform/support/words.ts";
import { toLastPage } from "#app/http/list-page.server.ts";
import { listAddress, listState, listStatus } from "#app/http/list-state.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { formatInstant } from "#app/lib/dates.ts";
import { SUPPORT_STATES, type SupportState } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { Page } from "#app/ui/shell.tsx";
import { RowLink, RowsTable } from "#app/ui/staff/table.tsx";
import { EmptyState, Pages } from "#app/ui/states.tsx";
import { CountChips, ListSearch } from "../list-parts.tsx";
import type { Route } from "./+types/inbox.ts";

export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const { query, search, page } = listState(request);
  const mine = query.has("mine");
  const { chosen, status } = listStatus(query, SUPPORT_STATES, search !== "" || mine);
  const list = await listInbox(ctx, { search, state: status, mine, page });
  toLastPage(request, page, list.total);
  return { now: ctx.now, me: ctx.actor.userId, search, page, mine, chosen, status, ...list };
});

type View = { status?: SupportState | "all" | null; q?: string; mine?: boolean; page?: number };

type Data = Route.ComponentProps["loaderData"];

export default function SupportInbox({ loaderData }: Route.ComponentProps) {
  const { now, me, search, page, mine, chosen, status, rows, total, hasMore, counts } = loaderData;
  const address = (change: View) => {
    const { status: to, mine: only, ...rest } = { status: chosen, q: search, mine, ...change };
    return listAddress(href("/admin/support"), { ...rest, status: to ?? "", mine: only ? "1" : "" });
  };
  const all = SUPPORT_STATES.reduce((sum, one) => sum + counts[one], 0);
  return (
    <Page wide title={m.support_inbox_title()}>
      <CountChips
        label={m.support_inbox_states()}
        chips={[
          ...SUPPORT_STATES.map((one) => ({
            to: address({ status: one }),
            label: stateWord(one),
            count: counts[one],
            current: status === one,
          })),
          { to: address({ status: "all" }), label: m.support_inbox_all(), count: all, current: status === null },
          { to: address({ mine: !mine, status: null }), label: m.support_inbox_mine(), current: mine },
        ]}
      />
      <ListSearch
        action={href("/admin/support")}
        preserve={{ ...(chosen && { status: chosen }), ...(mine && { mine: "1" }) }}
        label={m.support_inbox_search()}
        placeholder={m.support_inbox_placeholder()}
        text={search}
        clear={address({ q: "" })}
      />
      {rows.length ? (
        <Threads rows={rows} now={now} me={me} />
      ) : (
        <div className="mt-4">
          <EmptyState drawing="finished-today" title={m.support_inbox_none()}>
            {m.support_inbox_none_text()}
          </EmptyState>
        </div>
      )}
      <Pages page={page} hasMore={hasMore} to={(n) => address({ page: n })} of={{ rows: rows.length, total }} />
    </Page>
  );
}

const Threads = ({ rows, now, me }: Pick<Data, "rows" | "now" | "me">) => (
  <RowsTable
    caption={m.support_inbox_title()}
    heads={[m.support_inbox_topic(), m.support_inbox_from(), m.support_inbox_waiting(), m.support_inbox_assignee(), m.cases_col_status()]}
  >
    {rows.map((row) => (
      <tr key={row.id}>
        <td>
          <RowLink to={href("/admin/support/:id", { id: row.id })}>{topicWord(row.topic)}</RowLink>
          <p className="text-sm text-ink-soft">{row.reference}</p>
        </td>
        <td data-label={m.support_inbox_from()}>
          {row.name || m.cases_unnamed()}
          <p className="text-sm text-ink-soft">{roleWord(row.role)}</p>
        </td>
        <td {...(row.waitingSince && { "data-label": m.support_inbox_waiting() })}>
          {row.waitingSince
            ? ageWords(now.getTime() - row.waitingSince.getTime())
            : m.support_inbox_last({ at: formatInstant(row.lastMessageAt) })}
        </td>
        <td data-label={m.support_inbox_assignee()}>
          {row.assigneeId ? (row.assigneeId === me ? m.support_inbox_you() : row.assignee) : m.support_inbox_unassigned()}
        </td>
        <td>
          <ThreadBadge state={row.state} />
        </td>
      </tr>
    ))}
  </RowsTable>
);

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.support_inbox_title() }) }];

import { href } from "react-router";
import { ageWords } from "#app/domains/credentials/cases/age.ts";
import { listChanges } from "#app/domains/credentials/profile-changes/change-queries.server.ts";
import { ChangeBadge } from "#app/domains/credentials/profile-changes/components/change-badge.tsx";
import { ChangeTable } from "#app/domains/credentials/profile-changes/components/change-table.tsx";
import { fieldWord } from "#app/domains/credentials/profile-changes/profile-words.ts";
import { toLastPage } from "#app/http/list-page.server.ts";
import { listAddress, listState } from "#app/http/list-state.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { m } from "#app/paraglide/messages.js";
import { Badge, Card, GoLink, Meta, MetaLine } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { EmptyState, Pages } from "#app/ui/states.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import type { Route } from "./+types/changes.ts";

export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const { query, page } = listState(request);
  const decided = query.get("tab") === "decided";
  const list = await listChanges(ctx, { waiting: !decided, page });
  toLastPage(request, page, list.total);
  return { decided, page, now: ctx.now, ...list };
});

export default function Changes({ loaderData }: Route.ComponentProps) {
  const { decided, page, now, rows, total, hasMore, waiting } = loaderData;
  const address = (to: number) => listAddress(href("/admin/changes"), { tab: decided ? "decided" : "", page: to });
  return (
    <Page wide title={m.profile_changes_title()}>
      <Tabs
        label={m.profile_changes_tabs()}
        tabs={[
          { to: href("/admin/changes"), label: m.profile_changes_waiting(), count: waiting, current: !decided },
          { to: `${href("/admin/changes")}?tab=decided`, label: m.profile_changes_decided(), current: decided },
        ]}
      />
      {rows.length ? (
        <ul className="grid grid-cols-1 gap-3 tab:grid-cols-2 tab:gap-4 mt-4">
          {rows.map((change) => (
            <Card as="li" key={change.id}>
              <h2>
                <GoLink to={href("/admin/changes/:id", { id: change.id })}>
                  {m.profile_change_of({ field: fieldWord(change.field), doctor: change.doctor })}
                </GoLink>
              </h2>
              <MetaLine className="mb-3">
                {change.status === "pending" ? (
                  <Meta icon="clock">{m.cases_waiting_for({ age: ageWords(now.getTime() - change.createdAt.getTime()) })}</Meta>
                ) : (
                  <ChangeBadge status={change.status} />
                )}{" "}
                {change.isDemo && <Badge>{m.ui_demo()}</Badge>}
              </MetaLine>
              <ChangeTable change={change} old={m.profile_change_old()} />
            </Card>
          ))}
        </ul>
      ) : (
        <div className="mt-4">
          <EmptyState drawing="finished-today" title={decided ? m.profile_changes_none_decided() : m.profile_changes_none()}>
            {m.profile_changes_none_text()}
          </EmptyState>
        </div>
      )}
      <Pages page={page} hasMore={hasMore} to={address} of={{ rows: rows.length, total }} />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.profile_changes_title() }) }];

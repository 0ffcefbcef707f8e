import { href } from "react-router";
import { REVIEWER_TABS, type ReviewerTab } from "#app/domains/credentials/cases/case-lists.ts";
import { listReviewerCases } from "#app/domains/credentials/cases/case-queries.server.ts";
import { CaseTable } from "#app/domains/credentials/cases/components/case-table.tsx";
import { actorCtxOf } from "#app/http/context.ts";
import { toLastPage } from "#app/http/list-page.server.ts";
import { listAddress, listState } from "#app/http/list-state.ts";
import { load } from "#app/http/load.server.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Finder } from "#app/ui/finder.tsx";
import { Tabs } from "#app/ui/nav.tsx";
import { Page } from "#app/ui/shell.tsx";
import { EmptyState, Pages } from "#app/ui/states.tsx";
import type { Route } from "./+types/cases.ts";

const TABS = Object.keys(REVIEWER_TABS) as ReviewerTab[];

export const loader = load(async ({ context, request }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  const { query, search, page } = listState(request);
  const tab = TABS.find((t) => t === query.get("tab")) ?? "waiting";
  const list = await listReviewerCases(ctx, { tab, search, page });
  toLastPage(request, page, list.total);
  return { tab, search, page, now: ctx.now, ...list };
});

const TAB_WORDS: Record<ReviewerTab, () => string> = {
  waiting: () => m.cases_tab_waiting(),
  approved: () => m.cases_tab_approved(),
  "sent-back": () => m.cases_tab_sent_back(),
};
const NONE: Record<ReviewerTab, () => string> = {
  waiting: () => m.cases_none_waiting(),
  approved: () => m.cases_none_approved(),
  "sent-back": () => m.cases_none_sent_back(),
};

export default function ReviewerCases({ loaderData }: Route.ComponentProps) {
  const { tab, search, page, now, rows, total, hasMore, counts, hospitals } = loaderData;
  const address = (change: { tab?: ReviewerTab; q?: string; page?: number }) =>
    listAddress(href("/reviewer"), { tab, q: search, ...change });
  if (!hospitals.length)
    return (
      <Page wide title={m.cases_title()}>
        <EmptyState drawing="find" title={m.cases_no_hospital_title()}>
          {m.cases_no_hospital_text()}
        </EmptyState>
      </Page>
    );
  return (
    <Page wide title={m.cases_title()}>
      <p className="soft small mb">{m.cases_for_hospitals({ hospitals: hospitals.map((h) => h.name).join(", ") })}</p>
      <Tabs
        label={m.cases_tabs()}
        tabs={TABS.map((t) => ({ to: address({ tab: t }), label: TAB_WORDS[t](), count: counts[t], current: t === tab }))}
      />
      <Finder
        action={href("/reviewer")}
        preserve={{ tab }}
        label={m.cases_search_label()}
        placeholder={m.cases_search_placeholder()}
        text={search}
        button={m.cases_search()}
        clear={{ to: address({ q: "" }), label: m.cases_clear_search() }}
      />
      {rows.length ? (
        <CaseTable label={TAB_WORDS[tab]()} cases={rows} base="/reviewer/cases" now={now} />
      ) : search ? (
        <EmptyState
          drawing="find"
          title={m.cases_none_found()}
          action={<LinkButton to={address({ q: "" })}>{m.cases_clear_search()}</LinkButton>}
        >
          {Object.values(counts).some(Boolean) ? m.cases_found_elsewhere() : m.cases_none_found_text()}
        </EmptyState>
      ) : (
        <EmptyState drawing="finished-today" title={NONE[tab]()}>
          {tab === "waiting" && m.cases_none_waiting_text()}
        </EmptyState>
      )}
      <Pages page={page} hasMore={hasMore} to={(page) => address({ page })} of={{ rows: rows.length, total }} />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.cases_title() }) }];

import { href } from "react-router";
import { TakeCasesSchema } from "#app/domains/credentials/cases/assign-case.schema.ts";
import { takeCases } from "#app/domains/credentials/cases/assign-case.server.ts";
import { REVIEWER_TABS, type ReviewerTab, WHOSE, type Whose } from "#app/domains/credentials/cases/case-lists.ts";
import { listReviewerCases } from "#app/domains/credentials/cases/case-queries.server.ts";
import { CaseTable } from "#app/domains/credentials/cases/components/case-table.tsx";
import { AnnouncementBanner } from "#app/domains/oversight/announcements/components/announcement-banner.tsx";
import { findBanner } from "#app/domains/oversight/announcements/queries.server.ts";
import { toLastPage } from "#app/http/list-page.server.ts";
import { given, listAddress, listState } from "#app/http/list-state.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { redirectWithToast } from "#app/http/redirects.server.ts";
import { submitOwn } from "#app/http/submit-form.server.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Finder } from "#app/ui/finder.tsx";
import { Form, SubmitButton, useNadiForm } from "#app/ui/form.tsx";
import { Chips } from "#app/ui/nav.tsx";
import { Page } from "#app/ui/shell.tsx";
import { EmptyState, Pages } from "#app/ui/states.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import type { Route } from "./+types/cases.ts";

const TABS = Object.keys(REVIEWER_TABS) as ReviewerTab[];

export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const { query, search, page } = listState(request);
  const tab = TABS.find((t) => t === query.get("tab")) ?? "waiting";
  const whose = (tab === "waiting" && WHOSE.find((one) => one === query.get("whose"))) || null;
  const [banner, list] = await Promise.all([findBanner(ctx), listReviewerCases(ctx, { tab, search, page, whose })]);
  toLastPage(request, page, list.total);
  return { tab, search, page, whose, viewerId: ctx.actor.userId, now: ctx.now, ...(banner && { banner }), ...list };
});

/** Takes the chosen cases. */
export const action = submitOwn(TakeCasesSchema, async (ctx, input) => {
  const { done, skipped } = await takeCases(ctx, input.case);
  const words = [m.cases_take_done({ count: String(done) }), ...(skipped ? [m.cases_assign_skipped({ count: String(skipped) })] : [])];
  return redirectWithToast(`${href("/reviewer")}?whose=mine`, words.join(" "), { stays: skipped > 0 });
});

const counted = (label: string, count: number) => m.admin_chip_count({ label, count: String(count) });
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

type Data = Route.ComponentProps["loaderData"];

export default function ReviewerCases({ loaderData, actionData }: Route.ComponentProps) {
  const { tab, search, page, whose, viewerId, banner, now, rows, total, all, owned, hasMore, counts, hospitals } = loaderData;
  const address = (change: { tab?: ReviewerTab; q?: string; page?: number; whose?: Whose | "" }) =>
    listAddress(href("/reviewer"), { tab, q: search, whose: change.tab && change.tab !== tab ? "" : (whose ?? ""), ...change });
  const [form] = useNadiForm({ id: "cases", lastResult: actionData?.result });
  const free = (line: { assignedTo: string | null }) => tab === "waiting" && line.assignedTo === null;
  if (!hospitals.length) return <NoHospital banner={banner} />;
  return (
    <Page wide title={m.cases_title()}>
      <AnnouncementBanner banner={banner} />
      <p className="text-sm text-ink-soft mb-3">{m.cases_for_hospitals({ hospitals: hospitals.map((h) => h.name).join(", ") })}</p>
      <Tabs
        label={m.cases_tabs()}
        tabs={TABS.map((t) => ({ to: address({ tab: t }), label: TAB_WORDS[t](), count: counts[t], current: t === tab }))}
      />
      {tab === "waiting" && all > 0 && (
        <Chips
          label={m.cases_whose()}
          chips={[
            { to: address({ whose: "" }), label: counted(m.cases_whose_all(), all), current: whose === null },
            { to: address({ whose: "mine" }), label: counted(m.cases_whose_mine(), owned.mine), current: whose === "mine" },
            {
              to: address({ whose: "unassigned" }),
              label: counted(m.cases_unassigned(), owned.unassigned),
              current: whose === "unassigned",
            },
          ]}
        />
      )}
      <Finder
        action={href("/reviewer")}
        preserve={given({ tab, whose })}
        label={m.cases_search_label()}
        placeholder={m.cases_search_placeholder()}
        text={search}
        button={m.cases_search()}
        clear={{ to: address({ q: "" }), label: m.cases_clear_search() }}
      />
      {rows.length ? (
        <Form form={form}>
          <CaseTable label={TAB_WORDS[tab]()} cases={rows} base="/reviewer/cases" now={now} choose={free} viewerId={viewerId} />
          {rows.some(free) && (
            <p className="mt-4">
              <SubmitButton variant="second">{m.cases_take_selected()}</SubmitButton>
            </p>
          )}
        </Form>
      ) : (
        <NoCases {...loaderData} clear={address({ q: "" })} />
      )}
      <Pages page={page} hasMore={hasMore} to={(page) => address({ page })} of={{ rows: rows.length, total }} />
    </Page>
  );
}

const NoHospital = ({ banner }: Pick<Data, "banner">) => (
  <Page wide title={m.cases_title()}>
    <AnnouncementBanner banner={banner} />
    <EmptyState drawing="find" title={m.cases_no_hospital_title()}>
      {m.cases_no_hospital_text()}
    </EmptyState>
  </Page>
);

type NoneProps = Pick<Data, "search" | "counts" | "whose" | "all" | "tab"> & { clear: string };
/** Why the list is empty. `clear`: its URL without the search. */
const NoCases = ({ search, counts, whose, all, tab, clear }: NoneProps) =>
  search ? (
    <EmptyState drawing="find" title={m.cases_none_found()} action={<LinkButton to={clear}>{m.cases_clear_search()}</LinkButton>}>
      {Object.values(counts).some(Boolean) ? m.cases_found_elsewhere() : m.cases_none_found_text()}
    </EmptyState>
  ) : whose && all > 0 ? (
    <EmptyState drawing="finished-today" title={whose === "mine" ? m.cases_none_mine() : m.cases_none_unassigned()}>
      {whose === "mine" && m.cases_none_mine_text()}
    </EmptyState>
  ) : (
    <EmptyState drawing="finished-today" title={NONE[tab]()}>
      {tab === "waiting" && m.cases_none_waiting_text()}
    </EmptyState>
  );

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.cases_title() }) }];

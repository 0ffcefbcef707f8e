import { ADMIN_STATUSES } from "#app/domains/verification/case-lists.ts";
import { listDoctorCases } from "#app/domains/verification/case-queries.server.ts";
import { CaseTable } from "#app/domains/verification/components/case-table.tsx";
import { statusWord } from "#app/domains/verification/words.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { listAddress, listState } from "#app/http/list-state.ts";
import { load } from "#app/http/load.server.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Finder } from "#app/ui/finder.tsx";
import { Chips } from "#app/ui/nav.tsx";
import { Page } from "#app/ui/shell.tsx";
import { EmptyState, Pages } from "#app/ui/states.tsx";
import type { Route } from "./+types/doctors.ts";

type Status = (typeof ADMIN_STATUSES)[number];

export const loader = load(async ({ context, request }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  const { query, search, page } = listState(request);
  const status = ADMIN_STATUSES.find((s) => s === query.get("status")) ?? ADMIN_STATUSES[0];
  return { status, search, page, now: ctx.now, ...(await listDoctorCases(ctx, { status, search, page })) };
});

export default function AdminDoctors({ loaderData }: Route.ComponentProps) {
  const { status, search, page, now, rows, hasMore, counts } = loaderData;
  const address = (change: { status?: Status; q?: string; page?: number }) =>
    listAddress("/admin/doctors", { status, q: search, ...change });
  return (
    <Page wide title={m.admin_doctors_title()}>
      <Chips
        label={m.admin_doctors_statuses()}
        chips={ADMIN_STATUSES.map((s) => ({
          to: address({ status: s }),
          label: m.admin_chip_count({ label: statusWord(s), count: String(counts[s] ?? 0) }),
          current: s === status,
        }))}
      />
      <Finder
        action="/admin/doctors"
        keep={{ status }}
        label={m.admin_doctors_search()}
        placeholder={m.admin_doctors_search_placeholder()}
        text={search}
        button={m.reviewer_search()}
        clear={{ to: address({ q: "" }), label: m.reviewer_clear_search() }}
      />
      {rows.length ? (
        <CaseTable label={statusWord(status)} cases={rows} base="/admin/doctors" now={now} />
      ) : search ? (
        <EmptyState
          drawing="find"
          title={m.reviewer_none_found()}
          action={<LinkButton to={address({ q: "" })}>{m.reviewer_clear_search()}</LinkButton>}
        >
          {Object.values(counts).some(Boolean) ? m.reviewer_found_elsewhere() : m.reviewer_none_found_text()}
        </EmptyState>
      ) : (
        <EmptyState drawing="care" title={m.admin_doctors_none()}>
          {m.admin_doctors_none_text()}
        </EmptyState>
      )}
      <Pages page={page} hasMore={hasMore} to={(page) => address({ page })} />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.admin_doctors_title() }) }];

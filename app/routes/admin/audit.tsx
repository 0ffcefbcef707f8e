import { href } from "react-router";
import { type AuditFilter, AuditFilterSchema } from "#app/domains/oversight/audit-log/audit.schema.ts";
import { listAudit, listAuditChoices, namesInFilter } from "#app/domains/oversight/audit-log/queries.server.ts";
import { actionWord, detailWord, READINGS, resultWord, subjectWord } from "#app/domains/oversight/audit-log/words.ts";
import { roleWord } from "#app/domains/oversight/users/words.ts";
import { RESULTS } from "#app/domains/platform/audit/results.ts";
import { listAddress } from "#app/http/list-state.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { formatInstant } from "#app/lib/dates.ts";
import { readFilter } from "#app/lib/list-filter.ts";
import { ownEntry } from "#app/lib/own-entry.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink, LinkButton } from "#app/ui/button.tsx";
import { Page } from "#app/ui/shell.tsx";
import { Filters } from "#app/ui/staff/filters.tsx";
import { RowsTable } from "#app/ui/staff/table.tsx";
import { EmptyState, Pagination } from "#app/ui/states.tsx";
import type { Route } from "./+types/audit.ts";

export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const filter = readFilter(new URL(request.url).searchParams, AuditFilterSchema);
  const [list, choices, names] = await Promise.all([listAudit(ctx, filter), listAuditChoices(ctx), namesInFilter(ctx, filter)]);
  return { filter, ...list, choices, names };
});

const addressOf = (filter: AuditFilter, path = href("/admin/audit")) => listAddress(path, filter);

export default function Audit({ loaderData }: Route.ComponentProps) {
  const { filter, rows, next, choices, names } = loaderData;
  return (
    <Page wide title={m.admin_audit_title()}>
      <p className="text-sm text-ink-soft">{m.admin_audit_text()}</p>
      <AuditFilters filter={filter} choices={choices} names={names} />
      {rows.length > 0 && (
        <p className="row flex-wrap mb-3">
          <LinkButton to={addressOf({ ...filter, before: undefined }, href("/admin/audit.csv"))} variant="second" size="sm" icon="download">
            {m.admin_audit_export()}
          </LinkButton>
          <span className="text-sm text-ink-soft">{m.admin_audit_export_text()}</span>
        </p>
      )}
      {rows.length ? (
        <RowsTable
          className="[&_td:last-child]:min-w-60"
          caption={m.admin_audit_title()}
          heads={[m.admin_audit_when(), m.admin_audit_who(), m.admin_audit_what(), m.admin_audit_whose(), m.admin_audit_details()]}
        >
          {rows.map((row) => (
            <Row key={row.id} row={row} />
          ))}
        </RowsTable>
      ) : (
        <EmptyState
          drawing="nothing-found"
          title={m.admin_audit_none()}
          action={
            <LinkButton to={href("/admin/audit")} variant="second">
              {m.ui_filter_reset()}
            </LinkButton>
          }
        >
          {m.admin_audit_none_text()}
        </EmptyState>
      )}
      {(filter.before || next) && (
        <Pagination
          label={m.ui_pages()}
          previous={filter.before ? { to: addressOf({ ...filter, before: undefined }), label: m.admin_audit_newest() } : null}
          next={next ? { to: addressOf({ ...filter, before: next }), label: m.admin_audit_older() } : null}
        />
      )}
    </Page>
  );
}

type Data = Route.ComponentProps["loaderData"];

/** Translates an action, or the filter of all reading actions. */
const wordOf = (action: string) => (action === READINGS ? m.admin_audit_readings() : actionWord(action));

/** The filters of the log. Shows ids of people as names. */
function AuditFilters({ filter, choices, names }: Pick<Data, "filter" | "choices" | "names">) {
  const named = (text: string) => ownEntry(names, text) ?? text;
  return (
    <Filters
      key={addressOf(filter)}
      action={href("/admin/audit")}
      reset={href("/admin/audit")}
      filters={[
        { name: "person", label: m.admin_audit_person(), placeholder: m.admin_audit_person_hint(), word: named, value: filter.person },
        { name: "actor", label: m.admin_audit_actor(), placeholder: m.admin_audit_person_hint(), word: named, value: filter.actor },
        { name: "action", label: m.admin_audit_action(), values: [READINGS, ...choices.actions], word: wordOf, value: filter.action },
        { name: "subject", label: m.admin_audit_subject(), values: choices.subjects, word: subjectWord, value: filter.subject },
        { name: "subjectId", label: m.admin_audit_subject_id(), type: "hidden", value: filter.subjectId },
        {
          name: "result",
          label: m.audit_detail_result(),
          values: RESULTS,
          word: (result) => resultWord(result as (typeof RESULTS)[number]),
          value: filter.result,
        },
        { name: "from", type: "date", label: m.ui_filter_from(), value: filter.from },
        { name: "to", type: "date", label: m.ui_filter_to(), value: filter.to },
      ]}
      note={filter.subjectId && <p className="text-sm text-ink-soft mt-2">{m.admin_audit_of_one({ subject: filter.subjectId })}</p>}
    />
  );
}

const PAGES: Record<string, (id: string) => string> = {
  doctor: (id) => href("/admin/doctors/:id", { id }),
  hospital: (id) => href("/admin/hospitals/:id", { id }),
  user: (id) => href("/admin/users/:id", { id }),
};

function Row({ row }: { row: Data["rows"][number] }) {
  const page = PAGES[row.subjectType]?.(row.subjectId);
  const role = row.actorRole as Parameters<typeof roleWord>[0];
  return (
    <tr>
      <td>
        <time dateTime={row.at.toISOString()}>{formatInstant(row.at)}</time>
      </td>
      <td data-label={m.admin_audit_who()} className="desktop:whitespace-nowrap">
        {row.actorId ? (
          <>
            <AnyLink to={href("/admin/users/:id", { id: row.actorId })}>{row.actor || m.cases_unnamed()}</AnyLink>
            <span className="text-sm text-ink-soft"> · {roleWord(role)}</span>
          </>
        ) : (
          roleWord(role)
        )}
      </td>
      <td className="desktop:whitespace-nowrap">
        <b>{actionWord(row.action)}</b>{" "}
        {page && (
          <span className="text-sm text-ink-soft">
            <AnyLink
              to={page}
              className="max-desktop:inline-flex max-desktop:min-h-target-min max-desktop:min-w-target-min max-desktop:items-center"
            >
              {row.subjectName ?? subjectWord(row.subjectType)}
            </AnyLink>
          </span>
        )}
      </td>
      <td data-label={row.personId ? m.admin_audit_whose() : undefined} className="desktop:whitespace-nowrap">
        {row.personId && <AnyLink to={href("/admin/users/:id", { id: row.personId })}>{row.person || m.cases_unnamed()}</AnyLink>}
      </td>
      <td className="text-sm">
        {[...row.details.map(({ key, value }) => `${detailWord(key)}: ${value}`), row.ip && `${m.admin_session_ip()}: ${row.ip}`]
          .filter(Boolean)
          .join(" · ")}
      </td>
    </tr>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.admin_audit_title() }) }];

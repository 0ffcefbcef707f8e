import { href } from "react-router";
import { listMessages } from "#app/domains/money/messages/queries.server.ts";
import { MOST_COUNTED } from "#app/domains/money/messages/refusals.ts";
import { toLastPage } from "#app/http/list-page.server.ts";
import { listAddress, listState } from "#app/http/list-state.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { formatInstant } from "#app/lib/dates.ts";
import type { MessageRefusal } from "#app/lib/vocabulary.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink } from "#app/ui/button.tsx";
import { Page } from "#app/ui/shell.tsx";
import { RowsTable } from "#app/ui/staff/table.tsx";
import { EmptyState, Pages } from "#app/ui/states.tsx";
import type { Route } from "./+types/payment-messages.ts";
import { PaymentTabs } from "./payment-parts.tsx";

export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const { page } = listState(request);
  const list = await listMessages(ctx, page);
  toLastPage(request, page, list.total);
  return { page, ...list };
});

const REASONS: Record<MessageRefusal, () => string> = {
  signature: () => m.settle_log_signature(),
  "too-large": () => m.settle_log_too_large(),
  malformed: () => m.settle_log_malformed(),
  order: () => m.settle_log_order(),
};

type Data = Route.ComponentProps["loaderData"];

/** Messages of the payment provider: how many were refused and why, and the stored ones. */
export default function PaymentMessages({ loaderData: { page, rows, refused, total, hasMore } }: Route.ComponentProps) {
  return (
    <Page wide title={m.admin_pay_title()}>
      <PaymentTabs current="messages" />
      <p className="text-ink-soft mt-2">{m.settle_log_text()}</p>
      <section className="mt-7" aria-labelledby="h-refused">
        <h2 id="h-refused">{m.settle_log_refused()}</h2>
        {refused.length === 0 ? <p className="text-ink-soft mt-2">{m.settle_log_refused_none()}</p> : <Refusals refused={refused} />}
      </section>
      <section className="mt-7" aria-labelledby="h-stored">
        <h2 id="h-stored">{m.settle_log_stored()}</h2>
        {rows.length === 0 ? (
          <div className="mt-2">
            <EmptyState drawing="finished-today" title={m.settle_log_none()} />
          </div>
        ) : (
          <Stored rows={rows} />
        )}
        <Pages
          page={page}
          hasMore={hasMore}
          to={(page) => listAddress(href("/admin/payments/messages"), { page })}
          of={{ rows: rows.length, total }}
        />
      </section>
    </Page>
  );
}

const Refusals = ({ refused }: Pick<Data, "refused">) => (
  <RowsTable className="mt-2" label={m.settle_log_refused()} heads={[m.settle_log_why(), m.settle_log_times(), m.settle_log_when()]}>
    {refused.map((one) => (
      <tr key={`${one.reason} ${one.firstAt.getTime()}`}>
        <td>
          {REASONS[one.reason]()}
          {one.eventId && (
            <p className="text-sm text-ink-soft wrap-anywhere" lang="en">
              {m.settle_log_last_id({ id: one.eventId })}
            </p>
          )}
        </td>
        <td data-label={m.settle_log_times()} className="num">
          {one.count >= MOST_COUNTED ? m.settle_log_count_most({ count: String(one.count) }) : m.settle_log_count({ count: one.count })}
        </td>
        <td data-label={m.settle_log_when()}>
          {one.count === 1
            ? formatInstant(one.firstAt)
            : m.settle_log_between({ first: formatInstant(one.firstAt), last: formatInstant(one.lastAt) })}
        </td>
      </tr>
    ))}
  </RowsTable>
);

const Stored = ({ rows }: Pick<Data, "rows">) => (
  <RowsTable className="mt-2" label={m.settle_log_stored()} heads={[m.settle_log_kind(), m.settle_log_when(), m.settle_of_order()]}>
    {rows.map((one) => (
      <tr key={one.eventId}>
        <td>
          <b lang="en">{one.kind}</b>
          <p className="text-sm text-ink-soft wrap-anywhere" lang="en">
            {one.eventId}
          </p>
        </td>
        <td data-label={m.settle_log_when()}>
          {one.appliedAt
            ? m.admin_pay_applied({ at: formatInstant(one.receivedAt), applied: formatInstant(one.appliedAt) })
            : m.admin_pay_not_applied({ at: formatInstant(one.receivedAt) })}
        </td>
        <td data-label={m.settle_of_order()}>
          <AnyLink to={`${href("/admin/payments")}?order=${one.orderId}`}>{m.settle_open_order()}</AnyLink>
        </td>
      </tr>
    ))}
  </RowsTable>
);

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.settle_log() }) }];

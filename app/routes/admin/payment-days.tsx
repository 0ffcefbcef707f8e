import { href } from "react-router";
import { getReconciledMonth } from "#app/domains/money/reconciliation/queries.server.ts";
import { totalOfDays } from "#app/domains/money/reconciliation/reconciliation.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { formatDay, formatMonth, monthOf, todayInIndia } from "#app/lib/dates.ts";
import { formatRupees } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink } from "#app/ui/button.tsx";
import { Badge } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import { NumberCell, RowsTable } from "#app/ui/staff/table.tsx";
import { EmptyState } from "#app/ui/states.tsx";
import type { Route } from "./+types/payment-days.ts";
import { DayTiles } from "./payment-day-parts.tsx";
import { MonthLinks, PaymentTabs } from "./payment-parts.tsx";
import { reconciledMonth } from "./reconciled-days.server.ts";

export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const month = reconciledMonth(request, ctx.now);
  return { month, current: monthOf(todayInIndia(ctx.now)), days: await getReconciledMonth(ctx, month) };
});

const address = (month: string) => `${href("/admin/payments/days")}?month=${month}`;

/** Online payments of a month by day. */
export default function PaymentDays({ loaderData }: Route.ComponentProps) {
  const { month, current, days } = loaderData;
  return (
    <Page wide title={m.admin_pay_title()}>
      <PaymentTabs current="days" />
      <p className="text-ink-soft mt-2 mb-3">{m.recon_text()}</p>
      <h2>{formatMonth(month)}</h2>
      <MonthLinks
        month={month}
        current={current}
        address={address}
        csv={days.length > 0 && `${href("/admin/payments/days.csv")}?month=${month}`}
      />
      {days.length === 0 ? (
        <div className="mt-4">
          <EmptyState drawing="finished-today" title={m.recon_none()} />
        </div>
      ) : (
        <>
          <DayTiles figures={totalOfDays(days)} />
          <DayRows days={days} />
        </>
      )}
    </Page>
  );
}

const DayRows = ({ days }: Pick<Route.ComponentProps["loaderData"], "days">) => (
  <RowsTable
    className="mt-4"
    label={m.recon_days()}
    heads={[m.recon_col_day(), m.recon_col_orders(), { number: m.recon_captured() }, { number: m.recon_refunded() }, m.recon_col_result()]}
  >
    {days.map((one) => (
      <tr key={one.day}>
        <td>
          <AnyLink to={`${href("/admin/payments/day")}?day=${one.day}`}>{formatDay(one.day)}</AnyLink>
        </td>
        <td data-label={m.recon_col_orders()} className="num">
          {one.orders}
        </td>
        <NumberCell label={m.recon_captured()}>{formatRupees(one.captured)}</NumberCell>
        <NumberCell label={m.recon_refunded()}>{formatRupees(one.refunded)}</NumberCell>
        <td data-label={m.recon_col_result()}>
          {one.mismatches > 0 ? (
            <Badge tone="bad" icon="triangle-alert">
              {m.recon_mismatches_count({ count: String(one.mismatches) })}
            </Badge>
          ) : one.unsettled > 0 ? (
            <Badge tone="warn" icon="clock">
              {m.recon_unsettled({ count: String(one.unsettled) })}
            </Badge>
          ) : one.orders === 0 ? (
            m.recon_no_orders()
          ) : (
            <Badge tone="ok" icon="circle-check">
              {m.recon_matches()}
            </Badge>
          )}
        </td>
      </tr>
    ))}
  </RowsTable>
);

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.recon_title() }) }];

import { href } from "react-router";
import { type FeeMonth, totalOf } from "#app/domains/money/platform-fee/documents.ts";
import { getFeeYear } from "#app/domains/money/platform-fee/queries.server.ts";
import { financialYearOf } from "#app/domains/money/receipts/receipt-number.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { formatMonth, todayInIndia } from "#app/lib/dates.ts";
import { formatRupees } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";
import { AnyLink } from "#app/ui/button.tsx";
import { Page } from "#app/ui/shell.tsx";
import { RowsTable } from "#app/ui/staff/table.tsx";
import { EmptyState } from "#app/ui/states.tsx";
import type { Route } from "./+types/platform-fees.ts";
import { PaymentTabs, PeriodLinks } from "./payment-parts.tsx";

const named = (start: number): string => financialYearOf(`${start}-04-01`);
const startOf = (year: string): number => Number(year.slice(0, 4));

/** Returns the financial year of `?year=` ("2026-27"), not in the future; the current one for other text. */
function feeYear(request: Request, now: Date): string {
  const current = financialYearOf(todayInIndia(now));
  const asked = new URL(request.url).searchParams.get("year") ?? "";
  return /^2\d{3}-\d{2}$/.test(asked) && asked === named(startOf(asked)) && asked <= current ? asked : current;
}

/** Returns the financial years before and after one; null after the current one. */
const yearsAround = (year: string, now: Date): { before: string; after: string | null } => ({
  before: named(startOf(year) - 1),
  after: year < financialYearOf(todayInIndia(now)) ? named(startOf(year) + 1) : null,
});

export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const year = feeYear(request, ctx.now);
  return { year, ...yearsAround(year, ctx.now), ...(await getFeeYear(ctx, year)) };
});

const address = (year: string) => `${href("/admin/payments/fees")}?year=${year}`;

/** Platform fees of a financial year by month, with GST. */
export default function PlatformFees({ loaderData: { year, before, after, months, columns } }: Route.ComponentProps) {
  const all = totalOf(months, columns.length);
  return (
    <Page wide title={m.admin_pay_title()}>
      <PaymentTabs current="fees" />
      <p className="text-ink-soft mt-2 mb-3">{m.platform_admin_text()}</p>
      <h2>{m.platform_year({ year })}</h2>
      <PeriodLinks
        label={m.platform_years()}
        before={{ to: address(before), name: before }}
        after={after ? { to: address(after), name: after } : null}
      />
      {months.length === 0 ? (
        <div className="mt-4">
          <EmptyState drawing="finished-today" title={m.platform_admin_none()} />
        </div>
      ) : (
        <RowsTable
          className="mt-4"
          label={m.platform_admin_title()}
          heads={[
            m.platform_month(),
            m.platform_invoices(),
            m.platform_credit_notes(),
            m.platform_taxable(),
            ...columns.map((column) => `${column}%`),
            m.platform_with_tax(),
            m.statistics_csv(),
          ]}
        >
          {months.map((one) => (
            <tr key={one.month}>
              <td>
                <b>{formatMonth(one.month)}</b>
              </td>
              <Cells of={one} columns={columns} />
              <td>
                <AnyLink to={`${href("/admin/payments/fees.csv")}?month=${one.month}`} download>
                  {m.platform_csv_of_month({ month: formatMonth(one.month) })}
                </AnyLink>
              </td>
            </tr>
          ))}
          {months.length > 1 && (
            <tr>
              <td>
                <b>{m.platform_all()}</b>
              </td>
              <Cells of={all} columns={columns} />
              <td />
            </tr>
          )}
        </RowsTable>
      )}
    </Page>
  );
}

/** The figures of a month or of the year. */
const Cells = ({ of, columns }: { of: Omit<FeeMonth, "month">; columns: readonly string[] }) => (
  <>
    <td className="num" data-label={m.platform_invoices()}>
      {of.invoices}
    </td>
    <td className="num" data-label={m.platform_credit_notes()}>
      {of.creditNotes}
    </td>
    <td className="num" data-label={m.platform_taxable()}>
      {formatRupees(of.taxable)}
    </td>
    {columns.map((column, n) => (
      <td key={column} className="num" data-label={`${column}%`}>
        {formatRupees(of.tax[n]!)}
      </td>
    ))}
    <td className="num" data-label={m.platform_with_tax()}>
      {formatRupees(of.amount)}
    </td>
  </>
);

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.platform_admin_title() }) }];

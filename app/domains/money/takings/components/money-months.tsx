import { formatMonth } from "#app/lib/dates.ts";
import { formatRupees } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Chips } from "#app/ui/nav.tsx";
import { StatList, StatTile } from "#app/ui/staff/stat-list.tsx";
import { RowsTable } from "#app/ui/staff/table.tsx";
import { EmptyState } from "#app/ui/states.tsx";
import { MONTH_RANGES, type MoneyMonth, type MonthRange, totalOfMonths } from "../takings.ts";

const RANGE_WORDS: Record<MonthRange, () => string> = {
  "6m": () => m.statistics_range_6m(),
  "12m": () => m.statistics_range_12m(),
  year: () => m.statistics_range_year(),
  all: () => m.statistics_range_all(),
};

/** Received, refunded and owed by month. `path`: the page, with `?range=`; the CSV is beside it. */
export function MoneyMonthsView({ months, range, path, csv }: { months: MoneyMonth[]; range: MonthRange; path: string; csv: string }) {
  const total = totalOfMonths(months);
  return (
    <>
      <p className="text-ink-soft">{m.money_months_text()}</p>
      <div className="row flex-wrap justify-between mt-2">
        <Chips
          label={m.statistics_range()}
          chips={MONTH_RANGES.map((one) => ({ to: `${path}?range=${one}`, label: RANGE_WORDS[one](), current: one === range }))}
        />
        {months.length > 0 && (
          <LinkButton to={`${csv}?range=${range}`} download variant="second" size="sm" icon="download">
            {m.statistics_csv()}
          </LinkButton>
        )}
      </div>
      {months.length === 0 ? (
        <div className="mt-4">
          <EmptyState drawing="records" title={m.money_months_none()} />
        </div>
      ) : (
        <>
          <StatList className="mt-4">
            <StatTile label={m.money_received()} value={formatRupees(total.received)} hint={m.money_months_all()} />
            <StatTile label={m.money_refunded()} value={formatRupees(total.refunded)} hint={m.money_months_all()} />
            {total.notReturned > 0 && (
              <StatTile label={m.money_not_returned_figure()} value={formatRupees(total.notReturned)} hint={m.money_months_all()} />
            )}
            <StatTile label={m.money_months_owed()} value={formatRupees(total.owed)} hint={m.money_months_all()} />
          </StatList>
          <MonthsTable months={months} withNotReturned={total.notReturned > 0} />
        </>
      )}
    </>
  );
}

/** `withNotReturned`: with a column of refunds that failed. */
function MonthsTable({ months, withNotReturned }: { months: MoneyMonth[]; withNotReturned: boolean }) {
  return (
    <RowsTable
      className="mt-4"
      label={m.money_months()}
      heads={[
        m.statistics_month(),
        m.money_received(),
        m.money_refunded(),
        withNotReturned && m.money_not_returned_figure(),
        m.money_months_owed(),
      ]}
    >
      {months.toReversed().map(({ month, received, refunded, notReturned, owed }) => (
        <tr key={month}>
          <td>
            <b>{formatMonth(month)}</b>
          </td>
          <td data-label={m.money_received()} className="num">
            {formatRupees(received)}
          </td>
          <td data-label={m.money_refunded()} className="num">
            {formatRupees(refunded)}
          </td>
          {withNotReturned && (
            <td data-label={m.money_not_returned_figure()} className="num">
              {formatRupees(notReturned)}
            </td>
          )}
          <td data-label={m.money_months_owed()} className="num">
            {formatRupees(owed)}
          </td>
        </tr>
      ))}
    </RowsTable>
  );
}

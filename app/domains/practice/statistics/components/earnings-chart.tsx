import { type ComponentType, useEffect, useState } from "react";
import { formatMonth, monthShort } from "#app/lib/dates.ts";
import { formatRupees } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";
import { DataTable, Scroll } from "#app/ui/staff/table.tsx";
import { scaleOf } from "../chart-scale.ts";
import type { TrendMonth } from "../figures.ts";
import { EarningsBars } from "./earnings-bars.tsx";

/**
 * Earnings by month: bars rendered on the server, the same bars with recharts' tooltips after its chunk has loaded, and all
 * numbers as a table. Without JavaScript or the chunk the rendered bars stay.
 */
export function EarningsChart({ trend }: { trend: TrendMonth[] }) {
  const [Live, setLive] = useState<ComponentType<{ trend: TrendMonth[] }> | null>(null);
  useEffect(() => {
    let gone = false;
    import("./earnings-recharts.tsx").then(
      (chunk) => !gone && setLive(() => chunk.default),
      () => undefined, // the drawn bars show the same
    );
    return () => {
      gone = true;
    };
  }, []);
  const scale = scaleOf(trend.map((t) => t.earnings));
  const best = trend.reduce((a, b) => (b.earnings > a.earnings ? b : a));
  const total = sum(trend, "earnings");
  const label = m.statistics_chart_label({
    first: formatMonth(trend[0]!.month),
    last: formatMonth(trend.at(-1)!.month),
    earnings: formatRupees(total),
    best: formatMonth(best.month),
    most: formatRupees(best.earnings),
  });
  return (
    <figure className="card">
      <figcaption className="text-sm text-ink-soft">{scale.caption()}</figcaption>
      <Scroll className="[direction:rtl] *:[direction:ltr] *:me-auto" label={m.statistics_chart()}>
        <div className="[direction:ltr] flex h-60 mt-2" style={box(trend.length)} role="img" aria-label={label}>
          {Live ? <Live trend={trend} /> : <EarningsBars trend={trend} />}
        </div>
      </Scroll>
      <p className="text-sm text-ink-soft">
        {m.statistics_chart_sum({ earnings: formatRupees(total), visits: sum(trend, "completed") })}{" "}
        {m.statistics_running({ month: formatMonth(trend.at(-1)!.month) })}
      </p>
      <details>
        <summary>{m.statistics_as_table()}</summary>
        <TrendTable trend={trend} />
      </details>
    </figure>
  );
}

/** Both charts have the same size, to avoid layout shifts. More than six months scroll on a phone. */
const box = (months: number) => ({ minWidth: `${2.5 + months * (months > 6 ? 3.5 : 2.75)}rem` });
const sum = (trend: TrendMonth[], key: Exclude<keyof TrendMonth, "month">) => trend.reduce((total, t) => total + t[key], 0);

function TrendTable({ trend }: { trend: TrendMonth[] }) {
  const columns = ["appointments", "completed", "cancelled"] as const;
  const words = { appointments: m.statistics_appointments, completed: m.statistics_completed, cancelled: m.statistics_cancelled };
  return (
    <Scroll label={m.statistics_as_table()}>
      <DataTable>
        <thead>
          <tr>
            <th scope="col">{m.statistics_month()}</th>
            {columns.map((key) => (
              <th key={key} scope="col" className="text-right">
                {words[key]()}
              </th>
            ))}
            <th scope="col" className="text-right">
              {m.statistics_earnings()}
            </th>
          </tr>
        </thead>
        <tbody>
          {trend.toReversed().map((t) => (
            <tr key={t.month}>
              <th scope="row" className="num">
                {monthShort(t.month)} {t.month.slice(0, 4)}
              </th>
              {columns.map((key) => (
                <td key={key} className="text-right">
                  {t[key]}
                </td>
              ))}
              <td className="text-right">{formatRupees(t.earnings)}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">{m.statistics_together()}</th>
            {columns.map((key) => (
              <td key={key} className="text-right">
                <b>{sum(trend, key)}</b>
              </td>
            ))}
            <td className="text-right">
              <b>{formatRupees(sum(trend, "earnings"))}</b>
            </td>
          </tr>
        </tbody>
      </DataTable>
    </Scroll>
  );
}

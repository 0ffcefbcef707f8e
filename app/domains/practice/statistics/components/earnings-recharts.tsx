/** The chart with recharts, in a separate chunk that loads after the statistics page. */
import { Bar, BarChart, CartesianGrid, Cell, LabelList, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { formatMonth, monthShort } from "#app/lib/dates.ts";
import { formatRupees } from "#app/lib/money.ts";
import { m } from "#app/paraglide/messages.js";
import { inUnits, scaleOf } from "../chart-scale.ts";
import type { TrendMonth } from "../figures.ts";

export default function EarningsRecharts({ trend }: { trend: TrendMonth[] }) {
  const scale = scaleOf(trend.map((t) => t.earnings));
  const rows = trend.map((t) => ({ ...t, value: t.earnings / scale.unit, shown: inUnits(t.earnings, scale) }));
  const tick = (month: string) =>
    month.endsWith("-01") || month === trend[0]?.month ? `${monthShort(month)} ${month.slice(2, 4)}` : monthShort(month);
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart data={rows} margin={{ top: 22, right: 8, bottom: 0, left: 0 }} accessibilityLayer={false}>
        <CartesianGrid vertical={false} stroke="var(--color-line)" />
        <XAxis
          dataKey="month"
          tickFormatter={tick}
          interval="preserveEnd"
          tickLine={false}
          axisLine={false}
          tick={{ fill: "var(--color-ink-soft)", fontSize: 14 }}
        />
        <YAxis
          width={38}
          domain={[0, scale.top]}
          ticks={[0, scale.top / 2, scale.top]}
          tickLine={false}
          axisLine={false}
          tick={{ fill: "var(--color-ink-soft)", fontSize: 14 }}
        />
        <Tooltip cursor={{ fill: "var(--color-well)" }} content={<BarTooltip />} isAnimationActive={false} />
        <Bar dataKey="value" maxBarSize={36} isAnimationActive={false} stroke="var(--color-brand)" strokeWidth={1.5}>
          {rows.map((row, i) => (
            <Cell key={row.month} fill={i === rows.length - 1 ? "var(--color-brand)" : "var(--color-brand-soft)"} />
          ))}
          <LabelList dataKey="shown" position="top" fill="var(--color-ink)" fontSize={14} fontWeight={700} />
        </Bar>
      </BarChart>
    </ResponsiveContainer>
  );
}

/** The tooltip of a bar. */
function BarTooltip({ active, payload }: { active?: boolean; payload?: readonly { payload?: TrendMonth }[] }) {
  const month = payload?.[0]?.payload;
  if (!active || !month) return null;
  return (
    <div className="card text-sm">
      <b>{formatMonth(month.month)}</b>
      <p>{formatRupees(month.earnings)}</p>
      <p className="text-ink-soft">
        {m.statistics_completed()} {month.completed}, {m.statistics_cancelled().toLowerCase()} {month.cancelled}
      </p>
    </div>
  );
}

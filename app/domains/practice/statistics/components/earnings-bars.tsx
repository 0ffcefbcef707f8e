import { monthShort } from "#app/lib/dates.ts";
import { Bars } from "#app/ui/staff/chart.tsx";
import { inUnits, scaleOf } from "../chart-scale.ts";
import type { TrendMonth } from "../figures.ts";

/** Earnings by month, the current one filled. */
export function EarningsBars({ trend }: { trend: TrendMonth[] }) {
  const scale = scaleOf(trend.map((t) => t.earnings));
  const bars = trend.map(({ month, earnings }, i) => ({
    key: month,
    share: earnings / scale.unit / scale.top,
    value: inUnits(earnings, scale),
    names: [monthShort(month), (i === 0 || month.endsWith("-01")) && month.slice(0, 4)],
  }));
  return <Bars bars={bars} top={scale.top} />;
}

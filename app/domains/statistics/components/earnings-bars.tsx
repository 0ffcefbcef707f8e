import { monthShort } from "#app/lib/dates.ts";
import { inUnits, scaleOf } from "../chart-scale.ts";
import type { TrendMonth } from "../figures.ts";

const LEFT = 42;
const STEP = 64;
const BASE = 160;
const TOP = 24;
export const CHART_HEIGHT = 210;
/** A few months keep their bars' width and stand to the left. */
export const chartWidth = (months: number) => LEFT + Math.max(6, months) * STEP;

/** The chart as plain SVG (look.html, "Earnings by month"): the month that is running is filled. */
export function EarningsBars({ trend }: { trend: TrendMonth[] }) {
  const scale = scaleOf(trend.map((t) => t.earnings));
  const width = chartWidth(trend.length);
  const height = (paise: number) => ((BASE - TOP) * paise) / scale.unit / scale.top;
  return (
    <svg className="chart" viewBox={`0 0 ${width} ${CHART_HEIGHT}`} aria-hidden="true">
      {[0, 0.5, 1].map((share) => (
        <g key={share}>
          <line x1={LEFT} x2={width} y1={BASE - share * (BASE - TOP)} y2={BASE - share * (BASE - TOP)} />
          <text className="ax" x={LEFT - 6} y={BASE + 5 - share * (BASE - TOP)}>
            {Number((scale.top * share).toPrecision(3))}
          </text>
        </g>
      ))}
      {trend.map((t, i) => {
        const x = LEFT + i * STEP + STEP / 2;
        const h = height(t.earnings);
        return (
          <g key={t.month}>
            {h > 0 && <rect className={i === trend.length - 1 ? "hot" : undefined} x={x - 20} y={BASE - h} width={40} height={h} />}
            <text className="v" x={x} y={BASE - h - 6}>
              {inUnits(t.earnings, scale)}
            </text>
            <text x={x} y={180}>
              {monthShort(t.month)}
            </text>
            {(i === 0 || t.month.endsWith("-01")) && (
              <text x={x} y={204}>
                {t.month.slice(0, 4)}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}

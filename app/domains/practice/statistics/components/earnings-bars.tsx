import { monthShort } from "#app/lib/dates.ts";
import { inUnits, scaleOf } from "../chart-scale.ts";
import type { TrendMonth } from "../figures.ts";

const BASE = 190;
const TOP = 24;
const BAR = 32;

/**
 * The chart as plain SVG: the current month is filled. Heights are pixels and widths percentages, so that the bars fill the box
 * and text is not scaled.
 */
export function EarningsBars({ trend }: { trend: TrendMonth[] }) {
  const scale = scaleOf(trend.map((t) => t.earnings));
  const height = (paise: number) => ((BASE - TOP) * paise) / scale.unit / scale.top;
  const lineAt = (share: number) => BASE - share * (BASE - TOP);
  return (
    <>
      <svg className="chart axis" aria-hidden="true">
        {[0, 0.5, 1].map((share) => (
          <text key={share} className="[text-anchor:end]" x="85%" y={lineAt(share) + 5}>
            {Number((scale.top * share).toPrecision(3))}
          </text>
        ))}
      </svg>
      <svg className="chart" aria-hidden="true">
        {[0, 0.5, 1].map((share) => (
          <line key={share} x1="0" x2="100%" y1={lineAt(share)} y2={lineAt(share)} />
        ))}
        {trend.map((t, i) => {
          const h = height(t.earnings);
          const x = `${((i + 0.5) / trend.length) * 100}%`;
          return (
            <g key={t.month}>
              {h > 0 && (
                <rect
                  className={i === trend.length - 1 ? "[fill:var(--color-brand)]" : undefined}
                  x={x}
                  y={BASE - h}
                  width={BAR}
                  height={h}
                  transform={`translate(${-BAR / 2})`}
                />
              )}
              <text className="v" x={x} y={BASE - h - 6}>
                {inUnits(t.earnings, scale)}
              </text>
              <text x={x} y={BASE + 20}>
                {monthShort(t.month)}
              </text>
              {(i === 0 || t.month.endsWith("-01")) && (
                <text x={x} y={BASE + 40}>
                  {t.month.slice(0, 4)}
                </text>
              )}
            </g>
          );
        })}
      </svg>
    </>
  );
}

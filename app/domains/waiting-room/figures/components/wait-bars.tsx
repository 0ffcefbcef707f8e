import { leafOf, monthShort } from "#app/lib/dates.ts";
import type { WeekFigures } from "../figures.ts";

const BASE = 190;
const TOP = 24;
const BAR = 32;
const STEP = 10;

/** The usual wait of each week as plain SVG, without scripts. Heights are pixels and widths percentages, so that text is not scaled. */
export function WaitBars({ weeks }: { weeks: readonly WeekFigures[] }) {
  const most = Math.max(STEP, ...weeks.map(({ wait }) => wait ?? 0));
  const top = Math.ceil(most / STEP) * STEP;
  const lineAt = (share: number) => BASE - share * (BASE - TOP);
  return (
    <>
      <svg className="chart axis" aria-hidden="true">
        {[0, 0.5, 1].map((share) => (
          <text key={share} className="[text-anchor:end]" x="85%" y={lineAt(share) + 5}>
            {top * share}
          </text>
        ))}
      </svg>
      <svg className="chart" aria-hidden="true">
        {[0, 0.5, 1].map((share) => (
          <line key={share} x1="0" x2="100%" y1={lineAt(share)} y2={lineAt(share)} />
        ))}
        {weeks.map(({ week, wait }, i) => {
          const height = ((BASE - TOP) * (wait ?? 0)) / top;
          const x = `${((i + 0.5) / weeks.length) * 100}%`;
          return (
            <g key={week}>
              {height > 0 && (
                <rect
                  className={i === weeks.length - 1 ? "[fill:var(--color-brand)]" : undefined}
                  x={x}
                  y={BASE - height}
                  width={BAR}
                  height={height}
                  transform={`translate(${-BAR / 2})`}
                />
              )}
              {wait !== null && (
                <text className="v" x={x} y={BASE - height - 6}>
                  {wait}
                </text>
              )}
              <text x={x} y={BASE + 20}>
                {`${leafOf(week).day} ${monthShort(week)}`}
              </text>
            </g>
          );
        })}
      </svg>
    </>
  );
}

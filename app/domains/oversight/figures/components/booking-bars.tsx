import { formatDayOfMonth } from "#app/lib/dates.ts";
import { axisTop, type WeekFigures } from "../figures.ts";

const BASE = 190;
const TOP = 24;
const BAR = 28;

/** Bookings by week as plain SVG, this week filled. Heights are pixels and widths percentages, so that text is not scaled. */
export function BookingBars({ weeks }: { weeks: WeekFigures[] }) {
  const top = axisTop(weeks.map((one) => one.bookings));
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
        {weeks.map(({ week, bookings }, i) => {
          const x = `${((i + 0.5) / weeks.length) * 100}%`;
          const y = lineAt(bookings / top);
          return (
            <g key={week}>
              {bookings > 0 && (
                <rect
                  className={i === weeks.length - 1 ? "[fill:var(--color-brand)]" : undefined}
                  x={x}
                  y={y}
                  width={BAR}
                  height={BASE - y}
                  transform={`translate(${-BAR / 2})`}
                />
              )}
              <text className="v" x={x} y={y - 6}>
                {bookings}
              </text>
              <text x={x} y={BASE + 20}>
                {formatDayOfMonth(week)}
              </text>
              {(i === 0 || week.slice(5) <= "01-07") && (
                <text x={x} y={BASE + 40}>
                  {week.slice(0, 4)}
                </text>
              )}
            </g>
          );
        })}
      </svg>
    </>
  );
}

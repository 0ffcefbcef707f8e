/** `names`: below the bar, one in a line. `value` null: none is known. */
export type Bar = { key: string; share: number; value: string | number | null; names: (string | false)[] };

const WORDS = "fill-ink-soft";

const BASE = 190;
const TOP = 24;
const SHARES = [0, 0.5, 1];
const yAt = (share: number) => BASE - share * (BASE - TOP);

/**
 * Bars by time as plain SVG: an axis of three lines, the last bar filled. `share` of a bar: of `top`, the highest line. Heights are pixels
 * and widths percentages, so that the bars fill the box and text is not scaled.
 */
export function Bars({ bars, top, width = 32 }: { bars: Bar[]; top: number; width?: number }) {
  return (
    <>
      <svg className="h-full min-w-0 flex-[0_0_2.5rem] text-[0.875rem] font-medium" textAnchor="end" aria-hidden="true">
        {SHARES.map((share) => (
          <text key={share} className={WORDS} x="85%" y={yAt(share) + 5}>
            {Number((top * share).toPrecision(3))}
          </text>
        ))}
      </svg>
      <svg className="h-full min-w-0 flex-1 text-[0.875rem] font-medium" textAnchor="middle" aria-hidden="true" data-bars>
        {SHARES.map((share) => (
          <line key={share} className="stroke-line" x1="0" x2="100%" y1={yAt(share)} y2={yAt(share)} />
        ))}
        {bars.map(({ key, share, value, names }, i) => {
          const y = yAt(share);
          const x = `${((i + 0.5) / bars.length) * 100}%`;
          return (
            <g key={key}>
              {share > 0 && (
                <rect
                  className={i === bars.length - 1 ? "fill-brand stroke-brand" : "fill-brand-soft stroke-brand"}
                  strokeWidth={1.5}
                  x={x}
                  y={y}
                  width={width}
                  height={BASE - y}
                  transform={`translate(${-width / 2})`}
                />
              )}
              {value !== null && (
                <text className="fill-ink font-bold" x={x} y={y - 6}>
                  {value}
                </text>
              )}
              {names.map(
                (name, line) =>
                  name && (
                    <text key={name} className={WORDS} x={x} y={BASE + 20 * (line + 1)}>
                      {name}
                    </text>
                  ),
              )}
            </g>
          );
        })}
      </svg>
    </>
  );
}

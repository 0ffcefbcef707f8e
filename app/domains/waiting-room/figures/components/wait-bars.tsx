import { leafOf, monthShort } from "#app/lib/dates.ts";
import { Bars } from "#app/ui/staff/chart.tsx";
import type { WeekFigures } from "../figures.ts";

const STEP = 10;

/** The usual wait of each week. */
export function WaitBars({ weeks }: { weeks: readonly WeekFigures[] }) {
  const most = Math.max(STEP, ...weeks.map(({ wait }) => wait ?? 0));
  const top = Math.ceil(most / STEP) * STEP;
  const bars = weeks.map(({ week, wait }) => ({
    key: week,
    share: (wait ?? 0) / top,
    value: wait,
    names: [`${leafOf(week).day} ${monthShort(week)}`],
  }));
  return <Bars bars={bars} top={top} />;
}

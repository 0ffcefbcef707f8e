import { formatDayOfMonth } from "#app/lib/dates.ts";
import { Bars } from "#app/ui/staff/chart.tsx";
import { axisTop, type WeekFigures } from "../figures.ts";

/** Bookings by week, this week filled. */
export function BookingBars({ weeks }: { weeks: WeekFigures[] }) {
  const top = axisTop(weeks.map((one) => one.bookings));
  const bars = weeks.map(({ week, bookings }, i) => ({
    key: week,
    share: bookings / top,
    value: bookings,
    names: [formatDayOfMonth(week), (i === 0 || week.slice(5) <= "01-07") && week.slice(0, 4)],
  }));
  return <Bars bars={bars} top={top} width={28} />;
}

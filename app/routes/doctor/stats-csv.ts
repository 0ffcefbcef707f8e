import { isStatsRange } from "#app/domains/practice/statistics/figures.ts";
import { getDoctorStats } from "#app/domains/practice/statistics/queries.server.ts";
import { csvResponse } from "#app/http/csv-response.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { csvFile } from "#app/lib/csv.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import type { Route } from "./+types/stats-csv.ts";

/** Returns the months of /doctor/stats in the same range as CSV. */
export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const asked = new URL(request.url).searchParams.get("range");
  const range = isStatsRange(asked) ? asked : "6m";
  const { monthlyTrend } = await getDoctorStats(ctx, range);
  const file = csvFile(
    [m.statistics_month(), m.statistics_appointments(), m.statistics_completed(), m.statistics_cancelled(), m.statistics_earnings_inr()],
    monthlyTrend.map((t) => [t.month, t.appointments, t.completed, t.cancelled, t.earnings / 100]),
  );
  return csvResponse(file, `nadi-earnings-${range}-${todayInIndia(ctx.now)}.csv`);
});

import { weekRangeOf } from "#app/domains/oversight/figures/figures.ts";
import { getPlatformFigures } from "#app/domains/oversight/figures/queries.server.ts";
import { csvResponse } from "#app/http/csv-response.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { csvFile } from "#app/lib/csv.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import type { Route } from "./+types/figures-csv.ts";

/** Returns the weeks of /admin/figures in the same range as CSV. */
export const loader = loadOwn(async (ctx, { request }: Route.LoaderArgs) => {
  const range = weekRangeOf(new URL(request.url).searchParams.get("weeks"));
  const { weeks } = await getPlatformFigures(ctx, range);
  const file = csvFile(
    [
      m.figures_week(),
      m.figures_admin_bookings(),
      m.figures_admin_acceptance_minutes(),
      m.figures_admin_by_patient(),
      m.figures_admin_by_doctor(),
      m.figures_admin_by_others(),
      m.figures_no_shows(),
      m.figures_admin_patients(),
      m.figures_admin_doctors(),
    ],
    weeks.map((one) => [
      one.week,
      one.bookings,
      one.acceptance ?? "",
      one.cancelledByPatient,
      one.cancelledByDoctor,
      one.cancelledByOthers,
      one.missed,
      one.newPatients,
      one.newDoctors,
    ]),
  );
  return csvResponse(file, `nadi-figures-${range}-${todayInIndia(ctx.now)}.csv`);
});

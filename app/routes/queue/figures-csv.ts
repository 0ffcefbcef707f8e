import { queueFiguresCsv } from "#app/domains/waiting-room/figures/csv.ts";
import { csvResponse } from "#app/http/csv-response.server.ts";
import { load } from "#app/http/load.server.ts";
import type { Route } from "./+types/figures-csv.ts";
import { reportOf } from "./report-of.server.ts";

/** Returns the figures of the page as CSV. */
export const loader = load(async (args: Route.LoaderArgs) => {
  const { report } = await reportOf(args);
  return csvResponse(queueFiguresCsv(report), `nadi-queue-${report.from}-${report.until}.csv`);
});

import { takingsCsv } from "#app/domains/money/takings/csv.ts";
import { csvResponse } from "#app/http/csv-response.server.ts";
import { load } from "#app/http/load.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import type { Route } from "./+types/takings-csv.ts";
import { takingsOf } from "./takings-of.server.ts";

/** Returns the payments and refunds of a day as CSV. */
export const loader = load(async (args: Route.LoaderArgs) => {
  const { sums, takings } = await takingsOf(args);
  if (!sums) throw new DomainError("forbidden");
  return csvResponse(takingsCsv(takings.moves), `nadi-takings-${takings.day}.csv`);
});

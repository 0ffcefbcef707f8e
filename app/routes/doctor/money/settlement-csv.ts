import { getOwnSettlement } from "#app/domains/money/settlements/own-settlements.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { settlementFile } from "#app/http/settlement-files.server.ts";
import type { Route } from "./+types/settlement-csv.ts";

/** Returns the lines of /doctor/settlements/{id} as CSV. */
export const loader = load(async ({ context, params }: Route.LoaderArgs) =>
  settlementFile(await getOwnSettlement(actorCtxOf(context), { hospitalId: null, id: params.id })),
);

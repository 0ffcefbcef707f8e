import { exportOwnSettlements } from "#app/domains/money/settlements/own-settlements.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { settlementsFile } from "#app/http/settlement-files.server.ts";
import type { Route } from "./+types/settlements-csv.ts";

/** Returns the settlements of /clinic/{id}/settlements as CSV. */
export const loader = load(async ({ context, params }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  return settlementsFile(await exportOwnSettlements(ctx, { hospitalId: params.id }), ctx.now);
});

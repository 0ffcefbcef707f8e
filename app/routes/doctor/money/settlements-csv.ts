import { exportOwnSettlements } from "#app/domains/money/settlements/own-settlements.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { settlementsFile } from "#app/http/settlement-files.server.ts";
import type { Route } from "./+types/settlements-csv.ts";

/** Returns the settlements of /doctor/settlements as CSV. */
export const loader = load(async ({ context }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  return settlementsFile(await exportOwnSettlements(ctx, { hospitalId: null }), ctx.now);
});

import { OwnSettlementView } from "#app/domains/money/settlements/components/own-settlements.tsx";
import { getOwnSettlement } from "#app/domains/money/settlements/own-settlements.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { m } from "#app/paraglide/messages.js";
import { MetaLine } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/settlement.ts";
import { moneyPaths, scopeOf } from "./money-paths.ts";

export const loader = loadOwn((ctx, { params }: Route.LoaderArgs) =>
  getOwnSettlement(ctx, { ...scopeOf(params), id: params.settlementId }),
);

/** The payments and refunds of a settlement. In a hospital or clinic: for members with the permission for takings. */
export default function Settlement({ loaderData: { placeName, settlement, lines }, params }: Route.ComponentProps) {
  const scope = scopeOf(params);
  const paths = moneyPaths(scope);
  const ofPlace = scope.hospitalId !== null;
  return (
    <Page wide title={m.settle_title()} back={{ to: paths.settlements, label: m.settle_title() }}>
      {ofPlace && <MetaLine className="mb-3">{placeName}</MetaLine>}
      <OwnSettlementView
        settlement={settlement}
        lines={lines}
        doctors={ofPlace}
        receipt={paths.receipt}
        csv={paths.settlementCsv(params.settlementId)}
      />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.settle_title() }) }];

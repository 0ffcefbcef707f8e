import { href } from "react-router";
import { OwnSettlementView } from "#app/domains/money/settlements/components/own-settlements.tsx";
import { getOwnSettlement } from "#app/domains/money/settlements/own-settlements.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { m } from "#app/paraglide/messages.js";
import { MetaLine } from "#app/ui/pieces.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/settlement.ts";

export const loader = load(({ context, params }: Route.LoaderArgs) =>
  getOwnSettlement(actorCtxOf(context), { hospitalId: params.id, id: params.settlementId }),
);

/** The payments and refunds of a settlement, for members with the permission for takings. */
export default function PlaceSettlement({ loaderData, params }: Route.ComponentProps) {
  const { placeName, settlement, lines } = loaderData;
  return (
    <Page wide title={m.settle_title()} back={{ to: href("/clinic/:id/settlements", { id: params.id }), label: m.settle_title() }}>
      <MetaLine className="mb-3">{placeName}</MetaLine>
      <OwnSettlementView
        settlement={settlement}
        lines={lines}
        doctors
        receipt={(paymentId) => href("/clinic/:id/payments/:paymentId", { id: params.id, paymentId })}
        csv={href("/clinic/:id/settlements/:settlementId/lines.csv", params)}
      />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.settle_title() }) }];

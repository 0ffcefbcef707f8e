import { href } from "react-router";
import { OwnSettlementView } from "#app/domains/money/settlements/components/own-settlements.tsx";
import { getOwnSettlement } from "#app/domains/money/settlements/own-settlements.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { m } from "#app/paraglide/messages.js";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/settlement.ts";

export const loader = load(({ context, params }: Route.LoaderArgs) =>
  getOwnSettlement(actorCtxOf(context), { hospitalId: null, id: params.id }),
);

/** The payments and refunds of a settlement. */
export default function Settlement({ loaderData: { settlement, lines }, params: { id } }: Route.ComponentProps) {
  return (
    <Page wide title={m.settle_title()} back={{ to: href("/doctor/settlements"), label: m.settle_title() }}>
      <OwnSettlementView
        settlement={settlement}
        lines={lines}
        doctors={false}
        receipt={(id) => href("/doctor/payments/:id", { id })}
        csv={href("/doctor/settlements/:id/lines.csv", { id })}
      />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.settle_title() }) }];

import { href } from "react-router";
import { hasOnlinePayments } from "#app/domains/money/checks/queries.server.ts";
import { TakingsView } from "#app/domains/money/takings/components/takings-view.tsx";
import { getPlaceTakings } from "#app/domains/money/takings/queries.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { takingsDay } from "#app/http/takings-day.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/takings.ts";

export const loader = load(async ({ context, params, request }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  const shown = await getPlaceTakings(ctx, params.id, takingsDay(request, ctx.now));
  return { ...shown, today: todayInIndia(ctx.now), online: hasOnlinePayments(ctx) };
});

/** Payments of a place. Members without the permission for takings see the appointments only. */
export default function PlaceTakings({ loaderData, params: { id } }: Route.ComponentProps) {
  const { placeName, sums, takings, today, online } = loaderData;
  return (
    <Page wide title={sums ? m.money_takings() : m.money_payments()} back={{ to: href("/clinic/:id", { id }), label: placeName }}>
      <TakingsView
        takings={takings}
        today={today}
        doctors
        sums={sums}
        links={{
          day: (day) => `${href("/clinic/:id/takings", { id })}?day=${day}`,
          csv: `${href("/clinic/:id/takings.csv", { id })}?day=${takings.day}`,
          months: href("/clinic/:id/takings/months", { id }),
          settlements: online ? href("/clinic/:id/settlements", { id }) : undefined,
          record: (visitId) => href("/clinic/:id/visits/:visitId/payment", { id, visitId }),
          receipt: (paymentId) => href("/clinic/:id/payments/:paymentId", { id, paymentId }),
        }}
      />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.money_takings() }) }];

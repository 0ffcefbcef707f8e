import { href } from "react-router";
import { hasOnlinePayments } from "#app/domains/money/checks/queries.server.ts";
import { TakingsView } from "#app/domains/money/takings/components/takings-view.tsx";
import { getOwnTakings } from "#app/domains/money/takings/queries.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { takingsDay } from "#app/http/takings-day.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/takings.ts";

export const loader = load(async ({ context, request }: Route.LoaderArgs) => {
  const ctx = actorCtxOf(context);
  return { takings: await getOwnTakings(ctx, takingsDay(request, ctx.now)), today: todayInIndia(ctx.now), online: hasOnlinePayments(ctx) };
});

export default function Takings({ loaderData }: Route.ComponentProps) {
  const { takings, today, online } = loaderData;
  return (
    <Page wide title={m.money_takings()}>
      <TakingsView
        takings={takings}
        today={today}
        doctors={false}
        links={{
          day: (day) => `${href("/doctor/takings")}?day=${day}`,
          csv: `${href("/doctor/takings.csv")}?day=${takings.day}`,
          months: href("/doctor/takings/months"),
          settlements: online ? href("/doctor/settlements") : undefined,
          record: (id) => href("/doctor/patient/:id/payment", { id }),
          receipt: (id) => href("/doctor/payments/:id", { id }),
          visit: (id) => href("/doctor/patient/:id", { id }),
        }}
      />
      <LinkButton to={href("/doctor/refund-policy")} variant="quiet" className="mt-4 pl-0">
        {m.refunds_policy()}
      </LinkButton>
      {online && (
        <LinkButton to={href("/doctor/payout-account")} variant="quiet" className="pl-0">
          {m.payout_title()}
        </LinkButton>
      )}
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.money_takings() }) }];

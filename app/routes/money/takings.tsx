import { href } from "react-router";
import { hasOnlinePayments } from "#app/domains/money/checks/queries.server.ts";
import { TakingsView } from "#app/domains/money/takings/components/takings-view.tsx";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { todayInIndia } from "#app/lib/dates.ts";
import { m } from "#app/paraglide/messages.js";
import { LinkButton } from "#app/ui/button.tsx";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/takings.ts";
import { moneyPaths, scopeOf } from "./money-paths.ts";
import { takingsOf } from "./takings-of.server.ts";

export const loader = load(async (args: Route.LoaderArgs) => {
  const ctx = actorCtxOf(args.context);
  return { ...(await takingsOf(args)), today: todayInIndia(ctx.now), online: hasOnlinePayments(ctx) };
});

/** Payments of a day. Members of a hospital or clinic without the permission for takings see the appointments only. */
export default function Takings({ loaderData, params }: Route.ComponentProps) {
  const { placeName, sums, takings, today, online } = loaderData;
  const scope = scopeOf(params);
  const paths = moneyPaths(scope);
  const id = scope.hospitalId;
  return (
    <Page
      wide
      title={sums ? m.money_takings() : m.money_payments()}
      back={id === null ? undefined : { to: href("/clinic/:id", { id }), label: placeName ?? "" }}
    >
      <TakingsView
        takings={takings}
        today={today}
        doctors={id !== null}
        sums={sums}
        links={{
          day: (day) => `${paths.takings}?day=${day}`,
          csv: `${paths.takingsCsv}?day=${takings.day}`,
          months: paths.months,
          settlements: online ? paths.settlements : undefined,
          record: paths.record,
          receipt: paths.receipt,
          ...(id === null && { visit: (visitId: string) => href("/doctor/patient/:id", { id: visitId }) }),
        }}
      />
      {id === null && (
        <LinkButton to={paths.refundPolicy} variant="quiet" className="mt-4 pl-0">
          {m.refunds_policy()}
        </LinkButton>
      )}
      {id === null && online && (
        <LinkButton to={paths.payoutAccount} variant="quiet" className="pl-0">
          {m.payout_title()}
        </LinkButton>
      )}
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.money_takings() }) }];

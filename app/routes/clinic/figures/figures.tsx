import { href } from "react-router";
import { QueueFiguresView } from "#app/domains/waiting-room/figures/components/queue-figures.tsx";
import { figureDaysOf } from "#app/domains/waiting-room/figures/figures.ts";
import { getPlaceQueueReport } from "#app/domains/waiting-room/figures/queries.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { m } from "#app/paraglide/messages.js";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/figures.ts";

export const loader = load(async ({ context, params, url }: Route.LoaderArgs) => {
  const days = figureDaysOf(url.searchParams.get("days"));
  return { days, ...(await getPlaceQueueReport(actorCtxOf(context), params.id, days)) };
});

/** Waits, consultations and missed appointments of a place. */
export default function PlaceFigures({ loaderData, params: { id } }: Route.ComponentProps) {
  const { report, days, placeName } = loaderData;
  return (
    <Page wide title={m.figures_title()} back={{ to: href("/clinic/:id", { id }), label: placeName }}>
      <QueueFiguresView
        report={report}
        days={days}
        path={href("/clinic/:id/figures", { id })}
        csv={href("/clinic/:id/figures.csv", { id })}
      />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.figures_title() }) }];

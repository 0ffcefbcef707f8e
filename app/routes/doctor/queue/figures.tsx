import { href } from "react-router";
import { QueueFiguresView } from "#app/domains/waiting-room/figures/components/queue-figures.tsx";
import { figureDaysOf } from "#app/domains/waiting-room/figures/figures.ts";
import { getOwnQueueReport } from "#app/domains/waiting-room/figures/queries.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { m } from "#app/paraglide/messages.js";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/figures.ts";

export const loader = load(async ({ context, url }: Route.LoaderArgs) => {
  const days = figureDaysOf(url.searchParams.get("days"));
  return { days, report: await getOwnQueueReport(actorCtxOf(context), days) };
});

/** Waits, consultations and missed appointments of the doctor's own queues. */
export default function OwnFigures({ loaderData }: Route.ComponentProps) {
  return (
    <Page wide title={m.figures_title()} back={{ to: href("/doctor/queue"), label: m.queue_my_title() }}>
      <QueueFiguresView {...loaderData} path={href("/doctor/queue/figures")} csv={href("/doctor/queue/figures.csv")} />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.figures_title() }) }];

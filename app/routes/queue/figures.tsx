import { href } from "react-router";
import { EarlierYears } from "#app/domains/clinic/imports/components/earlier-years.tsx";
import { listEarlierYears } from "#app/domains/clinic/imports/earlier-years.server.ts";
import { QueueFiguresView } from "#app/domains/waiting-room/figures/components/queue-figures.tsx";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { m } from "#app/paraglide/messages.js";
import { Page } from "#app/ui/shell.tsx";
import type { Route } from "./+types/figures.ts";
import { reportOf } from "./report-of.server.ts";

export const loader = load(async (args: Route.LoaderArgs) => {
  const { id } = args.params;
  const report = await reportOf(args);
  return { ...report, years: id === undefined ? [] : await listEarlierYears(actorCtxOf(args.context), { hospitalId: id }) };
});

/** Waits, consultations and missed appointments: of the doctor's own queues, or of a hospital or clinic. */
export default function QueueFigures({ loaderData: { placeName, years, ...shown }, params: { id } }: Route.ComponentProps) {
  const at =
    id === undefined
      ? { back: href("/doctor/queue"), path: href("/doctor/queue/figures"), csv: href("/doctor/queue/figures.csv") }
      : { back: href("/clinic/:id", { id }), path: href("/clinic/:id/figures", { id }), csv: href("/clinic/:id/figures.csv", { id }) };
  return (
    <Page wide title={m.figures_title()} back={{ to: at.back, label: placeName ?? m.queue_my_title() }}>
      <QueueFiguresView {...shown} path={at.path} csv={at.csv} />
      <EarlierYears years={years} />
    </Page>
  );
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.figures_title() }) }];

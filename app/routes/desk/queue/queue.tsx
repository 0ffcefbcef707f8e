import { href } from "react-router";
import { getQueuePage } from "#app/domains/waiting-room/queue/queue-page.server.ts";
import { estimateRows } from "#app/domains/waiting-room/token-page/row-estimates.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { submitQueueForm } from "#app/http/queue-page.server.ts";
import { randomToken } from "#app/lib/ids.server.ts";
import { m } from "#app/paraglide/messages.js";
import type { PageHandle } from "#app/ui/document.tsx";
import { QueuePage } from "../../shared/queue-page.tsx";
import type { Route } from "./+types/queue.ts";

type Loaded = Awaited<ReturnType<typeof loader>> | undefined;
/** Without scripts the page loads itself again, except while a walk-in is typed. */
export const handle = {
  polled: true,
  refresh: (loaded, answer) => ((loaded as Loaded)?.typing || answer ? null : "5"),
} satisfies PageHandle;

export const loader = load(async ({ context, request }: Route.LoaderArgs) => {
  const params = new URL(request.url).searchParams;
  const ctx = actorCtxOf(context);
  const { planned, ...view } = await getQueuePage(ctx, "member", params.get("session"));
  const etas = view.session ? await estimateRows(ctx, view.session.id, planned) : {};
  return { view, etas, formKey: randomToken(), given: params.get("given"), typing: params.has("typing") };
});

export function action({ context, request }: Route.ActionArgs) {
  return submitQueueForm(actorCtxOf(context), request, href("/desk/queue"));
}

export { revalidateAfterRefusal as shouldRevalidate } from "#app/ui/unsent-form.ts";

export default function QueueRoute({ loaderData, actionData }: Route.ComponentProps) {
  return <QueuePage title={m.queue_title()} path={href("/desk/queue")} data={loaderData} answer={actionData} />;
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.queue_title() }) }];

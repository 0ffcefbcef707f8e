import { href } from "react-router";
import { getQueueSession } from "#app/domains/waiting-room/queue/queue-page.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { submitQueueClose } from "#app/http/queue-page.server.ts";
import { m } from "#app/paraglide/messages.js";
import { QueueClose } from "../../shared/queue-close.tsx";
import type { Route } from "./+types/close.ts";

export const loader = load(({ context, params }: Route.LoaderArgs) => getQueueSession(actorCtxOf(context), params.sessionId));

export function action({ context, params, request }: Route.ActionArgs) {
  return submitQueueClose(actorCtxOf(context), request, params.sessionId, href("/doctor/queue"));
}

export default function QueueCloseRoute({ loaderData, actionData, params }: Route.ComponentProps) {
  return <QueueClose data={loaderData} answer={actionData} back={`${href("/doctor/queue")}?session=${params.sessionId}`} />;
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.queue_close_title() }) }];

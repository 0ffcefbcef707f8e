import { href } from "react-router";
import { qrCode } from "#app/domains/booking/payments/qr-code.server.ts";
import { getSlip } from "#app/domains/waiting-room/queue/queue-page.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { m } from "#app/paraglide/messages.js";
import { env } from "#app/runtime/env.server.ts";
import { QueueSlip } from "../../shared/queue-slip.tsx";
import type { Route } from "./+types/slip.ts";

export const loader = load(async ({ context, params }: Route.LoaderArgs) => {
  const { code, ...slip } = await getSlip(actorCtxOf(context), params.sessionId, params.entryId);
  const url = new URL(`/q/${code}`, env().appUrl).href;
  return { ...slip, url, qr: qrCode(url) };
});

export default function SlipRoute({ loaderData, params }: Route.ComponentProps) {
  return <QueueSlip slip={loaderData} back={`${href("/desk/queue")}?session=${params.sessionId}`} />;
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.queue_slip_title() }) }];

import { load } from "#app/http/load.server.ts";
import { loadPush, submitPush } from "#app/http/push.server.ts";
import { m } from "#app/paraglide/messages.js";
import { PushPage } from "../shared/push-page.tsx";
import type { Route } from "./+types/push.ts";

export const loader = load(loadPush);

export const action = submitPush;

export default function Push({ loaderData, actionData }: Route.ComponentProps) {
  return <PushPage {...loaderData} result={actionData?.result} back="/patient/settings" />;
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.push_title() }) }];

import { href } from "react-router";
import { topicWord } from "#app/domains/platform/support/words.ts";
import { load } from "#app/http/load.server.ts";
import { loadOwnThread, submitReply } from "#app/http/support.server.ts";
import { m } from "#app/paraglide/messages.js";
import { SupportThread } from "../../shared/support-pages.tsx";
import type { Route } from "./+types/thread.ts";

export const loader = load(loadOwnThread);

export const action = submitReply;

export { revalidateAfterRefusal as shouldRevalidate } from "#app/ui/unsent-form.ts";

export default function Thread({ loaderData, actionData }: Route.ComponentProps) {
  return <SupportThread data={loaderData} base={href("/patient/support")} result={actionData?.result} />;
}

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: m.ui_title({ page: loaderData ? topicWord(loaderData.thread.topic) : m.support_title() }) },
];

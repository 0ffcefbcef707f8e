import { href } from "react-router";
import { load } from "#app/http/load.server.ts";
import { loadQuestion, submitQuestion } from "#app/http/support.server.ts";
import { m } from "#app/paraglide/messages.js";
import { WriteToSupport } from "../../shared/support-pages.tsx";
import type { Route } from "./+types/write.ts";

export const loader = load(loadQuestion);

export const action = submitQuestion;

export { revalidateAfterRefusal as shouldRevalidate } from "#app/ui/unsent-form.ts";

export default function Write({ loaderData, actionData }: Route.ComponentProps) {
  return <WriteToSupport data={loaderData} base={href("/patient/support")} result={actionData?.result} />;
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.support_new_title() }) }];

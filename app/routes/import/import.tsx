import { load } from "#app/http/load.server.ts";
import { m } from "#app/paraglide/messages.js";
import type { PageHandle } from "#app/ui/document.tsx";
import type { Route } from "./+types/import.ts";
import { refreshRunning } from "./done-page.tsx";
import { ImportSteps } from "./import-steps.tsx";
import { loadImport, submitImport } from "./moving.server.ts";

export const handle = { bar: false, deadline: 60, refresh: refreshRunning } satisfies PageHandle;

export const loader = load(loadImport);
export const action = submitImport;

export default function Import({ loaderData, actionData }: Route.ComponentProps) {
  return <ImportSteps data={loaderData} result={actionData?.result} />;
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.import_title() }) }];

import { load } from "#app/http/load.server.ts";
import { requireFreshProof } from "#app/http/proof.server.ts";
import { m } from "#app/paraglide/messages.js";
import type { PageHandle } from "#app/ui/document.tsx";
import type { Route } from "./+types/export.ts";
import { ExportPage, refreshPreparing } from "./export-page.tsx";
import { loadExports, submitExport } from "./moving.server.ts";

export const handle = { refresh: refreshPreparing } satisfies PageHandle;
export const middleware = [requireFreshProof("export-data")];

export const loader = load(loadExports);
export const action = submitExport;

export default function Export({ loaderData, actionData }: Route.ComponentProps) {
  return <ExportPage data={loaderData} result={actionData?.result} />;
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.import_export_title() }) }];

import { load } from "#app/http/load.server.ts";
import { requireFreshProof } from "#app/http/proof.server.ts";
import { m } from "#app/paraglide/messages.js";
import type { PageHandle } from "#app/ui/document.tsx";
import type { Route } from "./+types/upload.ts";
import { loadImports, submitUpload } from "./moving.server.ts";
import { ImportUpload } from "./upload-page.tsx";

// A file of at most 20 MB. Larger ones are read to show the error next to the field.
export const handle = { uploadMb: 64, deadline: 60, bar: false } satisfies PageHandle;
export const middleware = [requireFreshProof("import-data")];

export const loader = load(loadImports);
export const action = submitUpload;

export default function Upload({ loaderData, actionData }: Route.ComponentProps) {
  return <ImportUpload data={loaderData} result={actionData?.result} />;
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.import_title() }) }];

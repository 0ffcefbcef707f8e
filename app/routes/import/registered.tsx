import { load } from "#app/http/load.server.ts";
import { requireFreshProof } from "#app/http/proof.server.ts";
import { m } from "#app/paraglide/messages.js";
import type { Route } from "./+types/registered.ts";
import { loadRegistered } from "./moving.server.ts";
import { Registered } from "./registered-page.tsx";

export const middleware = [requireFreshProof("export-data")];

export const loader = load(loadRegistered);

export default function ImportedPatient({ loaderData }: Route.ComponentProps) {
  return <Registered data={loaderData} />;
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.import_register_title() }) }];

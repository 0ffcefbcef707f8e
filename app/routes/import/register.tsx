import { load } from "#app/http/load.server.ts";
import { requireFreshProof } from "#app/http/proof.server.ts";
import { m } from "#app/paraglide/messages.js";
import type { Route } from "./+types/register.ts";
import { loadRegister } from "./moving.server.ts";
import { Register } from "./register-page.tsx";

export const middleware = [requireFreshProof("export-data")];

export const loader = load(loadRegister);

export default function ImportedPatients({ loaderData }: Route.ComponentProps) {
  return <Register data={loaderData} />;
}

export const meta: Route.MetaFunction = () => [{ title: m.ui_title({ page: m.import_register_title() }) }];

import { href } from "react-router";
import { getOwnDocument } from "#app/domains/visit/documents/queries.server.ts";
import { actorCtxOf } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { env } from "#app/runtime/env.server.ts";
import { PRINT_HEADERS, printedPage } from "../light/prescription-html.ts";
import type { Route } from "./+types/visit-document.ts";

/** Returns a signed prescription or certificate of the patient, for reading and printing. */
export const loader = load(async ({ context, params, request }: Route.LoaderArgs) => {
  const { content, state } = await getOwnDocument(actorCtxOf(context), { visitId: params.id, documentId: params.documentId });
  const back = href("/patient/appointments/:id", { id: params.id });
  return new Response(printedPage(content, state, { origin: env().appUrl.origin, back, url: request.url }), { headers: PRINT_HEADERS });
});

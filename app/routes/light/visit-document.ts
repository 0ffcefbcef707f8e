import { href } from "react-router";
import { getOwnDocument } from "#app/domains/visit/documents/queries.server.ts";
import { actorCtxOf, areaIn } from "#app/http/context.ts";
import { load } from "#app/http/load.server.ts";
import { env } from "#app/runtime/env.server.ts";
import type { Route } from "./+types/visit-document.ts";
import { printedPage } from "./prescription-html.ts";

/** Returns a signed prescription, certificate or order of the doctor or of the patient, for reading and printing. */
export const loader = load(async ({ context, params: { id, documentId }, request }: Route.LoaderArgs) => {
  const { content, state } = await getOwnDocument(actorCtxOf(context), { visitId: id, documentId });
  const isDoctor = areaIn(context, "patient", "doctor") === "doctor";
  const back = isDoctor ? href("/doctor/visits/:id", { id }) : href("/patient/appointments/:id", { id });
  return printedPage(content, state, { origin: env().appUrl.origin, back, url: request.url });
});

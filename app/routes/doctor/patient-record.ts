import { href } from "react-router";
import { getSharedDocument } from "#app/domains/visit/sharing/shared-records.server.ts";
import { loadOwn } from "#app/http/load.server.ts";
import { env } from "#app/runtime/env.server.ts";
import { printedPage } from "../light/prescription-html.ts";
import type { Route } from "./+types/patient-record.ts";

/** Returns a signed prescription or certificate that a patient shares with the doctor. */
export const loader = loadOwn(async (ctx, { params, request }: Route.LoaderArgs) => {
  const { content, state } = await getSharedDocument(ctx, { id: params.id, documentId: params.documentId });
  const back = href("/doctor/patients/:id/records", { id: params.id });
  return printedPage(content, state, { origin: env().appUrl.origin, back, url: request.url });
});

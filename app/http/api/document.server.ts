import { m } from "#app/paraglide/messages.js";
import type { EndpointTable } from "./endpoint.ts";
import { type OpenApi, openApiOf } from "./openapi.server.ts";

let made: { origin: string; document: OpenApi } | undefined;
/** The document of this server, made once. */
export function documentOf(table: EndpointTable, origin: string): OpenApi {
  if (made?.origin !== origin) {
    const info = { title: m.api_title(), version: "1.0.0", description: m.api_docs_intro() };
    made = { origin, document: openApiOf(table, info, origin) };
  }
  return made.document;
}

import type { EndpointTable } from "./endpoint.ts";
import { type ApiInfo, type OpenApi, openApiOf } from "./openapi.server.ts";

let made: { origin: string; document: OpenApi } | undefined;
/** Returns the document of this server, made once. It is in English for everyone, as its field names are. */
export function documentOf(table: EndpointTable, groups: ApiInfo["groups"], origin: string): OpenApi {
  if (made?.origin !== origin) {
    const info = {
      title: "Nadi API",
      version: "1.0.0",
      summary: "Directory, bookings, availability, queues, visits, messages and verification, for phone apps and partners.",
      description:
        "Payments, receipts, rescheduling, family members and reviews are on the pages of Nadi only. The calls follow the same rules and return the same sentences as the pages. How logins, lists, repeated requests and times work is described at /docs/api.",
      termsOfService: `${origin}/patient/terms`,
      contact: { name: "Nadi support", url: `${origin}/patient/contact-us` },
      license: { name: "Proprietary. Use is governed by the terms of service.", url: `${origin}/patient/terms` },
    };
    made = { origin, document: openApiOf(table, { info, groups }, origin) };
  }
  return made.document;
}

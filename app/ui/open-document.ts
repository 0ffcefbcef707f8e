import { type MiddlewareFunction, redirectDocument } from "react-router";

/** `path("*")` in app/routes.ts. */
const UNKNOWN = "*";

/**
 * Client middleware: opens a URL that the browser's manifest lacks as a document. It is unknown, or a page of staff
 * (app/lib/manifest-parts.ts).
 */
export const openUnknownDocument: MiddlewareFunction = ({ request, pattern }, next) => {
  const isNew = request.url !== location.href.replace(/#.*/, "");
  if (pattern === UNKNOWN && request.method === "GET" && isNew) throw redirectDocument(request.url);
  return next();
};

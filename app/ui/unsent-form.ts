import { type DataStrategyResult, data, isRouteErrorResponse, type MiddlewareFunction, type ShouldRevalidateFunction } from "react-router";
import { m } from "#app/paraglide/messages.js";

/** True for a request that never reached the server: no network, a closed connection, or a proxy without a server behind it. */
export function isUnreached(error: unknown): boolean {
  if (isRouteErrorResponse(error)) return error.status === 502 || error.status === 504;
  // fetch() rejects with a TypeError; each browser words it differently, and a fault of our code is none of these.
  return error instanceof TypeError && /fetch|network|load failed|imported module/i.test(error.message);
}

/** The error of a result; React Router wraps that of an action in `data()`. */
function errorOf(result: unknown): unknown {
  const isWrapped = typeof result === "object" && result !== null && "data" in result && !isRouteErrorResponse(result);
  return isWrapped ? result.data : result;
}

/**
 * Client middleware: a form that could not be sent stays on the page with everything that was typed, and its summary says so.
 * React Router would replace the page with the error page.
 */
export const keepUnsentForm: MiddlewareFunction<Record<string, DataStrategyResult>> = async ({ request }, next) => {
  const results = await next();
  if (request.method === "GET") return results;
  for (const result of Object.values(results)) {
    if (result.type !== "error" || !isUnreached(errorOf(result.result))) continue;
    result.type = "data";
    // The shape of a FormAnswer. A refusal keeps React Router from loading the page's data again.
    result.result = data({ result: { status: "error", error: { "": [m.common_unsent()] } }, unsent: true }, { status: 503 });
  }
  return results;
};

/** `shouldRevalidate` of a page whose data changes with a refused form too: loads it again unless the form was not sent. */
export const revalidateAfterRefusal: ShouldRevalidateFunction = ({ actionResult }) =>
  !(actionResult as { unsent?: true } | undefined)?.unsent;

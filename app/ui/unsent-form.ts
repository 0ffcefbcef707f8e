import { type DataStrategyResult, data, isRouteErrorResponse, type MiddlewareFunction, type ShouldRevalidateFunction } from "react-router";
import { m } from "#app/paraglide/messages.js";

/** True for a request that never reached the server: no network, a closed connection, or a proxy without a server behind it. */
export function isUnreached(error: unknown): boolean {
  if (isRouteErrorResponse(error)) return error.status === 502 || error.status === 504;
  // fetch() rejects with a TypeError whose message differs by browser. TypeErrors of our code have other messages.
  return error instanceof TypeError && /fetch|network|load failed|imported module/i.test(error.message);
}

/** The error of a result; React Router wraps that of an action in `data()`. */
function errorOf(result: unknown): unknown {
  const isWrapped = typeof result === "object" && result !== null && "data" in result && !isRouteErrorResponse(result);
  return isWrapped ? result.data : result;
}

/** True for the result of a request that never reached the server. */
export const hasNotArrived = ({ type, result }: DataStrategyResult): boolean => type === "error" && isUnreached(errorOf(result));

/** How long after a request that never reached the server it is sent again, in milliseconds. */
export const SEND_AGAIN = 2500;

/**
 * Client middleware: after a network failure the form stays on the page with its input, and its error summary shows the failure.
 * React Router would show the error page instead.
 */
export const showUnsentForm: MiddlewareFunction<Record<string, DataStrategyResult>> = async ({ request }, next) => {
  const results = await next();
  if (request.method === "GET") return results;
  for (const result of Object.values(results)) {
    if (!hasNotArrived(result)) continue;
    result.type = "data";
    // The shape of a FormAnswer. An error status stops React Router from reloading the page's data.
    result.result = data({ result: { status: "error", error: { "": [m.common_unsent()] } }, unsent: true }, { status: 503 });
  }
  return results;
};

/** `shouldRevalidate` of a page whose data may change with a refused form: reloads it, unless the form was not sent. */
export const revalidateAfterRefusal: ShouldRevalidateFunction = ({ actionResult }) =>
  !(actionResult as { unsent?: true } | undefined)?.unsent;

import type { SubmissionResult } from "@conform-to/react";
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
 * Client middleware of forms. After a network failure the form stays on the page with its input, and its error summary shows the failure:
 * React Router would show the error page instead. After a refusal the data of the page is loaded again, as it is without scripts, because
 * it may have changed: React Router loads none after an error status.
 */
export const answerForm: MiddlewareFunction<Record<string, DataStrategyResult>> = async ({ request }, next) => {
  const results = await next();
  if (request.method === "GET") return results;
  for (const result of Object.values(results)) {
    if (hasNotArrived(result)) {
      result.type = "data";
      // The shape of a FormAnswer. An error status: without a network there is no data to load.
      result.result = data({ result: { status: "error", error: { "": [m.common_unsent()] } }, unsent: true }, { status: 503 });
    } else if (isRefused(result)) result.result = data(result.result.data);
  }
  return results;
};

type Refused = DataStrategyResult & { result: ReturnType<typeof data> };
const statusOf = ({ result }: DataStrategyResult) => (result as Refused["result"] | undefined)?.init?.status ?? 200;
/** A server that is too busy for the form would not answer the reload either, and the form must keep its key, under which it may have been done. */
const isRefused = (answer: DataStrategyResult): answer is Refused =>
  answer.type === "data" && statusOf(answer) >= 400 && statusOf(answer) < 500 && statusOf(answer) !== 429;

/** `shouldRevalidate` of the root: a form that was carried through the login is in the document only (saved-form.ts). */
export const keepAfterRefusal: ShouldRevalidateFunction = ({ actionResult, defaultShouldRevalidate }) =>
  defaultShouldRevalidate && (actionResult as { result?: SubmissionResult } | undefined)?.result?.status !== "error";

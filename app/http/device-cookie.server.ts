import type { Waiting } from "#app/domains/platform/accounts/code-limits.server.ts";
import { days, minutes } from "#app/lib/durations.ts";
import { readCookie, writeCookie } from "./cookies.server.ts";

/** Identifies a browser that has logged in before (domains/platform/accounts/known-device.server.ts). Browsers limit cookies to 400 days. */
const DEVICE = "nadi_device";
export const readDevice = (cookieHeader: string | null | undefined) => readCookie(cookieHeader, DEVICE);
export const deviceCookie = (value: string) => writeCookie(DEVICE, value, days(400) / 1000);

/** Ticket of a visitor who waits for a code (domains/platform/accounts/code-limits.server.ts). */
const WAIT = "nadi_wait";
export const waitTicketOf = (request: Request) => readCookie(request.headers.get("cookie"), WAIT);
export const clearWaitCookie = () => writeCookie(WAIT, "", 0);

/** Returns the wait of a refused form; null when there is none. */
export const waitingOf = (detail: unknown): Waiting | null =>
  typeof detail === "object" && detail !== null && "ticket" in detail && "seconds" in detail ? (detail as Waiting) : null;

/** Puts the ticket of a refused code request into a cookie, so that the form is accepted after the wait. */
export function withWaitCookie<A>(answer: A): A {
  if (typeof answer !== "object" || answer === null || !("data" in answer) || !("init" in answer)) return answer;
  const waiting = waitingOf((answer.data as { detail?: unknown } | null)?.detail);
  if (!waiting) return answer;
  const init = answer.init as ResponseInit | null;
  const headers = new Headers(init?.headers);
  headers.append("Set-Cookie", writeCookie(WAIT, waiting.ticket, minutes(10) / 1000));
  return Object.assign(answer, { init: { ...init, headers } });
}

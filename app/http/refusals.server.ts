/** Maps the codes of DomainError to HTTP status and message. */
import { data } from "react-router";
import { isDatabaseUnavailable } from "#app/db/client.server.ts";
import { DomainError, type RefusalCode } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { log } from "#app/runtime/log.server.ts";
import { noteCode } from "./refused-access.server.ts";

export const refusals: Record<RefusalCode, { status: number; sentence: () => string }> = {
  "not-found": { status: 404, sentence: () => m.error_not_found() },
  unauthenticated: { status: 401, sentence: () => m.error_unauthenticated() },
  forbidden: { status: 403, sentence: () => m.error_forbidden() },
  unproven: { status: 403, sentence: () => m.proof_needed() },
  invalid: { status: 400, sentence: () => m.error_invalid() },
  conflict: { status: 409, sentence: () => m.error_conflict() },
  "slot-taken": { status: 409, sentence: () => m.appointments_slot_taken() },
  "too-many": { status: 429, sentence: () => m.error_too_many() },
  "too-large": { status: 413, sentence: () => m.error_too_large() },
  "unsupported-type": { status: 415, sentence: () => m.error_unsupported_type() },
  unavailable: { status: 503, sentence: () => m.error_unavailable() },
};

/** Data of an error page: code and message only. */
export type Refusal = { code: RefusalCode; message: string };
export const refusalOf = (error: DomainError): Refusal => ({
  code: error.code,
  message: error.sentence ?? refusals[error.code].sentence(),
});
export function refusalHeaders(error: DomainError): HeadersInit {
  const wait = error.retryAfterSeconds ?? (error.code === "unavailable" ? 5 : undefined);
  return wait === undefined ? {} : { "Retry-After": String(wait) };
}

/** Converts a database failure to a DomainError. Returns other errors unchanged. */
export function asRefusal(error: unknown): unknown {
  const refusal = isDatabaseUnavailable(error) ? new DomainError("unavailable", undefined, { cause: error }) : error;
  // The user sees that something is unavailable. Only the log contains what.
  if (refusal instanceof DomainError) noteCode(refusal.code);
  if (refusal instanceof DomainError && refusal.code === "unavailable") log.warn({ err: refusal }, "unavailable");
  return refusal;
}

/** Throws a response for React Router's error boundary. */
export function throwRefusal(error: unknown): never {
  const known = asRefusal(error);
  if (known instanceof DomainError) throw data(refusalOf(known), { status: refusals[known.code].status, headers: refusalHeaders(known) });
  throw known;
}

/** Logs an error of an optional part of a page. Returns it if it is a DomainError. */
export function noteFault(error: unknown, part: string): DomainError | null {
  const known = asRefusal(error);
  if (known instanceof DomainError) return known;
  log.error({ err: known, part }, "a part of the page is missing");
  return null;
}

/** Runs `work`. Replaces the default message of an `unavailable` error by `sentence`. */
export async function withUnavailableMessage<T>(sentence: () => string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const known = asRefusal(error);
    // Without its cause, which is logged: otherwise it would be converted again as a database failure.
    if (known instanceof DomainError && known.code === "unavailable" && known.sentence === undefined)
      throw new DomainError("unavailable", sentence());
    throw known;
  }
}

/** Runs `work` outside a loader (in an action before its form is read). A DomainError becomes the error page. */
export async function orRefuse<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throwRefusal(error);
  }
}

import { DomainError } from "#app/lib/domain-error.ts";

/**
 * Returns the error for an outside service that is down, too slow or sends an invalid response. Its cause is logged, so it
 * contains only the service and the kind of failure: responses of providers repeat phone numbers, texts and keys.
 */
export function unavailable(service: string, why?: unknown): DomainError {
  return new DomainError("unavailable", undefined, { retryAfterSeconds: 30, cause: new Error(`${service}: ${kindOf(why)}`) });
}

function kindOf(why: unknown): string {
  if (typeof why === "string") return why;
  for (let e = why; e instanceof Error; e = e.cause) {
    if (e.name === "TimeoutError" || e.name === "AbortError") return "no answer in time";
    const code = (e as NodeJS.ErrnoException).code;
    if (typeof code === "string" && /^[A-Z0-9_]{2,40}$/.test(code)) return code;
  }
  return why instanceof Error ? why.name : "failed";
}

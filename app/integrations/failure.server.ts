import { DomainError } from "#app/lib/domain-error.ts";

/**
 * The refusal for an outside service that is away, too slow, or answers nonsense. Its message goes to the log, so it
 * names the service and the kind of failure only: answers of providers repeat numbers, texts and keys.
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

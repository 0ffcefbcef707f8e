import { DomainError } from "#app/lib/domain-error.ts";
import { log } from "#app/runtime/log.server.ts";

/** Returns null when a service with a fallback is unavailable, and logs it. */
export async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    log.warn({ err: error }, "done without an outside service");
    return null;
  }
}

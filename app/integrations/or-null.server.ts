import { DomainError } from "#app/lib/domain-error.ts";
import { log } from "#app/log.server.ts";

/** For a service that something else stands in for: that it is away goes to the log, and null to the caller. */
export async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    log.warn({ err: error }, "done without an outside service");
    return null;
  }
}

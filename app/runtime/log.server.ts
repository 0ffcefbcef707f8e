import pino from "pino";
import { env } from "./env.server.ts";

/**
 * Logs JSON lines to stdout. Callers choose each field: never a query, body, cookie, code or phone number. Removes query
 * parameters from errors of the database driver.
 */
export const log = pino(
  {
    level: env().logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: describeError },
  },
  pino.destination({ dest: 1, sync: true }),
);

/** Returns the message of an error without the values (names, phones) of drizzle's "Failed query: … params: …". */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message.replace(/\nparams:[\s\S]*$/, "") : String(error);

/** Returns name, message and stack of an error and its causes, without query, parameters and row details. Of another object only its kind and status. */
function describeError(error: unknown): unknown {
  if (typeof error === "object" && error !== null && !(error instanceof Error)) {
    const status = (error as { status?: unknown }).status;
    return { name: error.constructor?.name ?? "Object", ...(typeof status === "number" && { status }) };
  }
  if (!(error instanceof Error)) return String(error);
  const code = (error as { code?: unknown }).code;
  // V8 repeats the message in the stack.
  const message = messageOf(error);
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return {
    name: error.name,
    message,
    ...(typeof code === "string" ? { code } : {}),
    stack: frames.join("\n"),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}

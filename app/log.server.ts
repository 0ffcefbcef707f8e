import pino from "pino";
import { env } from "#app/env.server.ts";

/**
 * JSON lines on stdout. What is logged is chosen field by field where it is logged: never a query, a body, a cookie,
 * a code or a phone number. Errors lose their parameters here, because database drivers carry them along.
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

/** The path of an address as it is logged: without its query, and without a key that stands in it. */
export const loggedPath = (url: string | undefined) =>
  url
    ?.split("?", 1)[0]
    ?.replace(/^\/(invitation|forgot-password)\/[^/]+?(?=\.data$|$)/, "/$1/…")
    .slice(0, 200);

/** Name, message and stack of an error and its causes; no query, no parameters, no details of a row. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const code = (error as { code?: unknown }).code;
  // drizzle writes "Failed query: … params: …" into the message, and V8 repeats it at the head of the stack.
  const message = error.message.replace(/\nparams:[\s\S]*$/, "");
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return {
    name: error.name,
    message,
    ...(typeof code === "string" ? { code } : {}),
    stack: frames.join("\n"),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}

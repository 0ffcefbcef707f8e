import { expect, it } from "vitest";
import { isDatabaseUnavailable } from "./client.server.ts";

const failure = (code: string) => new Error("failed query", { cause: Object.assign(new Error("of PostgreSQL"), { code }) });

it.each(["25006", "25P03", "53100", "53200", "53300", "57P01", "57014", "55P03", "08006", "ECONNREFUSED", "CONNECTION_CLOSED"])(
  "recognises %s as a database that is down, busy or full",
  (code) => expect(isDatabaseUnavailable(failure(code))).toBe(true),
);

it.each(["23505", "42703", "22P02"])("leaves %s an error of the query", (code) => expect(isDatabaseUnavailable(failure(code))).toBe(false));

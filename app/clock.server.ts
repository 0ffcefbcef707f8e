import { readFileSync } from "node:fs";
import { env } from "#app/env.server.ts";

/** The instant a request began. In demo mode CLOCK_FILE moves it by its milliseconds, read afresh each time. */
export function readClock(): Date {
  const file = env().clockFile;
  if (!file) return new Date();
  let offset = 0;
  try {
    offset = Number(readFileSync(file, "utf8").trim()) || 0;
  } catch {
    // No file yet: the clock is not moved.
  }
  return new Date(Date.now() + offset);
}

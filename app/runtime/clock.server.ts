import { readFileSync } from "node:fs";
import { env } from "./env.server.ts";

/** Returns the current time. In demo mode it is moved by the milliseconds in CLOCK_FILE. */
export function readClock(): Date {
  const file = env().clockFile;
  if (!file) return new Date();
  let offset = 0;
  try {
    offset = Number(readFileSync(file, "utf8").trim()) || 0;
  } catch {
    // No file: the clock is not moved.
  }
  return new Date(Date.now() + offset);
}

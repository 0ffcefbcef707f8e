import { createHash } from "node:crypto";

/** Returns the same id in every demo database, so that bookmarks survive a reset. */
export function demoId(what: string): string {
  const h = createHash("sha256").update(`nadi-demo|${what}`).digest("hex");
  return `${h.slice(0, 8)}-${h.slice(8, 12)}-8${h.slice(13, 16)}-a${h.slice(17, 20)}-${h.slice(20, 32)}`;
}

import { createHash } from "node:crypto";

/** Allows a style or script inside a document: a source of the Content-Security-Policy. */
export const cspHash = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

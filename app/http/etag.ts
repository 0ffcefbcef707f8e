import { createHash } from "node:crypto";

/** Returns a weak ETag of a text. */
export const etagOf = (text: string | Buffer): string => `W/"${createHash("sha256").update(text).digest("base64url").slice(0, 27)}"`;

/** True when an If-None-Match header names this ETag, so that the response is 304. Compares weakly (RFC 9110 §13.1.2). */
export function isUnchanged(header: string | null | undefined, etag: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, "");
  return (header ?? "").split(",").some((tag) => tag.trim() === "*" || opaque(tag) === opaque(etag));
}

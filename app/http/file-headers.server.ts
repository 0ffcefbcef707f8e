import { create } from "content-disposition";
import type { OpenedFile } from "#app/domains/privacy/file-access/open-file.server.ts";

/**
 * Returns the headers of a stored file: no script runs, no cache keeps it. Only re-encoded pictures and recordings open in the
 * browser; a document is always a download.
 */
export function fileHeaders({ bytes, mediaType, name }: OpenedFile, { download = false } = {}): Record<string, string> {
  const picture = mediaType === "image/jpeg";
  const kind = (picture || mediaType.startsWith("audio/")) && !download ? "inline" : "attachment";
  // Stored images are JPEGs. Names of other files got the right extension when they were stored.
  const named = picture ? asJpeg(name) : name;
  return {
    "Content-Type": mediaType,
    "Content-Length": String(bytes.byteLength),
    "Content-Disposition": create(named, { type: kind, fallback: `document.${/\.([a-z0-9]{1,5})$/i.exec(named)?.[1] ?? "bin"}` }),
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
  };
}

const asJpeg = (name: string) => (/\.jpe?g$/i.test(name) ? name : `${name.replace(/\.[a-z0-9]{1,5}$/i, "")}.jpg`);

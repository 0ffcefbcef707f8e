/** Upload limit of one image or PDF (maximum file size). Others: a chat, a recording, an import, a booking, an account. The limit of a whole request is in the route's `handle` (app/lib/route-rules.ts). */
export const MAX_IMAGE_MB = 10;
export const MAX_IMAGE_BYTES = MAX_IMAGE_MB * 1024 * 1024;

/** Formats a size: "1.2 MB", "340 KB", in the megabytes of the limit. */
export const sizeWord = (bytes: number) =>
  bytes < 1024 * 1024 ? `${Math.max(1, Math.round(bytes / 1024))} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;

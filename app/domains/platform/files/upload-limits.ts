/**
 * Upload limits: sizes and counts of files. The kinds are in content-type.ts and images.server.ts: the content decides, not the name. How large a request may be is in the
 * `handle` of its route (app/lib/route-rules.ts), how many uploads an hour in platform/limits/limits.ts.
 */

/** Of an image (JPEG, PNG, WebP) or a PDF: photos, medical records, certificates, results. */
export const MAX_IMAGE_MB = 10;
export const MAX_IMAGE_BYTES = MAX_IMAGE_MB * 1024 * 1024;
/** Of a file (image, PDF, Word) or recording in a chat. A minute of speech has one or two million. */
export const MAX_CHAT_BYTES = 10 * 1024 * 1024;
/** Of a recording that is repackaged for the model: more is no minute of speech, and would take long. */
export const MAX_RECORDING_BYTES = 4 * 1024 * 1024;
/** Of a file of patients or appointments (CSV, Excel). Rows and columns: clinic/imports/limits.ts. */
export const MAX_IMPORT_BYTES = 20 * 1024 * 1024;
/** Of all files of an account together. */
export const STORAGE_PER_ACCOUNT = 500 * 1024 * 1024;

/** Documents of one booking. */
export const MAX_RECORDS = 8;
/** A patient's own documents. */
export const MAX_OWN_RECORDS = 500;
/** Certificates of a doctor's application. It has one document of each other kind. */
export const MAX_CERTIFICATES = 10;

/** Formats a size: "1.2 MB", "340 KB", in the megabytes of the limit. */
export const sizeWord = (bytes: number) =>
  bytes < 1024 * 1024 ? `${Math.max(1, Math.round(bytes / 1024))} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;

import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { DOCUMENTS } from "./content-type.ts";
import { checkPdf } from "./document-type.server.ts";
import { displayNameAs } from "./images.server.ts";
import type { PdfFault } from "./pdf.ts";
import { MAX_IMAGE_BYTES, MAX_IMAGE_MB } from "./upload-limits.ts";

const FAULTS: Record<PdfFault, () => string> = {
  broken: () => m.files_pdf_broken(),
  protected: () => m.files_pdf_protected(),
  active: () => m.files_pdf_active(),
};

/**
 * Checks an uploaded PDF and returns what is stored: the bytes up to the end mark, and a name that ends in `.pdf`. A PDF is not
 * re-encoded and is only served as a download (app/http/file-headers.server.ts).
 * @throws DomainError("unsupported-type" | "too-large" | "unavailable")
 */
export async function cleanPdf(name: string, bytes: Uint8Array) {
  if (bytes.byteLength > MAX_IMAGE_BYTES) throw new DomainError("too-large", m.files_pdf_too_large({ megabytes: String(MAX_IMAGE_MB) }));
  const pdf = await checkPdf(bytes);
  if (pdf.fault !== null) throw new DomainError("unsupported-type", FAULTS[pdf.fault]());
  const mediaType = "application/pdf";
  return { name: displayNameAs(name, DOCUMENTS[mediaType]), bytes: bytes.subarray(0, pdf.end), mediaType };
}

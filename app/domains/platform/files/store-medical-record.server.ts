import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { spendLimits } from "../limits/limit.server.ts";
import { DOCUMENTS, isPdf } from "./content-type.ts";
import { checkPdf } from "./document-type.server.ts";
import { cleanImage, displayName, displayNameAs } from "./images.server.ts";
import { MAX_IMAGE_BYTES, MAX_IMAGE_MB } from "./images.ts";
import type { PdfFault } from "./pdf.ts";
import { type StoredFile, storeFile } from "./store-file.server.ts";

const FAULTS: Record<PdfFault, () => string> = {
  broken: () => m.files_pdf_broken(),
  protected: () => m.files_pdf_protected(),
  active: () => m.files_pdf_active(),
};

/**
 * Stores a medical record as a `pending` file of the actor: a picture, which is re-encoded, or a PDF, whose content is checked and
 * which is only served as a download (app/http/file-headers.server.ts). Decides by content, never by the name.
 * @throws DomainError("unsupported-type" | "too-large" | "too-many" | "unavailable")
 */
export async function storeMedicalRecord(ctx: Ctx<Actor>, { name, bytes }: { name: string; bytes: Uint8Array }): Promise<StoredFile> {
  await spendLimits(ctx, [{ limit: "upload", key: ctx.actor.userId }]);
  if (isPdf(bytes)) return storePdf(ctx, name, bytes);
  try {
    return await storeFile(ctx, { purpose: "medical-record", name: displayName(name), ...(await cleanImage(bytes)) });
  } catch (error) {
    if (error instanceof DomainError && error.code === "unsupported-type")
      throw new DomainError("unsupported-type", m.files_records_only(), { cause: error });
    throw error;
  }
}

async function storePdf(ctx: Ctx<Actor>, name: string, bytes: Uint8Array): Promise<StoredFile> {
  if (bytes.byteLength > MAX_IMAGE_BYTES) throw new DomainError("too-large", m.files_pdf_too_large({ megabytes: String(MAX_IMAGE_MB) }));
  const pdf = await checkPdf(bytes);
  if (pdf.fault !== null) throw new DomainError("unsupported-type", FAULTS[pdf.fault]());
  const mediaType = "application/pdf";
  const stored = { name: displayNameAs(name, DOCUMENTS[mediaType]), bytes: bytes.subarray(0, pdf.end), mediaType };
  return storeFile(ctx, { purpose: "medical-record", ...stored });
}

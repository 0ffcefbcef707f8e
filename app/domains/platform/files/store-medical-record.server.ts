import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { spendLimits } from "../limits/limit.server.ts";
import { cleanPdf } from "./clean-pdf.server.ts";
import { isPdf } from "./content-type.ts";
import { cleanImage, displayName, isHeic } from "./images.server.ts";
import { type StoredFile, storeFile } from "./store-file.server.ts";

/**
 * Stores a medical record as a `pending` file of the actor: a picture, which is re-encoded, or a PDF, whose content is checked.
 * Decides by content, never by the name.
 * @throws DomainError("unsupported-type" | "too-large" | "too-many" | "unavailable")
 */
export async function storeMedicalRecord(ctx: Ctx<Actor>, { name, bytes }: { name: string; bytes: Uint8Array }): Promise<StoredFile> {
  await spendLimits(ctx, [{ limit: "upload", key: ctx.actor.userId }]);
  if (isPdf(bytes)) return storeFile(ctx, { purpose: "medical-record", ...(await cleanPdf(name, bytes)) });
  try {
    return await storeFile(ctx, { purpose: "medical-record", name: displayName(name), ...(await cleanImage(bytes)) });
  } catch (error) {
    if (error instanceof DomainError && error.code === "unsupported-type" && !isHeic(bytes))
      throw new DomainError("unsupported-type", m.files_records_only(), { cause: error });
    throw error;
  }
}

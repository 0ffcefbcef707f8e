import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { MAX_IMAGE_BYTES } from "#app/domains/platform/files/images.ts";
import { storeMedicalRecord } from "#app/domains/platform/files/store-medical-record.server.ts";

/** How a form with one medical document in the field `file` is read: `submitForm` stores it as a pending upload of the actor. */
export const recordUpload = (ctx: Ctx<Actor>) => ({
  field: "file",
  maxFiles: 1,
  maxFileSize: 2 * MAX_IMAGE_BYTES,
  onFile: async (file: { name: string; bytes: Uint8Array }) => (await storeMedicalRecord(ctx, file)).id,
});

/** How forms with files are read: `submitForm` stores each file as it arrives. */
import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { storeImage } from "#app/domains/platform/files/store-image.server.ts";
import { storeMedicalRecord } from "#app/domains/platform/files/store-medical-record.server.ts";
import { MAX_IMAGE_BYTES } from "#app/domains/platform/files/upload-limits.ts";
import type { UploadRules } from "./submit-form.server.ts";

/** Upload rules of the photo in a profile form (`<PhotoField>`). */
export const photoUpload = (ctx: Ctx<Actor>, purpose: "patient-photo" | "doctor-photo"): UploadRules => ({
  field: "photo",
  maxFiles: 1,
  maxFileSize: MAX_IMAGE_BYTES,
  onFile: async ({ name, bytes }) => (await storeImage(ctx, { purpose, name, bytes })).id,
});

/** One medical document in the field `file`, stored as a pending upload of the actor. */
export const recordUpload = (ctx: Ctx<Actor>) => ({
  field: "file",
  maxFiles: 1,
  maxFileSize: 2 * MAX_IMAGE_BYTES,
  onFile: async (file: { name: string; bytes: Uint8Array }) => (await storeMedicalRecord(ctx, file)).id,
});

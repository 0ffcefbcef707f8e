import type { Actor, Ctx } from "#app/domains/context.server.ts";
import { MAX_IMAGE_BYTES } from "#app/domains/platform/files/images.ts";
import { storeImage } from "#app/domains/platform/files/store-image.server.ts";
import type { UploadRules } from "./submit-form.server.ts";

/** Upload rules of the photo in a profile form (`<PhotoField>`). */
export const photoUpload = (ctx: Ctx<Actor>, purpose: "patient-photo" | "doctor-photo"): UploadRules => ({
  field: "photo",
  maxFiles: 1,
  maxFileSize: MAX_IMAGE_BYTES,
  onFile: async ({ name, bytes }) => (await storeImage(ctx, { purpose, name, bytes })).id,
});

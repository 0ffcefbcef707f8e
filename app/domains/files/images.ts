/** Bytes of one uploaded image. */
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;

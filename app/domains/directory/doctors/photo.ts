import { facePath } from "#app/lib/faces.ts";

/**
 * Returns the path of a doctor's public picture: the small photo of a verified doctor (open-photo.server.ts), or a drawing of
 * `public/faces`. Names of drawings are shorter than a file id.
 */
export const photoPath = (picture: string | null) => picture && (picture.length < 9 ? facePath(picture) : `/photos/${picture}`);

/** Returns the path of the small public photo of a verified doctor (open-photo.server.ts). */
export const photoPath = (fileId: string | null) => fileId && `/photos/${fileId}`;

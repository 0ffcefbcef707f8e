/** Where the photo of a verified doctor is served, small (files/open-photo.server.ts). */
export const photoPath = (fileId: string | null) => fileId && `/photos/${fileId}`;

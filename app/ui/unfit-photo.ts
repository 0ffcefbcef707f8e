/** Only some browsers can read HEIC, and the server cannot. */
const isHeic = ({ name, type }: File) => /^image\/hei[cf]$/.test(type) || /\.hei[cf]$/i.test(name);
/** A photo over `most` bytes, or a HEIC photo. */
export const isUnfit = (file: File, most: number) => (file.type.startsWith("image/") && file.size > most) || isHeic(file);

/** Longest side in pixels: the server keeps no more of a document. */
const MOST_SIDE = 2400;

const isTooLarge = ({ size, type }: File, most: number) => type.startsWith("image/") && size > most;
/** Only some browsers can read it, and the server cannot. */
const isHeic = ({ name, type }: File) => /^image\/hei[cf]$/.test(type) || /\.hei[cf]$/i.test(name);

/** Replaces chosen photos over `most` bytes, and HEIC photos, by smaller JPEG files. What the browser cannot read stays: the server says why it refuses it. */
export async function shrinkPhotos(input: HTMLInputElement, most: number): Promise<void> {
  const chosen = input.files;
  const files = [...(chosen ?? [])];
  if (!files.some((file) => isTooLarge(file, most) || isHeic(file))) return;
  const smaller = new DataTransfer();
  for (const file of files) smaller.items.add(isTooLarge(file, most) || isHeic(file) ? await shrunk(file) : file);
  // The user has not chosen others meanwhile.
  if (input.files === chosen) input.files = smaller.files;
}

async function shrunk(file: File): Promise<File> {
  try {
    const picture = await createImageBitmap(file);
    const scale = Math.min(1, MOST_SIDE / Math.max(picture.width, picture.height));
    const [width, height] = [Math.round(picture.width * scale), Math.round(picture.height * scale)];
    const canvas = new OffscreenCanvas(width, height);
    const paint = canvas.getContext("2d")!;
    paint.fillStyle = "#fff";
    paint.fillRect(0, 0, width, height);
    paint.drawImage(picture, 0, 0, width, height);
    picture.close();
    const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: 0.85 });
    return new File([blob], `${file.name.replace(/\.\w+$/, "")}.jpg`, { type: "image/jpeg" });
  } catch {
    return file;
  }
}

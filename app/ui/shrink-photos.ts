import { isUnfit } from "./unfit-photo.ts";

/** Longest side in pixels: the server keeps no more of a document. */
const MOST_SIDE = 2400;

/** Returns the files with photos that are not fit as smaller JPEG files. What the browser cannot read stays: the server says why it refuses it. */
export async function shrinkPhotos(files: FileList, most: number): Promise<FileList> {
  const fit = new DataTransfer();
  for (const file of [...files]) fit.items.add(isUnfit(file, most) ? await shrunk(file) : file);
  return fit.files;
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

import sharp, { type Sharp } from "sharp";
import { DomainError } from "#app/lib/domain-error.ts";
import { seconds } from "#app/lib/durations.ts";
import { WorkQueue } from "#app/lib/work-queue.ts";
import { m } from "#app/paraglide/messages.js";
import { MAX_IMAGE_BYTES, MAX_IMAGE_MB } from "./upload-limits.ts";

/** The largest phone sensors have 9248 × 6936. */
const MAX_PIXELS = 65_000_000;
/** Longest side in pixels: of a document, whose small print must stay readable, and of a face. */
export const MAX_SIDE = { document: 2400, face: 800 } as const;

// Decoded pixels use the memory: most images wait in a queue, and a larger one is decoded alone (docs/decisions/039).
const queue = new WorkQueue({ name: "pictures", parallel: 2, weight: 25_000_000, waiting: 12, waitMs: seconds(8) });

// One thread for each image, and no cache.
sharp.concurrency(1);
sharp.cache(false);

/** Returns true for the start of a JPEG, PNG or WebP. No other decoder of libvips (SVG, PDF, TIFF, GIF) ever reads an upload. */
function hasAcceptedType(bytes: Uint8Array): boolean {
  const text = (from: number, to: number) => Buffer.from(bytes.subarray(from, to)).toString("latin1");
  return text(0, 3) === "\xff\xd8\xff" || text(0, 8) === "\x89PNG\r\n\x1a\n" || (text(0, 4) === "RIFF" && text(8, 12) === "WEBP");
}

/** Returns true for the start of a photo as an iPhone stores it. */
export const isHeic = (bytes: Uint8Array): boolean =>
  /^ftyp(hei[cmsx]|hev[cmsx]|mif1|msf1)$/.test(Buffer.from(bytes.subarray(4, 12)).toString("latin1"));

/**
 * Decodes a JPEG, PNG or WebP: at most two at a time and 25 megapixels together, a larger one alone, none above 65 megapixels.
 * Reads the size from the header before it waits.
 * @throws DomainError("unsupported-type" | "too-large"), "unavailable" with Retry-After when too many pictures wait
 */
export async function decodeImage<T>(bytes: Uint8Array, work: (image: Sharp) => Promise<T>): Promise<T> {
  if (isHeic(bytes)) throw new DomainError("unsupported-type", m.files_heic());
  if (!hasAcceptedType(bytes)) throw new DomainError("unsupported-type", m.files_images_only());
  const open = () => sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: "error", pages: 1 });
  try {
    const { width, height } = await open().metadata();
    return await queue.run(() => work(open().timeout({ seconds: 8 })), width * height);
  } catch (cause) {
    if (cause instanceof DomainError) throw cause;
    if (cause instanceof Error && /pixel limit|timeout/i.test(cause.message))
      throw new DomainError("too-large", m.files_too_many_pixels(), { cause });
    throw new DomainError("unsupported-type", m.files_images_only(), { cause });
  }
}

/** Draws `pixels` in the queue of decoded images. @throws DomainError("unavailable") when too many wait */
export const drawImage = <T>(pixels: number, draw: () => Promise<T>): Promise<T> => queue.run(draw, pixels);

/**
 * Cleans an uploaded image: detects its type by content, rotates it upright, limits each side to `side` px, and re-encodes it as
 * JPEG, which also removes location data and anything appended to the image.
 * @throws DomainError("unsupported-type" | "too-large" | "unavailable")
 */
export async function cleanImage(
  bytes: Uint8Array,
  side: number = MAX_SIDE.document,
): Promise<{ bytes: Buffer; mediaType: "image/jpeg"; width: number; height: number }> {
  if (bytes.byteLength > MAX_IMAGE_BYTES) throw new DomainError("too-large", m.files_too_large({ megabytes: String(MAX_IMAGE_MB) }));
  const { data, info } = await decodeImage(bytes, (image) =>
    image
      .rotate()
      .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true })
      .flatten({ background: "#ffffff" })
      .jpeg({ quality: 82, mozjpeg: false })
      .toBuffer({ resolveWithObject: true }),
  );
  return { bytes: data, mediaType: "image/jpeg", width: info.width, height: info.height };
}

/** Returns a file name for display and download: without path or control characters, at most 120 characters. */
export function displayName(name: string): string {
  const base = name.split(/[/\\]/).at(-1) ?? "";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed
  const clean = base.replace(/[\u0000-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069"<>|:*?]/g, "").trim();
  return clean.slice(-120) || "document.jpg";
}

/** Returns the display name with the extension of the detected type: "report.exe" that is a PDF becomes "report.pdf". */
export function displayNameAs(name: string, ending: string): string {
  const base = displayName(name).replace(/\.[a-z0-9]{1,5}$/i, "");
  return `${base || "document"}.${ending}`;
}

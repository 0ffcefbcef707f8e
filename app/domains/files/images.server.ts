import sharp from "sharp";
import { DomainError } from "#app/lib/domain-error.ts";
import { m } from "#app/paraglide/messages.js";
import { MAX_IMAGE_BYTES, MAX_IMAGE_MB } from "./images.ts";

const MAX_PIXELS = 50_000_000;
/** Pixels a side of a paper, whose small print must stay readable, and of a face. */
export const MAX_SIDE = { paper: 2400, face: 800 } as const;
const ACCEPTED = new Set(["jpeg", "png", "webp"]);

// One image at a time per thread: a phone photo takes some 60 MB while it is decoded.
sharp.concurrency(1);
sharp.cache(false);

/**
 * Makes an upload safe to keep: judged by its content and never by its name, turned upright, at most `side` px a side,
 * re-encoded as JPEG, which also drops location data and anything hidden behind the picture.
 * @throws DomainError("unsupported-type" | "too-large")
 */
export async function cleanImage(
  bytes: Uint8Array,
  side: number = MAX_SIDE.paper,
): Promise<{ bytes: Buffer; mediaType: "image/jpeg"; width: number; height: number }> {
  if (bytes.byteLength > MAX_IMAGE_BYTES) throw new DomainError("too-large", m.files_too_large({ megabytes: String(MAX_IMAGE_MB) }));
  try {
    const image = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: "error", pages: 1 });
    const { format, width, height } = await image.metadata();
    if (!ACCEPTED.has(format)) throw new DomainError("unsupported-type", m.files_images_only());
    if (width * height > MAX_PIXELS) throw new DomainError("too-large", m.files_too_many_pixels());
    const { data, info } = await image
      .rotate()
      .resize({ width: side, height: side, fit: "inside", withoutEnlargement: true })
      .flatten({ background: "#ffffff" })
      .jpeg({ quality: 82, mozjpeg: false })
      .toBuffer({ resolveWithObject: true });
    return { bytes: data, mediaType: "image/jpeg", width: info.width, height: info.height };
  } catch (cause) {
    if (cause instanceof DomainError) throw cause;
    if (cause instanceof Error && /pixel limit/i.test(cause.message))
      throw new DomainError("too-large", m.files_too_many_pixels(), { cause });
    throw new DomainError("unsupported-type", m.files_images_only(), { cause });
  }
}

/** A name to show and to download under: no path, no control characters, at most 120 characters. */
export function displayName(name: string): string {
  const base = name.split(/[/\\]/).at(-1) ?? "";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  const clean = base.replace(/[\u0000-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069"<>|:*?]/g, "").trim();
  return clean.slice(-120) || "paper.jpg";
}

/** Detects file types by content. Ignores names and declared types, which the sender chooses. */
import { unzipSync } from "fflate";

/** Documents that are stored unchanged. Images are re-encoded instead (images.server.ts). */
export const DOCUMENTS = {
  "application/pdf": "pdf",
  "application/msword": "doc",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
} as const;
export type DocumentMediaType = keyof typeof DOCUMENTS;

/** Recordings of phones and browsers. `heard`: the Gemini API lists the type (ai.google.dev/gemini-api/docs/audio). */
export const SOUNDS = {
  "audio/webm": { extension: "webm", heard: false },
  "audio/mp4": { extension: "m4a", heard: false },
  "audio/ogg": { extension: "ogg", heard: true },
  "audio/mpeg": { extension: "mp3", heard: true },
  "audio/wav": { extension: "wav", heard: true },
  "audio/aac": { extension: "aac", heard: true },
  "audio/aiff": { extension: "aiff", heard: true },
  "audio/flac": { extension: "flac", heard: true },
} as const;
export type SoundType = keyof typeof SOUNDS;
/** True for a stored recording that the model can be sent. */
export const isHeard = (mediaType: string) => mediaType in SOUNDS && SOUNDS[mediaType as SoundType].heard;

const latin = (bytes: Uint8Array, from: number, to: number) => Buffer.from(bytes.subarray(from, to)).toString("latin1");
const startsWith = (bytes: Uint8Array, ...start: number[]) => start.every((byte, i) => bytes[i] === byte);

/** Returns true if the first bytes are those of a PDF. */
export const isPdf = (bytes: Uint8Array) => latin(bytes, 0, 5) === "%PDF-";
const isCompound = (bytes: Uint8Array) => startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1);
const isZip = (bytes: Uint8Array) => startsWith(bytes, 0x50, 0x4b, 0x03, 0x04);

/** Returns true if the first bytes are those of a document. Cheap; documentTypeOf checks the rest. */
export const looksLikeDocument = (bytes: Uint8Array) => isPdf(bytes) || isCompound(bytes) || isZip(bytes);

/**
 * Returns the type of a PDF, Word 97 or Word file without macros; null for anything else. Only for a worker thread: see
 * readDocumentType.
 */
export function documentTypeOf(bytes: Uint8Array): DocumentMediaType | null {
  if (isPdf(bytes)) return "application/pdf";
  // A compound file is a Word document if it has Word's stream. Excel files and installers are compound files too.
  if (isCompound(bytes)) return Buffer.from(bytes).includes(Buffer.from("WordDocument", "utf16le")) ? "application/msword" : null;
  if (isZip(bytes)) {
    const names = zipNames(bytes);
    const isWord = names.includes("[Content_Types].xml") && names.includes("word/document.xml");
    const hasMacros = names.some((name) => /vbaProject/i.test(name));
    return isWord && !hasMacros ? "application/vnd.openxmlformats-officedocument.wordprocessingml.document" : null;
  }
  return null;
}

/** Upper bound. */
const MAX_ZIP_ENTRIES = 10_000;
/** Bytes of an entry in a zip's directory, without the name. */
const ZIP_ENTRY = 46;

/**
 * Returns whether the zip's end record declares no more entries than the file can contain. Refuses zip64, which a file of our
 * size never needs: it allows 2^64 entries, and fflate trusts the number.
 */
function isPlausibleZip(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let end = bytes.byteLength - 22;
  while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) {
    if (bytes.byteLength - end > 65_558) return false;
    end--;
  }
  if (end < 0 || (end >= 20 && view.getUint32(end - 20, true) === 0x07064b50)) return false;
  const entries = view.getUint16(end + 10, true);
  const listed = view.getUint16(end + 8, true);
  const [size, start] = [view.getUint32(end + 12, true), view.getUint32(end + 16, true)];
  return listed === entries && entries <= MAX_ZIP_ENTRIES && entries * ZIP_ENTRY <= size && start + size <= end;
}

/** Returns the names in a zip without unpacking; none for a broken one. */
function zipNames(bytes: Uint8Array): string[] {
  if (!isPlausibleZip(bytes)) return [];
  const names: string[] = [];
  try {
    unzipSync(bytes, {
      filter: ({ name }) => {
        names.push(name);
        return false;
      },
    });
  } catch {
    return [];
  }
  return names;
}

/** Returns the type of a recording; null for anything else. */
export function soundTypeOf(bytes: Uint8Array): SoundType | null {
  if (startsWith(bytes, 0x1a, 0x45, 0xdf, 0xa3)) return latin(bytes, 0, 64).includes("webm") ? "audio/webm" : null;
  if (latin(bytes, 4, 8) === "ftyp") return "audio/mp4";
  if (latin(bytes, 0, 4) === "OggS") return "audio/ogg";
  if (latin(bytes, 0, 4) === "fLaC") return "audio/flac";
  if (latin(bytes, 0, 4) === "FORM" && /^AIF[FC]$/.test(latin(bytes, 8, 12))) return "audio/aiff";
  if (latin(bytes, 0, 4) === "RIFF" && latin(bytes, 8, 12) === "WAVE") return "audio/wav";
  if (latin(bytes, 0, 3) === "ID3") return "audio/mpeg";
  // Twelve bits of frame sync, then the layer: 0 is AAC, the others are MPEG audio.
  if (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0) return ((bytes[1] ?? 0) & 0x06) === 0 ? "audio/aac" : "audio/mpeg";
  return null;
}

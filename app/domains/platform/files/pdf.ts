/** Checks an uploaded PDF. Reads bytes only, never whole text: only for a worker thread (document-type.server.ts). */
import { constants, inflateSync } from "node:zlib";

/** Why a PDF is refused: damaged or cut off, encrypted, or with scripts, programs or other files inside. */
export type PdfFault = "broken" | "protected" | "active";
/** `end`: the length without what follows the PDF's end mark. */
export type PdfReading = { fault: PdfFault } | { fault: null; end: number };

/** Viewers look for the end mark in the last kilobyte, so a file without one there was cut off. */
const TAIL = 1024;
/** Most bytes that the object streams of one file may unpack to. */
const MAX_UNPACKED = 24 * 1024 * 1024;
/** Names in a PDF that start a script or a program, send form data, or hold another file. */
const ACTIVE = ["/JavaScript", "/Launch", "/EmbeddedFile", "/RichMedia", "/ImportData", "/SubmitForm", "/XFA", "/GoToE"];

/**
 * Returns the fault of a PDF, or its length. The check finds active names also where they are escaped or in compressed object
 * streams. It is no virus scanner: routes send a PDF only as a download.
 */
export function readPdf(bytes: Uint8Array): PdfReading {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const mark = file.lastIndexOf("%%EOF");
  const end = mark + 5;
  if (!/^%PDF-[12]\.\d/.test(file.toString("latin1", 0, 8)) || mark < 0 || file.length - end > TAIL) return { fault: "broken" };
  const start = /startxref\s+(\d{1,10})\s*$/.exec(file.toString("latin1", Math.max(0, mark - 64), mark))?.[1];
  if (start === undefined || Number(start) >= mark) return { fault: "broken" };
  const content = withoutEscapes(file.subarray(0, end));
  if (content.includes("/Encrypt")) return { fault: "protected" };
  return ACTIVE.some((name) => content.includes(name)) || hidesActiveName(file.subarray(0, end))
    ? { fault: "active" }
    : { fault: null, end };
}

/** Returns true if an object stream has an active name, or cannot be unpacked. */
function hidesActiveName(file: Buffer): boolean {
  let left = MAX_UNPACKED;
  for (let at = file.indexOf("stream"); at >= 0; at = file.indexOf("stream", at + 6)) {
    if (file.toString("latin1", at - 3, at) === "end") continue;
    const head = withoutEscapes(file.subarray(Math.max(0, file.lastIndexOf("obj", at)), at)).toString("latin1");
    if (!/\/(ObjStm|First)\b/.test(head) || !/\/Filter\b/.test(head)) continue;
    if (!/\/Filter\s*\[?\s*\/FlateDecode\s*\]?\s*(\/(?!FlateDecode)\w|>>)/.test(head)) return true;
    let from = at + 6;
    if (file[from] === 0x0d) from++;
    if (file[from] === 0x0a) from++;
    const to = file.indexOf("endstream", from);
    try {
      const packed = file.subarray(from, to < 0 ? file.length : to);
      const objects = inflateSync(packed, { maxOutputLength: Math.max(1, left), finishFlush: constants.Z_SYNC_FLUSH });
      left -= objects.length;
      const plain = withoutEscapes(objects);
      if (ACTIVE.some((name) => plain.includes(name))) return true;
    } catch {
      return true;
    }
  }
  return false;
}

/** Replaces the escapes of names: `/J#61vaScript` is `/JavaScript`. */
function withoutEscapes(bytes: Buffer): Buffer {
  if (!bytes.includes("#")) return bytes;
  const plain = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    const [high, low] = bytes[i] === 0x23 ? [hex(bytes[i + 1]), hex(bytes[i + 2])] : [-1, -1];
    const isEscape = high >= 0 && low >= 0;
    plain[length++] = isEscape ? high * 16 + low : bytes[i]!;
    if (isEscape) i += 2;
  }
  return plain.subarray(0, length);
}

/** Returns the value of a hexadecimal digit, -1 for another byte. */
function hex(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/**
 * Moves the sound of a recording unchanged into another container: Gemini reads Opus in Ogg, not in the WebM of browsers, and AAC
 * in ADTS, not in the MP4 of phones.
 */

import { MAX_RECORDING_BYTES } from "./upload-limits.ts";

const MAX_PACKETS = 30_000;
/** Elements of a file around its packets. A hostile file could have millions. */
const MAX_ELEMENTS = 4 * MAX_PACKETS;

type Packets = { head: Uint8Array; packets: Uint8Array[] };

/** Returns the Opus sound of a WebM file in an Ogg file; null for another codec and for a damaged file. */
export const webmToOgg = (bytes: Uint8Array): Uint8Array | null => converted(bytes, () => oggOf(opusIn(bytes)));

/** Returns the AAC sound of an MP4 file in an ADTS file; null for another codec, for fragments and for a damaged file. */
export const mp4ToAac = (bytes: Uint8Array): Uint8Array | null => converted(bytes, () => adtsOf(bytes));

class Unreadable extends Error {}
const refuse = (): never => {
  throw new Unreadable();
};

function converted(bytes: Uint8Array, convert: () => Uint8Array): Uint8Array | null {
  if (bytes.byteLength > MAX_RECORDING_BYTES) return null;
  try {
    return convert();
  } catch (error) {
    // RangeError: a length or an offset points outside the file.
    if (error instanceof Unreadable || error instanceof RangeError) return null;
    throw error;
  }
}

const latin = (bytes: Uint8Array, from: number, to: number) => Buffer.from(bytes.subarray(from, to)).toString("latin1");
const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

// WebM (RFC 9559): elements of an id, a length and content.

/** Elements that contain elements; their content is read as if it followed them. */
const CONTAINERS = new Set([0x18538067 /* Segment */, 0x1654ae6b /* Tracks */, 0x1f43b675 /* Cluster */, 0xa0 /* BlockGroup */]);
const [TRACK, NUMBER, CODEC, PRIVATE, SIMPLE_BLOCK, BLOCK] = [0xae, 0xd7, 0x86, 0x63a2, 0xa3, 0xa1];
/** Bits of a block that pack several frames into it. */
const LACING = 0x06;

/** Reads a number of variable length. @returns its value, without the length marker if `isSize`, and where it ends */
function readVariable(view: DataView, at: number, isSize: boolean): { value: number; end: number } {
  const first = view.getUint8(at);
  const length = Math.clz32(first) - 23;
  if (length > 8) refuse();
  let value = isSize ? first & (0xff >> length) : first;
  let isUnknown = isSize && value === 0xff >> length;
  for (let i = 1; i < length; i++) {
    const byte = view.getUint8(at + i);
    isUnknown &&= byte === 0xff;
    value = value * 256 + byte;
  }
  return { value: isUnknown ? Number.NaN : value, end: at + length };
}

type Track = { number: number; codec: string; head: Uint8Array };

function opusIn(bytes: Uint8Array): Packets {
  const view = viewOf(bytes);
  const none: Track = { number: 0, codec: "", head: new Uint8Array() };
  let track = { ...none };
  let chosen: Track | null = null;
  const packets: Uint8Array[] = [];
  for (let [at, elements] = [0, 0]; at < bytes.length; elements++) {
    if (elements >= MAX_ELEMENTS) refuse();
    const id = readVariable(view, at, false);
    const size = readVariable(view, id.end, true);
    const [start, end] = [size.end, size.end + size.value];
    // A recording that is stopped early may end within an element.
    if (end > bytes.length && !CONTAINERS.has(id.value)) break;
    if (id.value === TRACK) {
      if (track.codec === "A_OPUS") chosen ??= track;
      track = { ...none };
    } else if (id.value === NUMBER) track.number = view.getUint8(start);
    else if (id.value === CODEC) track.codec = latin(bytes, start, end);
    else if (id.value === PRIVATE) track.head = bytes.subarray(start, end);
    else if (id.value === SIMPLE_BLOCK || id.value === BLOCK) {
      if (track.codec === "A_OPUS") chosen ??= track;
      const of = readVariable(view, start, true);
      if (of.value === chosen?.number) {
        if (view.getUint8(of.end + 2) & LACING || packets.length >= MAX_PACKETS) refuse();
        packets.push(bytes.subarray(of.end + 3, end));
      }
    }
    if (CONTAINERS.has(id.value) || id.value === TRACK) at = start;
    else at = Number.isNaN(end) ? refuse() : end;
  }
  if (!chosen || latin(chosen.head, 0, 8) !== "OpusHead" || packets.length === 0) return refuse();
  return { head: chosen.head, packets };
}

// Ogg (RFC 3533) with Opus (RFC 7845).

const RATE = 48_000;
const SEGMENTS = 255;
const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  return crc;
});

/** Returns the length of an Opus packet in samples (RFC 6716 §3.1). */
function samplesOf(packet: Uint8Array): number {
  const [head, second] = packet;
  if (head === undefined) return refuse();
  const config = head >> 3;
  const milliseconds = config < 12 ? [10, 20, 40, 60][config & 3]! : config < 16 ? [10, 20][config & 1]! : [2.5, 5, 10, 20][config & 3]!;
  const frames = (head & 3) === 0 ? 1 : (head & 3) < 3 ? 2 : (second ?? 0) & 63;
  return (milliseconds * RATE * frames) / 1000;
}

function oggOf({ head, packets }: Packets): Uint8Array {
  const pages: Uint8Array[] = [];
  const page = (content: Uint8Array[], samples: number, kind: number) => {
    const lacing = content.flatMap(({ length }) => [...Array<number>(Math.floor(length / 255)).fill(255), length % 255]);
    if (lacing.length > SEGMENTS) refuse();
    const bytes = new Uint8Array(27 + lacing.length + content.reduce((sum, { length }) => sum + length, 0));
    const view = viewOf(bytes);
    bytes.set(Buffer.from("OggS"));
    bytes[5] = kind;
    view.setBigUint64(6, BigInt(samples), true);
    view.setUint32(14, 1, true);
    view.setUint32(18, pages.length, true);
    bytes[26] = lacing.length;
    bytes.set(lacing, 27);
    let at = 27 + lacing.length;
    for (const part of content) {
      bytes.set(part, at);
      at += part.length;
    }
    let crc = 0;
    for (const byte of bytes) crc = (crc << 8) ^ CRC[(crc >>> 24) ^ byte]!;
    view.setUint32(22, crc >>> 0, true);
    pages.push(bytes);
  };
  const [FIRST, LAST] = [2, 4];
  page([head], 0, FIRST);
  page([Buffer.from("OpusTags\x04\0\0\0Nadi\0\0\0\0", "latin1")], 0, 0);
  let [waiting, segments, samples] = [[] as Uint8Array[], 0, 0];
  for (const packet of packets) {
    const own = Math.floor(packet.length / 255) + 1;
    if (waiting.length && segments + own > SEGMENTS) {
      page(waiting, samples, 0);
      [waiting, segments] = [[], 0];
    }
    waiting.push(packet);
    segments += own;
    samples += samplesOf(packet);
  }
  page(waiting, samples, LAST);
  return Buffer.concat(pages);
}

// MP4 (ISO/IEC 14496-12) with AAC (14496-3).

/** Boxes within one. Phones write a dozen. */
const MAX_BOXES = 500;
type Box = { type: string; start: number; end: number };

function boxesIn(bytes: Uint8Array, from: number, to: number): Box[] {
  const view = viewOf(bytes);
  const boxes: Box[] = [];
  for (let at = from; at + 8 <= to && boxes.length < MAX_BOXES; ) {
    const type = latin(bytes, at + 4, at + 8);
    const short = view.getUint32(at);
    const [start, size] = short === 1 ? [at + 16, Number(view.getBigUint64(at + 8))] : [at + 8, short === 0 ? to - at : short];
    const end = at + size;
    if (end < start || end > to) break;
    boxes.push({ type, start, end });
    at = end;
  }
  return boxes;
}
const boxAt = (bytes: Uint8Array, within: Box, ...path: string[]): Box | null => {
  let box: Box | null = within;
  for (const type of path) box = (box && boxesIn(bytes, box.start, box.end).find((one) => one.type === type)) ?? null;
  return box;
};

/** Returns the parts of the AudioSpecificConfig that an ADTS header has. */
function aacOf(bytes: Uint8Array, { start, end }: Box): { profile: number; rate: number; channels: number } {
  const found = Buffer.from(bytes.subarray(start, end)).indexOf("esds");
  if (found < 0) refuse();
  let at = start + found + 8;
  /** Enters a descriptor of the tag. */
  const enter = (tag: number) => {
    if (bytes[at++] !== tag) refuse();
    for (let i = 0; i < 4 && (bytes[at++] ?? 0) & 0x80; i++);
  };
  enter(3);
  at += 3;
  enter(4);
  if (bytes[at] !== 0x40) refuse();
  at += 13;
  enter(5);
  const [first, second] = [bytes[at] ?? 0, bytes[at + 1] ?? 0];
  const kind = first >> 3;
  // HE-AAC is AAC-LC with additions, which a header does not name.
  const profile = kind === 5 || kind === 29 ? 2 : kind;
  const [rate, channels] = [((first & 7) << 1) | (second >> 7), (second >> 3) & 15];
  if (at + 2 > end || profile < 1 || profile > 4 || rate > 12 || channels < 1 || channels > 7) refuse();
  return { profile, rate, channels };
}

function adtsOf(bytes: Uint8Array): Uint8Array {
  const view = viewOf(bytes);
  const file = { type: "", start: 0, end: bytes.length };
  const movie = boxAt(bytes, file, "moov") ?? refuse();
  const track = boxesIn(bytes, movie.start, movie.end).find((box) => {
    const handler = box.type === "trak" ? boxAt(bytes, box, "mdia", "hdlr") : null;
    return handler && latin(bytes, handler.start + 8, handler.start + 12) === "soun";
  });
  const table = (track && boxAt(bytes, track, "mdia", "minf", "stbl")) || refuse();
  const part = (...names: string[]) => names.map((name) => boxAt(bytes, table, name)).find((box) => box !== null) ?? refuse();
  const { profile, rate, channels } = aacOf(bytes, part("stsd"));

  const [sizes, chunks, runs] = [part("stsz"), part("stco", "co64"), part("stsc")];
  const [oneSize, count] = [view.getUint32(sizes.start + 4), view.getUint32(sizes.start + 8)];
  const [chunkCount, runCount] = [view.getUint32(chunks.start + 4), view.getUint32(runs.start + 4)];
  if (count === 0 || Math.max(count, chunkCount, runCount) > MAX_PACKETS) refuse();
  const offsetOf = (chunk: number) =>
    chunks.type === "stco" ? view.getUint32(chunks.start + 8 + 4 * chunk) : Number(view.getBigUint64(chunks.start + 8 + 8 * chunk));
  const runStart = (run: number) => (run < runCount ? view.getUint32(runs.start + 8 + 12 * run) - 1 : chunkCount);

  const frames: Uint8Array[] = [];
  for (let [run, chunk, sample] = [0, 0, 0]; chunk < chunkCount && sample < count; chunk++) {
    while (runStart(run + 1) <= chunk && run + 1 < runCount) run++;
    const inChunk = view.getUint32(runs.start + 12 + 12 * run);
    for (let [n, at] = [0, offsetOf(chunk)]; n < inChunk && sample < count; n++, sample++) {
      const size = oneSize || view.getUint32(sizes.start + 12 + 4 * sample);
      const length = size + 7;
      if (at + size > bytes.length || length > 0x1fff) refuse();
      frames.push(
        Uint8Array.of(
          0xff,
          0xf1,
          ((profile - 1) << 6) | (rate << 2) | (channels >> 2),
          ((channels & 3) << 6) | (length >> 11),
          (length >> 3) & 0xff,
          ((length & 7) << 5) | 0x1f,
          0xfc,
        ),
        bytes.subarray(at, at + size),
      );
      at += size;
    }
  }
  return Buffer.concat(frames);
}

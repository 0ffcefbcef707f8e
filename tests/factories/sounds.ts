/** Recordings as browsers and phones make them. Their sound is noise. */

/** Packets of Opus of 20 ms each, of different lengths: the first byte is their head, also 255 and more bytes long. */
export const opusPackets = (count = 50): Buffer[] =>
  Array.from({ length: count }, (_, n) =>
    Buffer.from([0x08, ...Array.from({ length: [3, 60, 254, 255, 400][n % 5]! }, (_, i) => (n * 31 + i * 7) % 256)]),
  );
const OPUS_HEAD = Buffer.concat([Buffer.from("OpusHead\x01\x01", "latin1"), Buffer.from([0x38, 1, 0x80, 0xbb, 0, 0, 0, 0, 0])]);

/** An element of WebM. `size` null: unknown, as of a recording that is still running. */
function element(id: number[], content: Buffer, size: number | null = content.length): Buffer {
  const length = size === null ? [0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff] : [0x10 | (size >>> 24), size >>> 16, size >>> 8, size];
  return Buffer.concat([Buffer.from(id), Buffer.from(length.map((byte) => byte & 0xff)), content]);
}
const [EBML, DOC_TYPE, SEGMENT, TRACKS, TRACK, CLUSTER] = [
  [0x1a, 0x45, 0xdf, 0xa3],
  [0x42, 0x82],
  [0x18, 0x53, 0x80, 0x67],
  [0x16, 0x54, 0xae, 0x6b],
  [0xae],
  [0x1f, 0x43, 0xb6, 0x75],
];
/** A WebM file as Chromium records it: with segments and clusters of unknown length. */
export function webm({
  packets = opusPackets(),
  codec = "A_OPUS",
  head = OPUS_HEAD,
  flags = 0x80,
  sized = false,
}: {
  packets?: Buffer[];
  codec?: string;
  head?: Buffer;
  flags?: number;
  sized?: boolean;
} = {}): Buffer {
  const block = (packet: Buffer, n: number) =>
    n % 2 === 0
      ? element([0xa3], Buffer.concat([Buffer.from([0x81, 0, n & 0xff, flags]), packet]))
      : element([0xa0], element([0xa1], Buffer.concat([Buffer.from([0x81, 0, n & 0xff, flags & 0x7f]), packet])));
  const container = (id: number[], content: Buffer) => element(id, content, sized ? content.length : null);
  const track = element(
    TRACK!,
    Buffer.concat([
      element([0xd7], Buffer.from([1])),
      element([0x83], Buffer.from([2])),
      element([0x86], Buffer.from(codec)),
      element([0x63, 0xa2], head),
    ]),
  );
  const half = Math.ceil(packets.length / 2);
  const cluster = (part: Buffer[]) => container(CLUSTER!, Buffer.concat([element([0xe7], Buffer.from([0])), ...part.map(block)]));
  const content = Buffer.concat([element(TRACKS!, track), cluster(packets.slice(0, half)), cluster(packets.slice(half))]);
  return Buffer.concat([element(EBML!, element(DOC_TYPE!, Buffer.from("webm"))), container(SEGMENT!, content)]);
}

/** Packets of an Ogg file, and the number of samples that its last page states. */
export function oggPackets(ogg: Buffer): { packets: Buffer[]; samples: number } {
  const packets: Buffer[] = [];
  let [samples, part] = [0, Buffer.alloc(0)];
  for (let at = 0; at < ogg.length; ) {
    if (ogg.toString("latin1", at, at + 4) !== "OggS") throw new Error(`no page at ${at}`);
    samples = Number(ogg.readBigUInt64LE(at + 6));
    const lacing = [...ogg.subarray(at + 27, at + 27 + ogg[at + 26]!)];
    at += 27 + lacing.length;
    for (const length of lacing) {
      part = Buffer.concat([part, ogg.subarray(at, at + length)]);
      at += length;
      if (length === 255) continue;
      packets.push(part);
      part = Buffer.alloc(0);
    }
  }
  return { packets, samples };
}

export const aacFrames = (count = 40): Buffer[] =>
  Array.from({ length: count }, (_, n) => Buffer.from(Array.from({ length: 100 + n }, (_, i) => (n * 13 + i * 3) % 256)));
const long = (...numbers: number[]) => {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [i, number] of numbers.entries()) bytes.writeUInt32BE(number, 4 * i);
  return bytes;
};
const box = (type: string, ...content: Buffer[]) => {
  const inside = Buffer.concat(content);
  return Buffer.concat([long(inside.length + 8), Buffer.from(type, "latin1"), inside]);
};
/** An MP4 file with AAC as phones record it, with `perChunk` frames in each chunk. `object`: the kind of sound, 0x40 for AAC. */
export function mp4({
  frames = aacFrames(),
  perChunk = 7,
  object = 0x40,
}: {
  frames?: Buffer[];
  perChunk?: number;
  object?: number;
} = {}): Buffer {
  const head = box("ftyp", Buffer.from("M4A \0\0\0\0M4A isom", "latin1"));
  const starts = frames.map((_, n) => head.length + 8 + frames.slice(0, n).reduce((sum, { length }) => sum + length, 0));
  const chunks = starts.filter((_, n) => n % perChunk === 0);
  const rest = frames.length % perChunk;
  // AAC-LC, 44,100 samples a second, one channel.
  const config = Buffer.from([0x12, 0x08]);
  const specific = Buffer.concat([Buffer.from([0x05, config.length]), config]);
  const decoder = Buffer.concat([Buffer.from([0x04, 13 + specific.length, object, 0x15]), Buffer.alloc(11), specific]);
  const descriptor = Buffer.concat([Buffer.from([0x03, 0x80, 0x80, 3 + decoder.length, 0, 0, 0]), decoder]);
  const entry = box("mp4a", Buffer.alloc(28), box("esds", long(0), descriptor));
  const runs = rest && chunks.length > 1 ? [1, perChunk, 1, chunks.length, rest, 1] : [1, perChunk, 1];
  const table = box(
    "stbl",
    box("stsd", long(0, 1), entry),
    box("stsc", long(0, runs.length / 3, ...runs)),
    box("stsz", long(0, 0, frames.length, ...frames.map(({ length }) => length))),
    box("stco", long(0, chunks.length, ...chunks)),
  );
  const handler = (kind: string) => box("hdlr", long(0, 0), Buffer.from(kind, "latin1"), Buffer.alloc(12));
  return Buffer.concat([
    head,
    box("mdat", ...frames),
    box("moov", box("trak", box("mdia", handler("vide"))), box("trak", box("mdia", handler("soun"), box("minf", table)))),
  ]);
}

/** A recording of an old phone, which the model cannot hear. */
export const amr = (): Buffer => Buffer.concat([Buffer.from("#!AMR\n"), Buffer.alloc(500, 0x3c)]);

import { Zip, ZipDeflate, ZipPassThrough } from "fflate";

/** One file of an archive. `shrink`: deflate it (images are compressed already). */
export type ZipEntry = { name: string; at: Date; shrink: boolean; bytes: AsyncIterable<Uint8Array> };

/** Streams a zip archive. Only one chunk of one file is in memory at a time. */
export async function* zipped(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  let made: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    made.push(chunk);
  });
  function* taken() {
    const ready = made;
    made = [];
    for (const chunk of ready) if (chunk.length) yield chunk;
  }
  for await (const { name, at, shrink, bytes } of entries) {
    const file = shrink ? new ZipDeflate(name, { level: 6 }) : new ZipPassThrough(name);
    file.mtime = at;
    zip.add(file);
    for await (const piece of bytes) {
      file.push(piece);
      yield* taken();
    }
    file.push(new Uint8Array(0), true);
    yield* taken();
  }
  zip.end();
  yield* taken();
}

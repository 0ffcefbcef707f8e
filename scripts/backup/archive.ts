/**
 * Backup format: an encrypted tar (POSIX ustar), written and read as a stream (sealed-stream.ts; `node scripts/open-backup.ts`
 * decrypts it to a tar). Its last entry is the SHA-256 of all bytes before it, which detects a truncated or changed file.
 */
import { createHash } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { env } from "#app/runtime/env.server.ts";
import { NotOpened, sealTo, unsealed } from "./sealed-stream.ts";

/** A backup cannot be made or is not valid. The message is shown without a stack. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}

const BLOCK = 512;
const SEAL = "SHA256";
/** Limit of an entry when reading. Ours are smaller: a few MB for rows, some tens for an upload. */
const LARGEST = 512 * 1024 * 1024;

/** ustar has 100 bytes for a name and 155 for its folders. */
function splitName(name: string): { prefix: string; rest: string } {
  if (Buffer.byteLength(name) <= 100) return { prefix: "", rest: name };
  for (let cut = name.indexOf("/"); cut > 0; cut = name.indexOf("/", cut + 1))
    if (cut <= 155 && Buffer.byteLength(name) - cut - 1 <= 100) return { prefix: name.slice(0, cut), rest: name.slice(cut + 1) };
  throw new BackupError(`the name is too long for an archive: ${name}`);
}
const octal = (value: number, width: number) => `${value.toString(8).padStart(width - 1, "0")}\0`;

function header(name: string, size: number, at: Date): Buffer {
  const { prefix, rest } = splitName(name);
  const block = Buffer.alloc(BLOCK);
  block.write(rest, 0);
  block.write(octal(0o600, 8), 100);
  block.write(octal(0, 8), 108);
  block.write(octal(0, 8), 116);
  block.write(octal(size, 12), 124);
  block.write(octal(Math.floor(at.getTime() / 1000), 12), 136);
  block.write(" ".repeat(8), 148);
  block.write("0", 156);
  block.write("ustar\x0000", 257);
  block.write(prefix, 345);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}
const padding = (size: number) => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);

export type ArchiveWriter = {
  add(name: string, bytes: Uint8Array): Promise<void>;
  /** Completes the archive and renames it. @returns its size in bytes */
  finish(): Promise<number>;
  /** Deletes the incomplete archive. */
  abandon(): Promise<void>;
};

/** Creates an archive under a temporary name, readable by this user only. @throws BackupError when `path` exists */
export async function createArchive(path: string, at: Date): Promise<ArchiveWriter> {
  const taken = await open(path, "r").catch(() => null);
  await taken?.close();
  if (taken) throw new BackupError(`${path} exists already.`);
  const draft = `${path}.part`;
  const file = await open(draft, "w", 0o600);
  await file.chmod(0o600); // an existing temporary file has its own mode
  const stream = await sealTo(file, env().encryptionKeys);
  const hash = createHash("sha256");
  let size = 0;
  const write = async (bytes: Uint8Array) => {
    hash.update(bytes);
    size += bytes.length;
    await stream.write(bytes);
  };
  const add = async (name: string, bytes: Uint8Array) => {
    await write(header(name, bytes.length, at));
    await write(bytes);
    await write(padding(bytes.length));
  };
  return {
    add,
    async finish() {
      await add(SEAL, Buffer.from(hash.copy().digest("hex")));
      await write(Buffer.alloc(2 * BLOCK));
      await stream.end();
      await file.sync();
      await file.close();
      await rename(draft, path);
      return size;
    },
    async abandon() {
      await file.close().catch(() => undefined);
      await rm(draft, { force: true });
    },
  };
}

const cutOff = (path: string) => new BackupError(`${path} is not a whole backup: it was cut off or changed.`);

/** Decrypts a backup to a tar with the keys of this environment. @throws BackupError */
export async function* tarOf(path: string): AsyncGenerator<Buffer> {
  const file = await open(path, "r").catch(() => {
    throw new BackupError(`${path} cannot be read.`);
  });
  try {
    yield* unsealed(file, env().encryptionKeys);
  } catch (error) {
    if (!(error instanceof NotOpened)) throw error;
    if (error.missingKey === null) throw cutOff(path);
    throw new BackupError(
      `${path} was encrypted with the key ${error.missingKey}, which is not in ENCRYPTION_KEY. Add that key to the list (docs/operations.md, Keys).`,
    );
  } finally {
    await file.close();
  }
}

type Block = { name: string; head: Buffer; bytes: Buffer; rest: Buffer };
async function* blocks(path: string): AsyncGenerator<Block> {
  const chunks = tarOf(path);
  try {
    yield* blocksOf(chunks, path);
  } finally {
    await chunks.return(undefined); // closes the file also when the reader stops early
  }
}

async function* blocksOf(chunks: AsyncGenerator<Buffer>, path: string): AsyncGenerator<Block> {
  let left: Buffer = Buffer.alloc(0);
  const read = async (size: number) => {
    const parts: Buffer[] = [];
    for (let missing = size; missing > 0; ) {
      if (left.length === 0) {
        const next = await chunks.next();
        if (next.done) throw cutOff(path);
        left = next.value;
        continue;
      }
      const part = left.subarray(0, missing);
      parts.push(part);
      left = left.subarray(part.length);
      missing -= part.length;
    }
    return Buffer.concat(parts);
  };
  const text = (head: Buffer, from: number, length: number) => head.toString("utf8", from, from + length).replace(/\0.*$/s, "");
  for (;;) {
    const head = await read(BLOCK);
    if (head.every((byte) => byte === 0)) {
      // Reads to the end: only the last chunk proves that nothing is missing.
      for await (const _ of chunks);
      return;
    }
    const size = Number.parseInt(text(head, 124, 12), 8);
    if (text(head, 257, 5) !== "ustar" || !(size <= LARGEST)) throw cutOff(path);
    const [prefix, rest] = [text(head, 345, 155), text(head, 0, 100)];
    const bytes = await read(size);
    yield { name: prefix ? `${prefix}/${rest}` : rest, head, bytes, rest: await read(padding(size).length) };
  }
}

/**
 * Yields the entries of an archive in order, one in memory at a time. Reading to the end verifies the whole archive.
 * @throws BackupError
 */
export async function* readArchive(path: string): AsyncGenerator<{ name: string; bytes: Buffer }> {
  const hash = createHash("sha256");
  let seal: string | undefined;
  for await (const { name, head, bytes, rest } of blocks(path)) {
    if (seal !== undefined) throw cutOff(path);
    if (name === SEAL) {
      seal = bytes.toString();
      if (seal !== hash.copy().digest("hex")) throw cutOff(path);
      continue;
    }
    hash.update(head).update(bytes).update(rest);
    yield { name, bytes };
  }
  if (seal === undefined) throw cutOff(path);
}

/**
 * Encryption of a backup: a random key, encrypted by ENCRYPTION_KEY, in the first line, then AES-256-GCM in chunks. The number of a
 * chunk is its nonce; number and last-chunk flag are its associated data. A truncated, reordered or changed backup does not
 * decrypt.
 */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { decrypt, encrypt, keyIdOf } from "#app/lib/crypto.server.ts";

type Keys = readonly [string, ...string[]];
const FIRST_LINE = "nadi-backup-2 ";
const PLACE = "backup|key";
const CHUNK = 64 * 1024;
const TAG = 16;

function cipherOf<C>(make: (nonce: Buffer) => C & { setAAD(about: Buffer): unknown }, n: number, last: boolean): C {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(n, 8);
  const cipher = make(nonce);
  cipher.setAAD(Buffer.from(`${n}|${last ? "last" : "more"}`));
  return cipher;
}

/** Returns a writer that encrypts to `file` in chunks. */
export async function sealTo(file: FileHandle, keys: Keys) {
  const key = randomBytes(32);
  await file.writeFile(`${FIRST_LINE}${encrypt(key.toString("base64url"), keys, PLACE)}\n`);
  let waiting: Buffer[] = [];
  let size = 0;
  let n = 0;
  const flush = async (chunk: Buffer, last: boolean) => {
    const cipher = cipherOf((nonce) => createCipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG }), n, last);
    n += 1;
    await file.writeFile(Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()]));
  };
  return {
    async write(bytes: Uint8Array): Promise<void> {
      waiting.push(Buffer.from(bytes));
      size += bytes.length;
      if (size <= CHUNK) return;
      const all = Buffer.concat(waiting);
      let at = 0;
      // `end` writes the last chunk: a full one waits for more data.
      for (; all.length - at > CHUNK; at += CHUNK) await flush(all.subarray(at, at + CHUNK), false);
      waiting = [all.subarray(at)];
      size = all.length - at;
    },
    end: () => flush(Buffer.concat(waiting), true),
  };
}

/** A backup does not decrypt: a key is missing (with its id), or the bytes were changed. */
export class NotOpened extends Error {
  readonly missingKey: string | null;
  constructor(missingKey: string | null) {
    super("the backup does not open");
    this.missingKey = missingKey;
  }
}

/** Decrypts a backup as a stream. Returns older, unencrypted backups unchanged. @throws NotOpened */
export async function* unsealed(file: FileHandle, keys: Keys): AsyncGenerator<Buffer> {
  const { size } = await file.stat();
  const readAt = async (at: number, length: number) => {
    const bytes = Buffer.alloc(Math.max(0, Math.min(length, size - at)));
    for (let have = 0; have < bytes.length; ) {
      const { bytesRead } = await file.read(bytes, have, bytes.length - have, at + have);
      if (bytesRead === 0) throw new NotOpened(null);
      have += bytesRead;
    }
    return bytes;
  };
  const head = await readAt(0, 1024);
  const start = head.toString("latin1");
  if (!start.startsWith(FIRST_LINE)) {
    for (let at = 0; at < size; at += CHUNK) yield await readAt(at, CHUNK);
    return;
  }
  const line = start.slice(0, start.indexOf("\n"));
  const sealedKey = line.slice(FIRST_LINE.length);
  const id = sealedKey.split(".")[1] ?? "";
  if (/^[0-9a-f]{8}$/.test(id) && !keys.some((key) => keyIdOf(key) === id)) throw new NotOpened(id);
  try {
    const key = Buffer.from(decrypt(sealedKey, keys, PLACE), "base64url");
    let at = line.length + 1;
    for (let n = 0; ; n++) {
      const frame = await readAt(at, CHUNK + TAG);
      at += frame.length;
      if (frame.length < TAG) throw new NotOpened(null);
      const decipher = cipherOf((nonce) => createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG }), n, at === size);
      decipher.setAuthTag(frame.subarray(-TAG));
      yield Buffer.concat([decipher.update(frame.subarray(0, -TAG)), decipher.final()]);
      if (at === size) return;
    }
  } catch {
    throw new NotOpened(null);
  }
}

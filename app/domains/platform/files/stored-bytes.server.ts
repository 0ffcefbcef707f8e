/**
 * Stored files: AES-256-GCM under a random key of the file, which its row contains encrypted (docs/decisions/045). Without the
 * row the bytes cannot be decrypted, so a copy that outlives a deletion reveals nothing.
 */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { files } from "#app/db/schema/index.ts";
import { opened, sealed } from "#app/db/sealed.server.ts";
import type { Ctx } from "#app/domains/context.server.ts";
import type { FileStore } from "#app/integrations/storage/storage.server.ts";

/** Magic number of encrypted files. Uploads never start with it: their types are detected by their first bytes. */
const MAGIC = Buffer.from("nadi\x00\x01\x1a\n", "latin1");
const IV = 12;
const TAG = 16;
/** Content type of encrypted bytes. */
export const SEALED_TYPE = "application/octet-stream";

/** Columns of `files` for `readStored`. */
export const storedFile = { id: files.id, storageKey: files.storageKey, dataKey: opened(files.dataKey), sealed: files.sealed };
export type StoredBytes = { id: string; storageKey: string; dataKey: string | null; sealed: boolean };

export const newDataKey = () => randomBytes(32).toString("base64url");
/** Returns true for bytes of `sealBytes`. */
export const areSealed = (bytes: Uint8Array) => MAGIC.equals(bytes.subarray(0, MAGIC.length));

/** Encrypts the bytes of a file. The storage key is associated data: bytes copied to another file's key do not decrypt. */
export function sealBytes(bytes: Uint8Array, dataKey: string, storageKey: string): Buffer {
  const iv = randomBytes(IV);
  const cipher = createCipheriv("aes-256-gcm", Buffer.from(dataKey, "base64url"), iv, { authTagLength: TAG });
  cipher.setAAD(Buffer.from(`file|${storageKey}`));
  const body = [cipher.update(bytes), cipher.final()];
  return Buffer.concat([MAGIC, iv, cipher.getAuthTag(), ...body]);
}
function openBytes(stored: Uint8Array, dataKey: string, storageKey: string): Buffer {
  const at = { iv: MAGIC.length, tag: MAGIC.length + IV, body: MAGIC.length + IV + TAG };
  const decipher = createDecipheriv("aes-256-gcm", Buffer.from(dataKey, "base64url"), stored.subarray(at.iv, at.tag), {
    authTagLength: TAG,
  });
  decipher.setAAD(Buffer.from(`file|${storageKey}`));
  decipher.setAuthTag(stored.subarray(at.tag, at.body));
  return Buffer.concat([decipher.update(stored.subarray(at.body)), decipher.final()]);
}

/**
 * Returns the content of a stored file; null when the storage has no such object. Bytes from before the encryption of files are
 * returned unchanged, until the job has encrypted them.
 * @throws when the bytes or their key were changed, or an encrypted file was replaced with a plain one
 */
export async function readStored(ctx: Ctx, file: StoredBytes): Promise<Uint8Array | null> {
  const stored = await ctx.integrations.storage.get(file.storageKey);
  if (!stored) return null;
  if (areSealed(stored)) {
    // The job may have encrypted it since the row was read.
    const dataKey =
      file.dataKey ??
      (
        await ctx.db
          .select({ key: opened(files.dataKey) })
          .from(files)
          .where(eq(files.id, file.id))
      )[0]?.key;
    if (dataKey) return openBytes(stored, dataKey, file.storageKey);
  }
  if (file.sealed) throw new Error(`the stored bytes of ${file.storageKey} are not what was sealed`);
  return stored;
}

/** Stores the bytes of a new file. @returns the columns of its row */
export async function putSealed(
  storage: FileStore,
  file: { id: string; storageKey: string; name: string; bytes: Uint8Array },
  keys?: readonly [string, ...string[]],
) {
  const dataKey = newDataKey();
  await storage.put(file.storageKey, sealBytes(file.bytes, dataKey, file.storageKey), SEALED_TYPE);
  return {
    id: file.id,
    storageKey: file.storageKey,
    byteSize: file.bytes.byteLength,
    originalName: sealed(files.originalName, file.id, file.name, keys),
    dataKey: sealed(files.dataKey, file.id, dataKey, keys),
    sealed: true,
  };
}

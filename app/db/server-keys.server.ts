import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { env } from "#app/runtime/env.server.ts";
import type { Db } from "./client.server.ts";
import { serverKeys } from "./schema/index.ts";
import { open, sealed } from "./sealed.server.ts";

type Keys = readonly [string, ...string[]];

/**
 * Returns the random key of this name, created at the first call. A rotation of ENCRYPTION_KEY encrypts the same key again, so
 * hashes made with it stay valid.
 * @param keys default: this server's. Other keys: those of another database
 * @throws when no key of the list decrypts it
 */
export async function serverKey(db: Db, name: string, keys: Keys = env().encryptionKeys): Promise<string> {
  const read = () => db.select({ key: serverKeys.key }).from(serverKeys).where(eq(serverKeys.name, name));
  let [row] = await read();
  if (!row) {
    const key = sealed(serverKeys.key, name, randomBytes(32).toString("base64url"), keys);
    // Two processes may create it at once: the first one is used.
    await db.insert(serverKeys).values({ name, key }).onConflictDoNothing();
    [row] = await read();
  }
  if (!row) throw new Error(`the key ${name} cannot be created`);
  return open(serverKeys.key, name, row.key, keys);
}

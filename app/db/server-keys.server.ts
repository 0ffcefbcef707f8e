import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { env } from "#app/env.server.ts";
import type { Db } from "./client.server.ts";
import { serverKeys } from "./schema/index.ts";
import { open, sealed } from "./sealed.server.ts";

type Keys = readonly [string, ...string[]];

/**
 * Returns the random key of that name and creates it at the first call. A rotation of ENCRYPTION_KEY seals it again and
 * leaves the key itself as it is, so hashes made with it stay valid.
 * @param keys other than this server's, for a database that is filled from outside
 * @throws when no key of the list opens it
 */
export async function serverKey(db: Db, name: string, keys: Keys = env().encryptionKeys): Promise<string> {
  const read = () => db.select({ key: serverKeys.key }).from(serverKeys).where(eq(serverKeys.name, name));
  let [row] = await read();
  if (!row) {
    const key = sealed(serverKeys.key, name, randomBytes(32).toString("base64url"), keys);
    // Two processes may create it at once: the first one wins.
    await db.insert(serverKeys).values({ name, key }).onConflictDoNothing();
    [row] = await read();
  }
  if (!row) throw new Error(`the key ${name} cannot be created`);
  return open(serverKeys.key, name, row.key, keys);
}

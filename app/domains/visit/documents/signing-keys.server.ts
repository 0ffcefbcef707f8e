import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import type { Db } from "#app/db/client.server.ts";
import { serverKey } from "#app/db/server-keys.server.ts";
import { forgetWith } from "#app/lib/of-start.ts";
import { env } from "#app/runtime/env.server.ts";

/** DER before the 32 bytes of an Ed25519 private key (RFC 8410). */
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");

/** A key pair and the id that is stored with each signature. */
type SigningKey = { id: string; privateKey: KeyObject; publicKey: KeyObject };

const known = new Map<string, SigningKey>();
/** Derives the Ed25519 key pair of a secret. */
function signingKeyOf(secret: string): SigningKey {
  let key = known.get(secret);
  if (!key) {
    const seed = createHash("sha256").update(`nadi|sign|${secret}`).digest();
    const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: "der", type: "pkcs8" });
    const publicKey = createPublicKey(privateKey);
    const id = createHash("sha256")
      .update(publicKey.export({ format: "der", type: "spki" }))
      .digest("hex")
      .slice(0, 16);
    key = { id, privateKey, publicKey };
    known.set(secret, key);
  }
  return key;
}

let stored: string | undefined;
forgetWith(() => {
  stored = undefined;
});
/** The random key of this installation, which signs when SIGNING_KEYS is empty. A rotation of ENCRYPTION_KEY leaves it as it is. */
async function storedSecret(db: Db): Promise<string> {
  stored ??= await serverKey(db, "signing");
  return stored;
}

/** Signs a text with the first key. `keys`: default SIGNING_KEYS. `encryptionKeys`: those of another database, whose own random key signs. */
export async function signText(
  db: Db,
  text: string,
  keys = env().signingKeys,
  encryptionKeys?: readonly [string, ...string[]],
): Promise<{ keyId: string; signature: string }> {
  const secret = encryptionKeys ? await serverKey(db, "signing", encryptionKeys) : (keys[0] ?? (await storedSecret(db)));
  const { id, privateKey } = signingKeyOf(secret);
  return { keyId: id, signature: sign(null, Buffer.from(text), privateKey).toString("base64url") };
}

/** True when the key of this id, which the server still has, signed the text. */
export async function isSignedText(
  db: Db,
  text: string,
  { keyId, signature }: { keyId: string; signature: string },
  keys = env().signingKeys,
): Promise<boolean> {
  const key = keys.map(signingKeyOf).find(({ id }) => id === keyId) ?? signingKeyOf(await storedSecret(db));
  return key.id === keyId && verify(null, Buffer.from(text), key.publicKey, Buffer.from(signature, "base64url"));
}

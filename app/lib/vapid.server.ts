/** Key pairs that sign web push messages (VAPID, RFC 8292): P-256, raw and base64url, as browsers and other servers write them. */
import { createECDH, createHash } from "node:crypto";

export type VapidPair = { publicKey: string; privateKey: string };

/** Returns the public key of a private key; null when it is none. */
export function vapidPublicKey(privateKey: string): string | null {
  const raw = Buffer.from(privateKey, "base64url");
  if (raw.length !== 32) return null;
  const ecdh = createECDH("prime256v1");
  try {
    ecdh.setPrivateKey(raw);
    return ecdh.getPublicKey("base64url");
  } catch {
    return null;
  }
}

/** Returns a new random pair. */
export function newVapidPair(): VapidPair {
  const ecdh = createECDH("prime256v1");
  const publicKey = ecdh.generateKeys("base64url");
  // Leading zeros are missing in getPrivateKey.
  return {
    publicKey,
    privateKey: Buffer.concat([Buffer.alloc(32), ecdh.getPrivateKey()])
      .subarray(-32)
      .toString("base64url"),
  };
}

/** Returns the pair that belongs to a secret: the same at each start, without a file of its own. */
export function vapidPairOf(secret: string): VapidPair {
  for (let n = 0; ; n++) {
    const privateKey = createHash("sha256").update(`nadi|vapid|${n}|${secret}`).digest("base64url");
    const publicKey = vapidPublicKey(privateKey);
    // Four of 2^34 hashes are no private key.
    if (publicKey) return { publicKey, privateKey };
  }
}

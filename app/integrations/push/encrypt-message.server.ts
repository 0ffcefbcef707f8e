/** Encrypts the body of a web push message (RFC 8291): aes128gcm (RFC 8188) with a key that only the browser can derive. */
import { createCipheriv, createECDH, ECDH, hkdfSync, randomBytes } from "node:crypto";
import type { PushAddress } from "./push.server.ts";

const CURVE = "prime256v1";
/** One record. Push services accept 4,096 bytes. */
const RECORD = 4096;
/** The content is padded to a multiple of this, so that its length does not reveal its kind. */
const BLOCK = 512;

const raw = (key: string) => Buffer.from(key, "base64url");
const hkdf = (salt: Uint8Array, key: Uint8Array, info: string | Uint8Array, length: number) =>
  Buffer.from(hkdfSync("sha256", key, salt, info, length));

/** Returns true for the keys of a browser: a point of P-256 and a secret of 16 bytes. */
export function areBrowserKeys({ p256dh, auth }: Pick<PushAddress, "p256dh" | "auth">): boolean {
  if (!/^[\w-]{87}=?$/.test(p256dh) || raw(p256dh)[0] !== 4 || raw(auth).length !== 16) return false;
  try {
    // Throws for a point that is not on the curve.
    ECDH.convertKey(raw(p256dh), CURVE, undefined, undefined, "compressed");
    return true;
  } catch {
    return false;
  }
}

type Fixed = { salt: Buffer; privateKey: Buffer; padding: number };

/** @param fixed the values of a test vector. Otherwise salt and key are random for each message, as RFC 8291 requires */
export function encryptMessage(content: string, { p256dh, auth }: Omit<PushAddress, "endpoint">, fixed?: Fixed): Buffer {
  const ecdh = createECDH(CURVE);
  if (fixed) ecdh.setPrivateKey(fixed.privateKey);
  else ecdh.generateKeys();
  const ours = ecdh.getPublicKey();
  const theirs = raw(p256dh);
  const salt = fixed?.salt ?? randomBytes(16);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), theirs, ours]);
  const secret = hkdf(raw(auth), ecdh.computeSecret(theirs), info, 32);
  const key = hkdf(salt, secret, "Content-Encoding: aes128gcm\0", 16);
  const nonce = hkdf(salt, secret, "Content-Encoding: nonce\0", 12);

  const text = Buffer.from(content);
  // 2 marks the last record. Zeros after it are padding.
  const padding = fixed?.padding ?? (BLOCK - ((text.length + 1) % BLOCK)) % BLOCK;
  const cipher = createCipheriv("aes-128-gcm", key, nonce);
  const sealed = [cipher.update(Buffer.concat([text, Buffer.of(2), Buffer.alloc(padding)])), cipher.final(), cipher.getAuthTag()];
  const size = Buffer.alloc(4);
  size.writeUInt32BE(RECORD);
  return Buffer.concat([salt, size, Buffer.of(ours.length), ours, ...sealed]);
}

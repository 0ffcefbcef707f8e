/**
 * A push service that listens on this machine, as those of browser makers: verifies the signature (RFC 8292), and decrypts each
 * message as the browser does (RFC 8291, RFC 8188). It shares no code with the product. It can misbehave.
 */
import { createDecipheriv, createECDH, createHmac, createPublicKey, type ECDH, randomBytes, verify } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Delivered = { path: string; headers: IncomingHttpHeaders; text: string; bytes: number };
type Keys = { ecdh: ECDH; auth: Buffer };

const hkdf = (salt: Uint8Array, key: Uint8Array, info: Uint8Array, length: number) => {
  const prk = createHmac("sha256", salt).update(key).digest();
  return createHmac("sha256", prk)
    .update(Buffer.concat([info, Buffer.of(1)]))
    .digest()
    .subarray(0, length);
};

/** Decrypts a body with one record. @throws when it is none */
export function decryptPush(body: Buffer, { ecdh, auth }: Keys): string {
  const salt = body.subarray(0, 16);
  const idLength = body[20]!;
  const sender = body.subarray(21, 21 + idLength);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), ecdh.getPublicKey(), sender]);
  const secret = hkdf(auth, ecdh.computeSecret(sender), info, 32);
  const key = hkdf(salt, secret, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = hkdf(salt, secret, Buffer.from("Content-Encoding: nonce\0"), 12);
  const sealed = body.subarray(21 + idLength);
  if (sealed.length > body.readUInt32BE(16)) throw new Error("longer than its record");
  const decipher = createDecipheriv("aes-128-gcm", key, nonce, { authTagLength: 16 });
  decipher.setAuthTag(sealed.subarray(-16));
  const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  const end = plain.findLastIndex((byte) => byte !== 0);
  if (plain[end] !== 2) throw new Error("no end of the last record");
  return plain.subarray(0, end).toString();
}

/** @throws when the header is not signed for this service */
function checkVapid(header: string, origin: string): void {
  const [, token, key] = /^vapid t=([\w-]+\.[\w-]+\.[\w-]+), k=([\w-]{87})$/.exec(header) ?? [];
  if (!token || !key) throw new Error("no vapid header");
  const [head, claims, signature] = token.split(".") as [string, string, string];
  const point = Buffer.from(key, "base64url");
  const jwk = { kty: "EC", crv: "P-256", x: point.subarray(1, 33).toString("base64url"), y: point.subarray(33).toString("base64url") };
  const publicKey = createPublicKey({ key: jwk, format: "jwk" });
  const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString());
  const signed = Buffer.from(`${head}.${claims}`);
  if (!verify("sha256", signed, { key: publicKey, dsaEncoding: "ieee-p1363" }, Buffer.from(signature, "base64url")))
    throw new Error("wrong signature");
  const { aud, exp, sub } = read(claims);
  if (read(head).alg !== "ES256" || aud !== origin || !/^(mailto:|https:)/.test(sub)) throw new Error("wrong claims");
  const left = exp - Date.now() / 1000;
  if (left < 0 || left > 86_400) throw new Error("wrong end");
}

/** A status; with `retryAfter` seconds; or a function that answers, or does not. */
type Reply = number | { status: number; retryAfter: string } | ((response: ServerResponse) => void);

export type PushService = Awaited<ReturnType<typeof startPushService>>;

/** Starts a service that responds 201, until `replies` has other replies: for the next messages, or all to one path. */
export async function startPushService() {
  const keys = new Map<string, Keys>();
  const service = {
    origin: "",
    /** What browsers got: decrypted. */
    delivered: [] as Delivered[],
    /** Messages that were wrong. */
    faults: [] as string[],
    /** What to respond instead of 201, by path. */
    replies: new Map<string, Reply>(),
    /** Every path that was called. */
    calls: [] as string[],
    /** Subscribes a browser. */
    subscribe(): { endpoint: string; p256dh: string; auth: string; path: string } {
      const path = `/wp/${randomBytes(12).toString("hex")}`;
      const ecdh = createECDH("prime256v1");
      const p256dh = ecdh.generateKeys("base64url");
      const auth = randomBytes(16);
      keys.set(path, { ecdh, auth });
      return { endpoint: service.origin + path, p256dh, auth: auth.toString("base64url"), path };
    },
    close: () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
  const server = createServer((request, response) => {
    const path = request.url!;
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      service.calls.push(path);
      const body = Buffer.concat(chunks);
      let text: string;
      try {
        checkVapid(request.headers.authorization ?? "", service.origin);
        if (request.headers["content-encoding"] !== "aes128gcm" || body.length > 4096) throw new Error("wrong encoding or size");
        text = decryptPush(body, keys.get(path)!);
      } catch (error) {
        service.faults.push(String(error));
        response.writeHead(400).end();
        return;
      }
      const reply = service.replies.get(path) ?? 201;
      if (typeof reply === "function") return reply(response);
      const { status, retryAfter } = typeof reply === "number" ? { status: reply, retryAfter: "" } : reply;
      if (status < 300) service.delivered.push({ path, headers: request.headers, text, bytes: body.length });
      response.writeHead(status, { ...(retryAfter && { "retry-after": retryAfter }), location: `${service.origin}/other` }).end();
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  service.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return service;
}

import { sign } from "node:crypto";
import { hours } from "#app/lib/durations.ts";
import type { VapidPair } from "#app/lib/vapid.server.ts";
import { readClock } from "#app/runtime/clock.server.ts";
import type { PublicPoster } from "../public-http/post-public.server.ts";
import { encryptMessage } from "./encrypt-message.server.ts";
import type { PushOutcome, PushSender } from "./push.server.ts";

/** RFC 8292: at most a day. */
const TOKEN_LIFE = hours(12);

const part = (json: object) => Buffer.from(JSON.stringify(json)).toString("base64url");

/** Returns the Authorization header of VAPID (RFC 8292) for the origin of a push service. */
function vapidHeader(origin: string, { publicKey, privateKey, subject }: VapidPair & { subject: string }): string {
  const point = Buffer.from(publicKey, "base64url");
  const key = {
    kty: "EC",
    crv: "P-256",
    d: privateKey,
    x: point.subarray(1, 33).toString("base64url"),
    y: point.subarray(33).toString("base64url"),
  };
  const expires = Math.floor((readClock().getTime() + TOKEN_LIFE) / 1000);
  const claims = `${part({ typ: "JWT", alg: "ES256" })}.${part({ aud: origin, exp: expires, sub: subject })}`;
  const signature = sign("sha256", Buffer.from(claims), { key, format: "jwk", dsaEncoding: "ieee-p1363" });
  return `vapid t=${claims}.${signature.toString("base64url")}, k=${publicKey}`;
}

/** Sends messages to the push services of browsers, in the format of RFC 8030 and RFC 8291. */
export const webPush = (keys: VapidPair & { subject: string }, post: PublicPoster): PushSender => ({
  async send({ to, content, ttl, urgency, topic }): Promise<PushOutcome> {
    const result = await post(
      to.endpoint,
      {
        authorization: vapidHeader(new URL(to.endpoint).origin, keys),
        "content-type": "application/octet-stream",
        "content-encoding": "aes128gcm",
        ttl: String(ttl),
        urgency,
        topic,
      },
      encryptMessage(content, to),
    );
    if ("failure" in result)
      return result.failure === "address" ? { state: "refused", why: "address" } : { state: "later", why: result.failure };
    const { status, retryAfter } = result;
    if (status >= 200 && status < 300) return { state: "sent" };
    if (status === 404 || status === 410) return { state: "gone" };
    if (status === 429 || status >= 500)
      return { state: "later", why: String(status), ...(retryAfter !== undefined && { seconds: retryAfter }) };
    // 413 too large, 400 and 403 a key that does not fit, 3xx a redirect.
    return { state: "refused", why: String(status) };
  },
});

import { createHmac, randomBytes } from "node:crypto";

const PREFIX = "whsec_";

/** Returns a new secret of Standard Webhooks: 256 random bits. */
export const newSecret = () => PREFIX + randomBytes(32).toString("base64");

/**
 * Returns the headers that Standard Webhooks adds to a message.
 * @param secrets the current one, and the previous one while both are valid: the receiver accepts either
 */
export function signedHeaders(message: { id: string; at: Date; body: string }, secrets: readonly string[]): Record<string, string> {
  const timestamp = Math.floor(message.at.getTime() / 1000).toString();
  const content = `${message.id}.${timestamp}.${message.body}`;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(content).digest("base64")}`;
  });
  return { "webhook-id": message.id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}

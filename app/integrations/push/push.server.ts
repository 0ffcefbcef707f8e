/** What a browser's push service needs to deliver a message: its address and the browser's keys (base64url). */
export type PushAddress = { endpoint: string; p256dh: string; auth: string };

type PushMessage = {
  to: PushAddress;
  /** Encrypted for the browser. At most 3,900 bytes. */
  content: string;
  /** Seconds that the push service stores the message while the device is offline. */
  ttl: number;
  /** `high` wakes a device that saves power. */
  urgency: "normal" | "high";
  /** A later message of the same topic replaces one that was not delivered yet. At most 32 characters of base64url. */
  topic: string;
};

/**
 * `gone`: the subscription ended, so delete it. `refused`: this message never succeeds. `later`: try again, after
 * `seconds` when the push service named a time.
 */
export type PushOutcome =
  | { state: "sent" }
  | { state: "gone" }
  | { state: "refused"; why: string }
  | { state: "later"; why: string; seconds?: number };

export type PushSender = { send(message: PushMessage): Promise<PushOutcome> };

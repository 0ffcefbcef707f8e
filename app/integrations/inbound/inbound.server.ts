import { createHmac } from "node:crypto";
import { z } from "zod";
import { DomainError } from "#app/lib/domain-error.ts";
import { minutes } from "#app/lib/durations.ts";
import { sameSecret } from "#app/lib/ids.server.ts";
import type { MessageChannel, MessageState } from "#app/lib/vocabulary.ts";

/**
 * A message or a missed call, as its provider reports it. `sentAt`: null where the provider gives no time. `userId`: the provider's id of a sender
 * whose number (`from`) it does not say.
 */
export type Inbound = {
  providerId: string;
  channel: MessageChannel;
  from: string;
  userId?: string;
  kind: "text" | "call";
  text: string;
  pressed?: string;
  sentAt: Date | null;
};
/** What a provider reports about a message of ours. `messageId`: our own id of it, where the provider repeats it. */
export type Delivery = {
  kind: "delivery";
  providerId: string;
  messageId: string | null;
  state: Extract<MessageState, "sent" | "delivered" | "read" | "failed">;
};
/** `url`: the public address of the webhook, `query`: its parameters. `raw`: the bytes of the body, which a signature is over. */
export type WebhookRequest = { raw: Uint8Array; headers: Headers; url: string; query: URLSearchParams; now: Date };
export type InboundSource = {
  /** Reads a webhook of the provider. @throws DomainError("forbidden") for a wrong signature, "invalid" for another body */
  read(request: WebhookRequest): (Inbound | Delivery)[];
  /** Returns the answer to the request with which the provider checks the address. @throws DomainError("forbidden") */
  confirm?(query: URLSearchParams): string;
  /** Bytes of the longest webhook. Default: those of one message. */
  mostBytes?: number;
};

export const forbidden = () => new DomainError("forbidden");
export const invalid = () => new DomainError("invalid");

const text = (raw: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(raw);
  } catch {
    throw invalid();
  }
};
export const json = (raw: Uint8Array): unknown => {
  const body = text(raw);
  try {
    return JSON.parse(body);
  } catch {
    throw invalid();
  }
};

const Sms = z.object({ MessageSid: z.string().regex(/^[A-Z]{2}[0-9a-f]{32}$/), From: z.string().max(40), Body: z.string().max(5_000) });

/** SMS to a number of Twilio: a form, signed over the address and its sorted fields. An SMS that is reported again has the same id. */
export const twilioInbound = (authToken: string): InboundSource => ({
  read({ raw, headers, url }) {
    const fields = [...new URLSearchParams(text(raw))];
    const signed =
      url +
      fields
        .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
        .map(([name, value]) => name + value)
        .join("");
    const expected = createHmac("sha1", authToken).update(signed).digest("base64");
    if (!sameSecret(headers.get("x-twilio-signature") ?? "", expected)) throw forbidden();
    const sms = Sms.safeParse(Object.fromEntries(fields)).data;
    if (!sms) throw invalid();
    return [{ providerId: sms.MessageSid, channel: "sms", from: sms.From, kind: "text", text: sms.Body, sentAt: null }];
  },
});

const Msg91 = z.object({
  id: z.string().min(4).max(100),
  mobile: z.string().max(20),
  message: z.string().max(5_000),
  /** Seconds since 1970. */
  time: z.coerce.number().int().optional(),
});

/** SMS to a number of MSG91, whose webhook sends a header of ours instead of a signature. Its body is set in MSG91's panel (.env.example). */
export const msg91Inbound = (secret: string): InboundSource => ({
  read({ raw, headers }) {
    if (!sameSecret(headers.get("x-nadi-secret") ?? "", secret)) throw forbidden();
    const sms = Msg91.safeParse(json(raw)).data;
    if (!sms) throw invalid();
    const sentAt = sms.time === undefined ? null : new Date(sms.time * 1000);
    return [{ providerId: sms.id, channel: "sms", from: sms.mobile, kind: "text", text: sms.message, sentAt }];
  },
});

const Call = z.object({
  id: z.string().min(4).max(100),
  caller: z.string().max(20),
  time: z.coerce.number().int().optional(),
  key: z
    .string()
    .regex(/^[0-9]$/)
    .optional(),
});
/** A signed message is accepted this long. */
const SIGNED_FOR = minutes(5);

/**
 * A missed call, or a key pressed in a call: JSON, with a header "t=seconds,v1=hex" whose HMAC-SHA256 is over "seconds.body". An old one is
 * refused, so that it cannot be played back.
 */
export const missedCalls = (secret: string): InboundSource => ({
  read({ raw, headers, now }) {
    const [, seconds = "", given = ""] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(headers.get("x-nadi-signature") ?? "") ?? [];
    const expected = createHmac("sha256", secret).update(`${seconds}.`).update(raw).digest("hex");
    if (!sameSecret(given, expected) || Math.abs(now.getTime() - Number(seconds) * 1000) > SIGNED_FOR) throw forbidden();
    const call = Call.safeParse(json(raw)).data;
    if (!call) throw invalid();
    const sentAt = call.time === undefined ? null : new Date(call.time * 1000);
    return [
      { providerId: call.id, channel: "sms", from: call.caller, kind: "call", text: "", ...(call.key && { pressed: call.key }), sentAt },
    ];
  },
});

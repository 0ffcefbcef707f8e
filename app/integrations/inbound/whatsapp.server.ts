import { createHmac } from "node:crypto";
import { z } from "zod";
import { days } from "#app/lib/durations.ts";
import { isUuid, sameSecret } from "#app/lib/ids.server.ts";
import { type Delivery, forbidden, type Inbound, type InboundSource, invalid, json } from "./inbound.server.ts";

/** Meta sends up to this many bytes at once. */
const MOST_BYTES = 3 * 1024 * 1024;
/** Meta tries to report a message for seven days. An older one is played back: its row may be deleted by now. */
const OLDEST = days(8);

const Report = z.object({
  object: z.literal("whatsapp_business_account"),
  entry: z.array(z.object({ changes: z.array(z.object({ field: z.string(), value: z.unknown() })) })),
});
/** Each message and status is read by itself: one that is unknown does not hold up the others. */
const Messages = z.object({
  metadata: z.object({ phone_number_id: z.string() }),
  messages: z.array(z.unknown()).default([]),
  statuses: z.array(z.unknown()).default([]),
});

const Pressed = z.object({ id: z.string(), title: z.string() });
const Captioned = z.object({ caption: z.string().optional() }).optional();
const Message = z.object({
  id: z.string().min(4).max(200),
  from: z.string().max(20).default(""),
  /** Of a user who shows a name instead of a number. Another form does not matter where there is a number. */
  from_user_id: z
    .string()
    .regex(/^[A-Z]{2}\.[A-Za-z0-9.]{1,150}$/)
    .optional()
    .catch(undefined),
  timestamp: z.coerce.number().int(),
  type: z.string(),
  text: z.object({ body: z.string() }).optional(),
  interactive: z.object({ button_reply: Pressed.optional(), list_reply: Pressed.optional() }).optional(),
  /** The button of a template. */
  button: z.object({ payload: z.string().optional(), text: z.string() }).optional(),
  image: Captioned,
  video: Captioned,
  document: Captioned,
});
const Status = z.object({
  id: z.string().min(4).max(200),
  status: z.enum(["sent", "delivered", "read", "failed"]),
  biz_opaque_callback_data: z.string().optional(),
});

/** What stands for a message that is no text. Its file is not fetched. Other kinds, such as reactions, are not answered. */
const SIGNS: Record<string, string> = {
  image: "📷",
  video: "🎥",
  audio: "🎤",
  document: "📄",
  sticker: "🙂",
  location: "📍",
  contacts: "👤",
};

/** Returns what the user wrote or pressed. `pressed`: only a value of ours (messages/conversation/render.ts). null: nothing to answer. */
function saidIn(message: z.output<typeof Message>): { text: string; pressed?: string } | null {
  const { type, text, interactive, button } = message;
  const reply = interactive?.button_reply ?? interactive?.list_reply ?? (button && { id: button.payload ?? "", title: button.text });
  if (reply) return { text: reply.title, ...(/^\d{1,6}:\d{1,2}$/.test(reply.id) && { pressed: reply.id }) };
  if (text) return { text: text.body };
  const sign = SIGNS[type];
  return sign === undefined ? null : { text: (message.image ?? message.video ?? message.document)?.caption || sign };
}

function inboundOf(given: unknown, now: Date): Inbound | null {
  const message = Message.safeParse(given).data;
  const said = message && saidIn(message);
  if (!message || !said) return null;
  const sentAt = new Date(message.timestamp * 1000);
  if (now.getTime() - sentAt.getTime() > OLDEST) return null;
  const { id: providerId, from, from_user_id: userId } = message;
  return { providerId, channel: "whatsapp", from, ...(userId && { userId }), kind: "text", ...said, sentAt };
}

function deliveryOf(given: unknown): Delivery | null {
  const status = Status.safeParse(given).data;
  if (!status) return null;
  const { id, status: state, biz_opaque_callback_data: own } = status;
  return { kind: "delivery", providerId: id, messageId: isUuid(own) ? own : null, state };
}

/**
 * Messages to a number of Meta's WhatsApp Cloud API, and what became of ours. Meta signs the bytes of the body with the secret of the app. A
 * signed report of anything else, such as another number of the account, is taken and has nothing for us: Meta would repeat it for days.
 */
export const whatsAppInbound = (app: { phoneId: string; appSecret: string; verifyToken: string }): InboundSource => ({
  mostBytes: MOST_BYTES,
  read({ raw, headers, now }) {
    const expected = `sha256=${createHmac("sha256", app.appSecret).update(raw).digest("hex")}`;
    if (!sameSecret(headers.get("x-hub-signature-256") ?? "", expected)) throw forbidden();
    const report = Report.safeParse(json(raw)).data;
    if (!report) throw invalid();
    return report.entry
      .flatMap(({ changes }) => changes)
      .flatMap(({ field, value }) => {
        const read = field === "messages" ? Messages.safeParse(value).data : undefined;
        if (read?.metadata.phone_number_id !== app.phoneId) return [];
        return [...read.messages.map((one) => inboundOf(one, now)), ...read.statuses.map(deliveryOf)].filter((one) => one !== null);
      });
  },
  confirm(query) {
    const challenge = query.get("hub.challenge") ?? "";
    const isMeta = query.get("hub.mode") === "subscribe" && sameSecret(query.get("hub.verify_token") ?? "", app.verifyToken);
    if (!isMeta || !/^[\w-]{1,200}$/.test(challenge)) throw forbidden();
    return challenge;
  },
});

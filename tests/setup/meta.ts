/** A server that speaks the wire format of Meta's WhatsApp Cloud API, refuses what Meta refuses, and can misbehave. */
import { createHmac } from "node:crypto";
import { whatsAppInbound } from "#app/integrations/inbound/whatsapp.server.ts";
import { whatsAppCloud } from "#app/integrations/whatsapp/cloud.server.ts";
import { httpStub, type Reply } from "../mocks/http-stub.ts";

export const APP = {
  phoneId: "106540352242922",
  appSecret: "secret-of-the-app-for-tests-only",
  verifyToken: "word-for-the-address-of-the-test",
};
export const TOKEN = "token-of-the-system-user-for-tests";

type Sent = {
  to: string;
  /** Instead of `to`: Meta's id of a user without a number. */
  recipient?: string;
  type: "text" | "interactive" | "template";
  biz_opaque_callback_data: string;
  text?: { body: string };
  interactive?: {
    type: "button" | "list";
    body: { text: string };
    action: {
      button?: string;
      buttons?: { reply: { id: string; title: string } }[];
      sections?: { rows: { id: string; title: string; description?: string }[] }[];
    };
  };
  template?: { name: string; language: { code: string }; components: { type: string; parameters: Record<string, string>[] }[] };
};

/** Why Meta would refuse a message: longer than it allows, or with the same button twice. */
function wrongIn({ type, text, interactive, template }: Sent): string | null {
  const isLong = (value: string | undefined, most: number) => !value || value.length > most;
  if (type === "text") return isLong(text?.body, 4096) ? "text" : null;
  if (type === "template")
    return template?.components.some(({ parameters }) => JSON.stringify(parameters).includes("\\n")) ? "parameter" : null;
  const { buttons = [], sections = [], button } = interactive!.action;
  const rows = sections.flatMap((section) => section.rows);
  const choices = [...buttons.map(({ reply }) => reply), ...rows];
  if (isLong(interactive!.body.text, 1024)) return "body";
  if (buttons.length > 3 || rows.length > 10 || choices.length === 0) return "number of choices";
  if (choices.some(({ title }) => isLong(title, rows.length ? 24 : 20))) return "title";
  if (rows.some(({ description }) => (description?.length ?? 0) > 72) || (rows.length && isLong(button, 20))) return "row";
  return new Set(choices.map(({ id }) => id)).size < choices.length ? "two choices with the same id" : null;
}

/** How it answers the next messages; afterwards it accepts. `lost`: accepted, but its answer never arrives. */
export type Mood = "lost" | { status: number; code?: number; body?: string };

export async function startMeta(limit = 250) {
  const moods: Mood[] = [];
  const accepted: (Sent & { wamid: string })[] = [];
  const error = (status: number, code: number): Reply => ({
    status,
    body: JSON.stringify({ error: { message: `(#${code}) refused`, type: "OAuthException", code, fbtrace_id: "AbC" } }),
  });
  const stub = await httpStub(({ path, headers, body }): Reply => {
    const sent = JSON.parse(String(body)) as Sent;
    if (headers.authorization !== `Bearer ${TOKEN}`) return error(401, 190);
    if (path !== `/v24.0/${APP.phoneId}/messages`) return error(400, 100);
    if (wrongIn(sent)) return error(400, 131009);
    const mood = moods.shift();
    if (typeof mood === "object") return mood.code ? error(mood.status, mood.code) : { status: mood.status, body: mood.body ?? "<html>" };
    const wamid = `wamid.${Buffer.from(`out-${accepted.length}-${sent.biz_opaque_callback_data}`).toString("base64")}`;
    accepted.push({ ...sent, wamid });
    if (mood === "lost") return "hang";
    return {
      body: JSON.stringify({
        messaging_product: "whatsapp",
        contacts: [{ input: sent.to, wa_id: sent.to }],
        messages: [{ id: wamid, message_status: "accepted" }],
      }),
    };
  });
  return {
    moods,
    accepted,
    seen: stub.seen,
    sender: whatsAppCloud({ token: TOKEN, phoneId: APP.phoneId, baseUrl: stub.url }, limit),
    source: whatsAppInbound(APP),
    [Symbol.asyncDispose]: () => stub[Symbol.asyncDispose](),
  };
}

let ids = 0;
const seconds = (at: Date) => String(Math.floor(at.getTime() / 1000));
/** A message of a user as Meta reports it. */
export const wrote = (from: string, at: Date, content: object, id = `wamid.in-${++ids}`) => ({
  from: from.replace("+", ""),
  id,
  timestamp: seconds(at),
  ...content,
});
export const text = (body: string) => ({ type: "text", text: { body } });
export const pressed = (id: string, title: string, as: "button_reply" | "list_reply" = "button_reply") => ({
  type: "interactive",
  interactive: { type: as, [as]: { id, title } },
});
/** What became of a message of ours. */
export const status = ({ wamid, to, biz_opaque_callback_data }: Sent & { wamid: string }, state: string, at = new Date()) => ({
  id: wamid,
  status: state,
  timestamp: seconds(at),
  recipient_id: to,
  biz_opaque_callback_data,
  ...(state === "failed" && { errors: [{ code: 131026, title: "Message undeliverable" }] }),
});
/** A webhook with its signature over the bytes. */
export function signed(value: { messages?: object[]; statuses?: object[] }, { secret = APP.appSecret, phoneId = APP.phoneId } = {}) {
  const metadata = { display_phone_number: "15550783881", phone_number_id: phoneId };
  const change = { field: "messages", value: { messaging_product: "whatsapp", metadata, ...value } };
  return signedBody(JSON.stringify({ object: "whatsapp_business_account", entry: [{ id: "102290129340398", changes: [change] }] }), secret);
}
export function signedBody(body: string, secret = APP.appSecret) {
  const raw = new TextEncoder().encode(body);
  const signature = `sha256=${createHmac("sha256", secret).update(raw).digest("hex")}`;
  return { raw, headers: new Headers({ "content-type": "application/json", "x-hub-signature-256": signature }) };
}

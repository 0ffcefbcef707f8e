import { z } from "zod";
import { fitText } from "#app/lib/graphemes.ts";
import type { Language } from "#app/lib/language.ts";
import { unavailable } from "../failure.server.ts";
import { callJson } from "../http-call.server.ts";
import { LIST_BUTTON } from "./templates.ts";
import type { WhatsAppMessage, WhatsAppSender } from "./whatsapp.server.ts";

/** Meta serves a version for two years: https://developers.facebook.com/docs/graph-api/changelog */
const VERSION = "v24.0";
/** Meta refuses a message with a longer text. */
const LONGEST = { text: 4096, body: 1024, button: 20, row: 24, about: 72 };
const MOST = { buttons: 3, rows: 10 };
/** Codes of failures that pass: Meta is down (1, 2, 131000, 131016, 131057, 133004), or too much was sent (4, 80007, 130429, 131048, 131056). */
const PASSING = new Set([1, 2, 4, 80007, 130429, 131000, 131016, 131048, 131056, 131057, 133004]);

const Accepted = z.object({ messages: z.tuple([z.object({ id: z.string().min(1) })], z.unknown()) });
const Refused = z.object({ error: z.object({ code: z.number().int() }) });

/** Sends messages with Meta's WhatsApp Cloud API. */
export const whatsAppCloud = (
  { token, phoneId, baseUrl }: { token: string; phoneId: string; baseUrl: string },
  limit?: number,
): WhatsAppSender => ({
  async send(message) {
    const { status, json } = await callJson(
      "WhatsApp",
      `${baseUrl}/${VERSION}/${encodeURIComponent(phoneId)}/messages`,
      {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, accept: "application/json", "content-type": "application/json" },
        body: JSON.stringify({
          messaging_product: "whatsapp",
          recipient_type: "individual",
          ...(message.to.startsWith("+") ? { to: message.to.slice(1) } : { recipient: message.to }),
          // Comes back in each report, also when the answer to this request is lost.
          biz_opaque_callback_data: message.id,
          ...contentOf(message),
        }),
      },
      limit,
    );
    const id = Accepted.safeParse(json).data?.messages[0].id;
    if (status >= 200 && status <= 299 && id) return { id };
    const code = Refused.safeParse(json).data?.error.code;
    if (status < 400 || status === 429 || status > 499 || code === undefined || PASSING.has(code))
      throw unavailable("WhatsApp", `status ${status}${code === undefined ? "" : `, code ${code}`}`);
    return { refused: code };
  },
});

type Template = NonNullable<WhatsAppMessage["template"]>;
function contentOf({ body, choices, as, language, template }: WhatsAppMessage): object {
  if (template) return { type: "template", template: { name: template.name, ...filled(template, language, choices) } };
  if (as === "text") return { type: "text", text: { body: fitText(body, LONGEST.text), preview_url: false } };
  const text = { text: fitText(body, LONGEST.body) };
  const interactive =
    as === "buttons"
      ? { type: "button", body: text, action: { buttons: buttonsOf(choices) } }
      : {
          type: "list",
          body: text,
          action: { button: fitText(LIST_BUTTON[language], LONGEST.button), sections: [{ rows: rowsOf(choices) }] },
        };
  return { type: "interactive", interactive };
}

type Choices = WhatsAppMessage["choices"];
const filled = ({ variables }: Template, language: Language, choices: Choices) => ({
  language: { code: language },
  components: [
    { type: "body", parameters: variables.map(({ name, value }) => ({ type: "text", parameter_name: name, text: value })) },
    ...choices.map(({ value }, i) => ({
      ...{ type: "button", sub_type: "quick_reply", index: String(i) },
      parameters: [{ type: "payload", payload: value }],
    })),
  ],
});
const buttonsOf = (choices: Choices) =>
  choices
    .slice(0, MOST.buttons)
    .map(({ label, value }) => ({ type: "reply", reply: { id: value, title: fitText(label, LONGEST.button) } }));
const rowsOf = (choices: Choices) =>
  choices.slice(0, MOST.rows).map(({ label, value, about }) => ({
    ...{ id: value, title: fitText(label, LONGEST.row) },
    ...(about && { description: fitText(about, LONGEST.about) }),
  }));

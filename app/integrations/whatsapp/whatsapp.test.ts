/** Messages on the wire to Meta, and what Meta's answers lead to. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DomainError } from "#app/lib/domain-error.ts";
import { graphemesOf } from "#app/lib/graphemes.ts";
import { LANGUAGES } from "#app/lib/language.ts";
import { httpStub, type Reply } from "../../../tests/mocks/http-stub.ts";
import { APP, startMeta, TOKEN } from "../../../tests/setup/meta.ts";
import { CHOICES, REPLIES, type ReplyName } from "../sms/reply-templates.ts";
import { whatsAppCloud } from "./cloud.server.ts";
import { fillWhatsAppTemplate, LIST_BUTTON, WHATSAPP_TEMPLATES } from "./templates.ts";
import type { WhatsAppMessage } from "./whatsapp.server.ts";

let meta: Awaited<ReturnType<typeof startMeta>>;
beforeAll(async () => {
  meta = await startMeta();
});
afterAll(() => meta[Symbol.asyncDispose]());
beforeEach(() => {
  for (const list of [meta.moods, meta.accepted, meta.seen]) list.length = 0;
});

const OWN_ID = "7f1b3c52-0000-4000-8000-000000000001";
const message = (more: Partial<WhatsAppMessage> = {}): WhatsAppMessage => ({
  ...{ id: OWN_ID, to: "+914000000301", language: "en", body: "Which doctor?", choices: [], as: "text" },
  ...more,
});
const choices = (n: number, label = "Mon 30 Nov 10:00 am") =>
  Array.from({ length: n }, (_, i) => ({ label: `${label}`, value: `1:${i + 1}` }));

describe("wire format", () => {
  it("sends a text with our id, and returns Meta's", async () => {
    const sent = await meta.sender.send(message());
    expect(sent).toEqual({ id: meta.accepted[0]?.wamid });
    expect(JSON.parse(String(meta.seen[0]?.body))).toEqual({
      messaging_product: "whatsapp",
      recipient_type: "individual",
      to: "914000000301",
      biz_opaque_callback_data: OWN_ID,
      type: "text",
      text: { body: "Which doctor?", preview_url: false },
    });
  });
  it("sends at most three buttons", async () => {
    await meta.sender.send(message({ as: "buttons", choices: choices(4) }));
    expect(meta.accepted[0]?.interactive).toEqual({
      type: "button",
      body: { text: "Which doctor?" },
      action: { buttons: choices(3).map(({ label, value }) => ({ type: "reply", reply: { id: value, title: label } })) },
    });
  });
  it("sends at most ten rows, with a word that opens them", async () => {
    const rows = choices(12, "Dr. Padma Kumari").map((row) => ({ ...row, about: "Smile Dental" }));
    await meta.sender.send(message({ as: "list", choices: rows, language: "te" }));
    expect(meta.accepted[0]?.interactive?.action).toEqual({
      button: LIST_BUTTON.te,
      sections: [{ rows: rows.slice(0, 10).map(({ label, value, about }) => ({ id: value, title: label, description: about })) }],
    });
  });
  it("cuts to Meta's lengths, between what a reader sees as characters", async () => {
    const long = "క్ష్మీ".repeat(400);
    for (const as of ["text", "buttons", "list"] as const)
      await meta.sender.send(
        message({ as, body: long.repeat(3), choices: choices(as === "text" ? 0 : 3, long).map((one) => ({ ...one, about: long })) }),
      );
    expect(meta.accepted.map(({ type }) => type)).toEqual(["text", "interactive", "interactive"]);
    const [row] = meta.accepted[2]!.interactive!.action.sections![0]!.rows;
    for (const cut of [row!.title, row!.description!]) expect(graphemesOf(long).join("").startsWith(cut)).toBe(true);
    expect(graphemesOf(row!.title).every((one) => graphemesOf(long).includes(one))).toBe(true);
  });
  it("sends an approved text with its variables and the values of its buttons", async () => {
    const variables = { at: "Mon 30 Nov\n10:00 am", doctor: "Dr. Venkat Rao", place: "Labbipet" };
    const filled = fillWhatsAppTemplate("reminder", "hi", { variables, choices: choices(3) })!;
    await meta.sender.send(message({ language: "hi", ...filled }));
    expect(meta.accepted[0]?.template).toEqual({
      name: "nadi_reminder",
      language: { code: "hi" },
      components: [
        {
          type: "body",
          parameters: [
            { type: "text", parameter_name: "at", text: "Mon 30 Nov 10:00 am" },
            { type: "text", parameter_name: "doctor", text: "Dr. Venkat Rao" },
            { type: "text", parameter_name: "place", text: "Labbipet" },
          ],
        },
        ...["1:1", "1:2", "1:3"].map((payload, i) => ({
          ...{ type: "button", sub_type: "quick_reply", index: String(i) },
          parameters: [{ type: "payload", payload }],
        })),
      ],
    });
  });
});

describe("failures", () => {
  const refusal = async (reply: Reply): Promise<string> => {
    await using stub = await httpStub(() => reply);
    const sender = whatsAppCloud({ token: TOKEN, phoneId: APP.phoneId, baseUrl: stub.url }, 250);
    const error = await sender.send(message({ body: "482916" })).then(
      () => null,
      (e: unknown) => e,
    );
    expect(error).toBeInstanceOf(DomainError);
    expect(stub.seen).toHaveLength(1);
    const shown = JSON.stringify([String(error), String((error as DomainError).cause), (error as Error).stack]);
    for (const secret of [TOKEN, "482916", "4000000301"]) expect(shown).not.toContain(secret);
    return (error as DomainError).code;
  };
  const errorOf = (code: number) => JSON.stringify({ error: { message: "to 914000000301: 482916", code } });
  it.each<[string, Reply]>([
    ["Meta is down", { status: 500, body: errorOf(131000) }],
    ["Meta is down without JSON", { status: 503, body: "<html>" }],
    ["too many messages", { status: 429, body: errorOf(130429) }],
    ["too many to one number", { status: 400, body: errorOf(131056) }],
    ["an answer of another kind", { body: "[1]" }],
    ["an accepted message without id", { body: JSON.stringify({ messages: [] }) }],
    ["a refusal without code", { status: 400, body: "{}" }],
    ["a redirect", { status: 302, headers: { location: "http://127.0.0.1:1/" } }],
    ["a closed line", "drop"],
    ["no answer", "hang"],
  ])("is sent again later: %s", async (_, reply) => expect(await refusal(reply)).toBe("unavailable"));
  it.each([
    ["no number of WhatsApp", 400, 131026],
    ["more than 24 hours after the user wrote", 400, 131047],
    ["a template that is not approved", 404, 132001],
    ["a token that ended", 401, 190],
    ["an account that is blocked", 403, 368],
  ])("is refused for good: %s", async (_, code, number) => {
    meta.moods.push({ status: code, code: number });
    expect(await meta.sender.send(message())).toEqual({ refused: number });
  });
});

describe("approved texts", () => {
  const ALL = Object.entries(WHATSAPP_TEMPLATES).flatMap(([of, template]) =>
    LANGUAGES.map((language) => ({ of: of.replace("-late", "") as ReplyName, language, ...template, text: template.texts[language] })),
  );
  it("have the variables of the reply for which they stand, in each language", () => {
    const names = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).toSorted();
    for (const { of, language, text } of ALL) expect(names(text), text).toEqual(names(REPLIES[of][language].text));
  });
  it("are as Meta approves them", () => {
    for (const { language, text, buttons } of ALL) {
      expect(text).not.toMatch(/^\{|\}[\s.।]*$|\}\s*\{/u);
      expect(text.length).toBeLessThan(550);
      // Meta refuses a text with fewer than twice as many words as variables, and one more.
      const fixed = text
        .replace(/\{\w+\}/g, "")
        .split(/\s+/)
        .filter((word) => /\p{L}/u.test(word));
      expect(fixed.length, text).toBeGreaterThanOrEqual(7);
      for (const word of buttons) expect(CHOICES[word][language].length).toBeLessThanOrEqual(20);
    }
  });
  it("have one of their own for a reminder after which nothing can be changed", () => {
    const variables = { at: "Mon 30 Nov 10:00 am", doctor: "Dr. Rao", place: "Clinic" };
    expect(fillWhatsAppTemplate("reminder", "en", { variables, choices: choices(1) })?.template.name).toBe("nadi_reminder_late");
  });
  it("stand for no reply whose choices differ", () => {
    expect(fillWhatsAppTemplate("offer", "en", { variables: {}, choices: choices(3) })).toBeNull();
    expect(fillWhatsAppTemplate("menu", "en", { variables: {}, choices: [] })).toBeNull();
  });
});

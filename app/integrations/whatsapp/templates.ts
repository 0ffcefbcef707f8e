/**
 * The texts that Meta approves: WhatsApp allows no others more than 24 hours after the last message of a user (docs/operations.md). Change one
 * only together with its approval. `{name}` is a variable: a text neither begins nor ends with one. No text has a health word.
 */
import { CHOICES, type ReplyName } from "#app/integrations/sms/reply-templates.ts";
import type { Language } from "#app/lib/language.ts";
import type { WhatsAppMessage } from "./whatsapp.server.ts";

type Template = { name: string; texts: Record<Language, string>; buttons: (keyof typeof CHOICES)[] };

/** By the reply that it stands for. The words of its buttons are those of CHOICES. `reminder-late`: when it is too late to cancel or move. */
export const WHATSAPP_TEMPLATES: Partial<Record<ReplyName | "reminder-late", Template>> = {
  reminder: {
    name: "nadi_reminder",
    texts: {
      en: "Nadi reminds you of your appointment on {at} with {doctor}, {place}. Please press an answer below, or write to us here.",
      te: "నాడి గుర్తు చేస్తోంది: {at} కి {doctor} వద్ద ({place}) మీ అపాయింట్‌మెంట్ ఉంది. దయచేసి కింద ఒక జవాబు నొక్కండి, లేదా ఇక్కడ రాయండి.",
      hi: "नाड़ी याद दिलाता है: {at} को {doctor} ({place}) के साथ आपका अपॉइंटमेंट है। कृपया नीचे एक जवाब दबाएँ, या यहाँ लिखें।",
    },
    buttons: ["come", "cancel", "move"],
  },
  "reminder-late": {
    name: "nadi_reminder_late",
    texts: {
      en: "Nadi reminds you of your appointment on {at} with {doctor}, {place}. Please press the button below if you come, or write to us here.",
      te: "నాడి గుర్తు చేస్తోంది: {at} కి {doctor} వద్ద ({place}) మీ అపాయింట్‌మెంట్ ఉంది. వస్తుంటే కింద బటన్ నొక్కండి, లేదా ఇక్కడ రాయండి.",
      hi: "नाड़ी याद दिलाता है: {at} को {doctor} ({place}) के साथ आपका अपॉइंटमेंट है। आ रहे हैं तो नीचे बटन दबाएँ, या यहाँ लिखें।",
    },
    buttons: ["come"],
  },
  offer: {
    name: "nadi_offer",
    texts: {
      en: "A time that you wait for is free with {doctor} on {at}. It is kept for you until {other}. Please press an answer below.",
      te: "మీరు ఎదురుచూసిన సమయం ఖాళీ అయింది: {doctor}, {at}. ఇది {other} వరకు మీ కోసం ఉంచాము. దయచేసి కింద ఒక జవాబు నొక్కండి.",
      hi: "जिस समय का आप इंतज़ार कर रहे थे वह खाली हुआ है: {doctor}, {at}। यह {other} तक आपके लिए रखा है। कृपया नीचे एक जवाब दबाएँ।",
    },
    buttons: ["take", "pass"],
  },
};

/** The words that open a list. */
export const LIST_BUTTON: Record<Language, string> = { en: "Choose", te: "ఎంచుకోండి", hi: "चुनें" };

type Choice = WhatsAppMessage["choices"][number];
/** Returns the approved message that stands for a reply, with the values of its choices. null: it has none. */
export function fillWhatsAppTemplate(
  of: ReplyName,
  language: Language,
  { variables, choices }: { variables: Record<string, string>; choices: Choice[] },
): (Pick<WhatsAppMessage, "body" | "choices" | "as"> & Required<Pick<WhatsAppMessage, "template">>) | null {
  const known = [WHATSAPP_TEMPLATES[of], of === "reminder" ? WHATSAPP_TEMPLATES["reminder-late"] : undefined].find(
    (one) => one?.buttons.length === choices.length,
  );
  if (!known) return null;
  const text = known.texts[language];
  const used = [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => {
    const value = variables[name];
    if (!value) throw new Error(`template ${known.name} has no ${name}`);
    // Meta refuses line breaks in a value.
    return { name, value: value.replace(/\s+/g, " ") };
  });
  return {
    body: used.reduce((filled, { name, value }) => filled.replace(`{${name}}`, () => value), text),
    choices: choices.map(({ value }, i) => ({ value, label: CHOICES[known.buttons[i]!][language] })),
    as: "buttons",
    template: { name: known.name, variables: used },
  };
}

/**
 * Every text message of the product. In India each is registered on a DLT platform before it may be sent, word for
 * word: change a text here only together with its registration. `dltId` and `msg91TemplateId` are what a registration
 * returns. The ones below are placeholders: put in your own before SMS_PROVIDER is anything but `outbox`.
 */
import type { SmsMessage } from "./sms.server.ts";

type Template = {
  /** The id of the registered text, 19 digits. */
  dltId: string;
  /** The six letters a phone shows as sender. */
  header: string;
  /** The id of the same text at MSG91. */
  msg91TemplateId: string;
  /** `{#name#}` marks a variable. */
  text: string;
  /** The longest value of each variable. DLT allows 30 characters; `host` never changes and is registered written out. */
  limits: Record<string, number>;
};

export const SMS_TEMPLATES = {
  code: {
    dltId: "0000000000000000000",
    header: "NADIIN",
    msg91TemplateId: "nadi-code",
    // The last line lets a phone fill in the code on our own site only (WebOTP).
    text: "{#code#} is your Nadi code. It is valid for {#minutes#} minutes. Never tell it to anyone, not even to us.\n\n@{#host#} #{#code#}",
    limits: { code: 6, minutes: 2, host: 253 },
  },
  decision: {
    dltId: "0000000000000000000",
    header: "NADIIN",
    msg91TemplateId: "nadi-decision",
    text: "Nadi: {#title#}. Please log in at {#host#} to read more.",
    limits: { title: 30, host: 30 },
  },
  reminder: {
    dltId: "0000000000000000000",
    header: "NADIIN",
    msg91TemplateId: "nadi-reminder",
    text: "Nadi: your appointment is on {#date#} at {#time#}. Please log in at {#host#} to read more.",
    limits: { date: 30, time: 30, host: 30 },
  },
} as const satisfies Record<string, Template>;
export type TemplateName = keyof typeof SMS_TEMPLATES;

/** A message of a template. @throws when a variable is missing, unknown or longer than registered. */
export function fillTemplate(to: string, template: TemplateName, variables: Record<string, string>): SmsMessage {
  const { text, limits }: Template = SMS_TEMPLATES[template];
  for (const name of new Set([...Object.keys(limits), ...Object.keys(variables)])) {
    const limit = limits[name];
    const value = variables[name];
    if (limit === undefined || !value || value.length > limit)
      throw new Error(`SMS template "${template}": variable "${name}" does not fit`);
  }
  return { to, template, variables, body: text.replace(/\{#(\w+)#\}/g, (_, name: string) => variables[name]!) };
}

/** The one-time code. `host` is the host name of APP_URL. */
export function codeMessage(input: { to: string; code: string; minutes: number; host: string }): SmsMessage {
  return fillTemplate(input.to, "code", { code: input.code, minutes: String(input.minutes), host: input.host });
}

/** That there is news, and nothing of it. */
export function decisionMessage(input: { to: string; title: string; host: string }): SmsMessage {
  return fillTemplate(input.to, "decision", { title: input.title, host: input.host });
}

/** When the visit is; not with whom, because an SMS can be read by others. */
export function reminderMessage(input: { to: string; date: string; time: string; host: string }): SmsMessage {
  return fillTemplate(input.to, "reminder", { date: input.date, time: input.time, host: input.host });
}

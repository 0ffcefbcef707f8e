/**
 * SMS templates in each language. Indian law requires the registration of each text on a DLT platform: change a text only
 * together with its registration. MSG91_TEMPLATE_IDS (.env.example) has the MSG91 id, DLT id and sender of each.
 *
 * A message has at most two segments: 306 characters in English, 134 in Telugu and Hindi. So the limits differ.
 */
import { clockTime, formatDate, shortTime } from "#app/lib/dates.ts";
import type { Language } from "#app/lib/language.ts";
import type { SmsMessage } from "./sms.server.ts";

/** `{#name#}` is a variable. `limits`: the longest value of each; DLT allows 30 characters. `host` is registered as fixed text. */
type Template = { text: string; limits: Record<string, number> };

export const SMS_TEMPLATES = {
  // The last line lets a phone fill in the code, only on our site (WebOTP).
  code: {
    en: {
      text: "{#code#} is your Nadi code. It is valid for {#minutes#} minutes. Never share it with anyone, not even with us.\n\n@{#host#} #{#code#}",
      limits: { code: 6, minutes: 2, host: 150 },
    },
    te: {
      text: "మీ నాడి కోడ్ {#code#}. {#minutes#} నిమిషాలు పనిచేస్తుంది. ఎవరికీ చెప్పకండి, మాకు కూడా.\n\n@{#host#} #{#code#}",
      limits: { code: 6, minutes: 2, host: 30 },
    },
    hi: {
      text: "आपका नाड़ी कोड {#code#} है। {#minutes#} मिनट तक चलेगा। किसी को न बताएँ, हमें भी नहीं।\n\n@{#host#} #{#code#}",
      limits: { code: 6, minutes: 2, host: 30 },
    },
  },
  "reset-code": {
    en: {
      text: "{#code#} is your Nadi code to set a new password. It is valid for {#minutes#} minutes. Never share it with anyone, not even with us.\n\n@{#host#} #{#code#}",
      limits: { code: 6, minutes: 2, host: 100 },
    },
    te: {
      text: "{#code#} నాడి పాస్‌వర్డ్ మార్చే కోడ్. {#minutes#} నిమిషాలు పనిచేస్తుంది. ఎవరికీ చెప్పకండి.\n\n@{#host#} #{#code#}",
      limits: { code: 6, minutes: 2, host: 30 },
    },
    hi: {
      text: "{#code#} नाड़ी पासवर्ड बदलने का कोड है। {#minutes#} मिनट तक चलेगा। किसी को न बताएँ।\n\n@{#host#} #{#code#}",
      limits: { code: 6, minutes: 2, host: 30 },
    },
  },
  password: {
    en: {
      text: "Nadi: the password of your account was changed. If you did not change it, set a new one at {#host#}/forgot-password now.",
      limits: { host: 150 },
    },
    te: { text: "నాడి: మీ పాస్‌వర్డ్ మారింది. మీరు మార్చకపోతే, వెంటనే {#host#}/forgot-password తెరవండి.", limits: { host: 30 } },
    hi: { text: "नाड़ी: आपका पासवर्ड बदला गया। आपने नहीं बदला, तो तुरंत {#host#}/forgot-password खोलें।", limits: { host: 30 } },
  },
  decision: {
    en: { text: "Nadi: {#title#}. Please log in at {#host#} to read more.", limits: { title: 30, host: 150 } },
    te: { text: "నాడి: {#title#}. వివరాలకు {#host#} లో లాగిన్ అవ్వండి.", limits: { title: 30, host: 30 } },
    hi: { text: "नाड़ी: {#title#}। पूरा पढ़ने के लिए {#host#} पर लॉग इन करें।", limits: { title: 30, host: 30 } },
  },
  // Each message about a time names the doctor, the day and the time, so that it can be used without logging in.
  visit: {
    en: {
      text: "Nadi: {#title#}. {#doctor#}, {#date#} at {#time#}. Please log in at {#host#} to read more.",
      limits: { title: 30, doctor: 30, date: 12, time: 14, host: 150 },
    },
    te: {
      text: "నాడి: {#title#}. {#doctor#}, {#date#} {#time#}. వివరాలు: {#host#}",
      limits: { title: 30, doctor: 28, date: 10, time: 14, host: 30 },
    },
    hi: {
      text: "नाड़ी: {#title#}। {#doctor#}, {#date#} {#time#}। {#host#}",
      limits: { title: 30, doctor: 30, date: 10, time: 14, host: 30 },
    },
  },
  proposed: {
    en: {
      text: "Nadi: your appointment with {#doctor#} on {#date#} at {#time#} can move to {#newDate#} at {#newTime#}. Please answer at {#host#}",
      limits: { doctor: 30, newDate: 12, newTime: 8, date: 12, time: 8, host: 100 },
    },
    te: {
      text: "నాడి: {#doctor#}, {#newDate#} {#newTime#}? ({#date#} {#time#} బదులు) జవాబు: {#host#}",
      limits: { doctor: 30, newDate: 10, newTime: 8, date: 10, time: 8, host: 30 },
    },
    hi: {
      text: "नाड़ी: {#doctor#}, {#newDate#} {#newTime#}? ({#date#} {#time#} के बदले) जवाब: {#host#}",
      limits: { doctor: 30, newDate: 10, newTime: 8, date: 10, time: 8, host: 30 },
    },
  },
  cancelled: {
    en: {
      text: "Nadi: your appointment with {#doctor#} on {#date#} at {#time#} was cancelled by {#who#}. Reason: {#why#}. Choose another time at {#host#}.",
      limits: { doctor: 30, date: 12, time: 8, who: 20, why: 30, host: 100 },
    },
    te: {
      text: "నాడి: {#doctor#}, {#date#} {#time#} రద్దు ({#who#}): {#why#}. {#host#}",
      limits: { doctor: 30, date: 10, time: 8, who: 8, why: 22, host: 30 },
    },
    hi: {
      text: "नाड़ी: {#doctor#}, {#date#} {#time#} रद्द ({#who#}): {#why#}। {#host#}",
      limits: { doctor: 28, date: 10, time: 8, who: 8, why: 26, host: 30 },
    },
  },
  offer: {
    en: {
      text: "Nadi: a time with {#doctor#} is free on {#date#} at {#time#}. It is yours until {#until#}. Take it or leave it at {#host#}/patient/waitlist",
      limits: { doctor: 30, date: 12, time: 8, until: 8, host: 100 },
    },
    te: {
      text: "నాడి: {#doctor#}, {#date#} {#time#} ఖాళీ. {#until#} వరకు మీకే: {#host#}/patient/waitlist",
      limits: { doctor: 30, date: 10, time: 8, until: 8, host: 30 },
    },
    hi: {
      text: "नाड़ी: {#doctor#}, {#date#} {#time#} खाली। {#until#} तक आपका: {#host#}/patient/waitlist",
      limits: { doctor: 30, date: 10, time: 8, until: 8, host: 30 },
    },
  },
  // About an appointment that the clinic booked by phone. The reader may have no account yet.
  booked: {
    en: {
      text: "Nadi: an appointment with {#doctor#} is booked for you on {#date#} at {#time#}. To see, change or cancel it, log in with this number at {#host#}",
      limits: { doctor: 30, date: 12, time: 14, host: 100 },
    },
    te: {
      text: "నాడి: {#doctor#}, {#date#} {#time#} అపాయింట్‌మెంట్ బుక్ అయింది. ఈ నంబర్‌తో: {#host#}",
      limits: { doctor: 30, date: 10, time: 14, host: 30 },
    },
    hi: {
      text: "नाड़ी: {#doctor#}, {#date#} {#time#} का अपॉइंटमेंट बुक हुआ। इसी नंबर से: {#host#}",
      limits: { doctor: 30, date: 10, time: 14, host: 30 },
    },
  },
  reminder: {
    en: {
      text: "Nadi: your appointment with {#doctor#} is on {#date#} at {#time#}. Please log in at {#host#} to read more.",
      limits: { doctor: 30, date: 12, time: 14, host: 150 },
    },
    te: {
      text: "నాడి: {#doctor#}, మీ అపాయింట్‌మెంట్ {#date#}, {#time#}. వివరాలు: {#host#}",
      limits: { doctor: 30, date: 10, time: 14, host: 30 },
    },
    hi: {
      text: "नाड़ी: {#doctor#}, आपका अपॉइंटमेंट {#date#}, {#time#}। {#host#}",
      limits: { doctor: 30, date: 10, time: 14, host: 30 },
    },
  },
  // Like the next one it names neither doctor nor patient: another typed the number, and the link opens without a login.
  token: {
    en: {
      text: "Nadi: your token is {#token#}. See how many are before you and when to come: {#host#}/q/{#code#}",
      limits: { token: 5, code: 20, host: 100 },
    },
    te: {
      text: "నాడి: మీ టోకెన్ {#token#}. మీ ముందు ఎంతమంది ఉన్నారో చూడండి: {#host#}/q/{#code#}",
      limits: { token: 5, code: 20, host: 30 },
    },
    hi: {
      text: "नाड़ी: आपका टोकन {#token#}। आपसे पहले कितने हैं, देखें: {#host#}/q/{#code#}",
      limits: { token: 5, code: 20, host: 30 },
    },
  },
  soon: {
    en: {
      text: "Nadi: token {#token#}. At most 3 patients are before you. See when to come: {#host#}/q/{#code#}",
      limits: { token: 5, code: 20, host: 100 },
    },
    te: {
      text: "నాడి: టోకెన్ {#token#}. మీ ముందు 3 కంటే ఎక్కువ మంది లేరు. చూడండి: {#host#}/q/{#code#}",
      limits: { token: 5, code: 20, host: 30 },
    },
    hi: {
      text: "नाड़ी: टोकन {#token#}। आपसे पहले 3 से ज़्यादा मरीज़ नहीं हैं। देखें: {#host#}/q/{#code#}",
      limits: { token: 5, code: 20, host: 30 },
    },
  },
  // A longer host leaves no room in two segments.
  late: {
    en: {
      text: "Nadi: {#doctor#} is expected on {#date#} at {#time#}. See your new time for token {#token#}: {#host#}/q/{#code#}",
      limits: { doctor: 30, date: 20, time: 10, token: 5, code: 20, host: 100 },
    },
    te: {
      text: "నాడి: {#doctor#} {#date#} {#time#}కు వస్తారు. టోకెన్ {#token#}, మీ కొత్త సమయం: {#host#}/q/{#code#}",
      limits: { doctor: 22, date: 5, time: 8, token: 5, code: 20, host: 22 },
    },
    hi: {
      text: "नाड़ी: {#doctor#} {#date#} को {#time#} आएँगे। टोकन {#token#}, नया समय: {#host#}/q/{#code#}",
      limits: { doctor: 22, date: 5, time: 8, token: 5, code: 20, host: 22 },
    },
  },
  // The clinic closed before the turn of this token. A longer host leaves no room in two segments.
  closed: {
    en: {
      text: "Nadi: {#doctor#} could not see you on {#date#} at {#time#}: the clinic closed before your turn. Sorry. Choose another time: {#host#}/q/{#code#}",
      limits: { doctor: 30, date: 20, time: 10, code: 20, host: 100 },
    },
    te: {
      text: "నాడి: {#doctor#}, {#date#} {#time#}: మీ వంతు రాకముందే క్లినిక్ మూసేశారు. కొత్త సమయం: {#host#}/q/{#code#}",
      limits: { doctor: 19, date: 5, time: 8, code: 20, host: 20 },
    },
    hi: {
      text: "नाड़ी: {#doctor#}, {#date#} {#time#}: आपकी बारी से पहले क्लिनिक बंद हुआ। नया समय: {#host#}/q/{#code#}",
      limits: { doctor: 22, date: 5, time: 8, code: 20, host: 20 },
    },
  },
  // The link opens without a login, so the text names neither doctor nor patient nor medicine.
  prescription: {
    en: {
      text: "Nadi: your prescription is ready. Open it here, for {#days#} days. Do not forward the link: {#host#}/s/{#secret#}",
      limits: { days: 2, secret: 22, host: 100 },
    },
    te: {
      text: "నాడి: మీ మందుల చీటీ సిద్ధం. {#days#} రోజులు తెరవవచ్చు, లింక్ ఎవరికీ పంపకండి: {#host#}/s/{#secret#}",
      limits: { days: 2, secret: 22, host: 30 },
    },
    hi: {
      text: "नाड़ी: आपकी दवा की पर्ची तैयार है। {#days#} दिन तक खुलेगी, लिंक किसी को न भेजें: {#host#}/s/{#secret#}",
      limits: { days: 2, secret: 22, host: 30 },
    },
  },
} as const satisfies Record<string, Record<Language, Template>>;
export type TemplateName = keyof typeof SMS_TEMPLATES;

/** Returns the key of a template in MSG91_TEMPLATE_IDS: "code" in English, "code.te" in Telugu. */
const templateKey = (template: string, language: Language) => (language === "en" ? template : `${template}.${language}`);

/** Fills in a template. @throws when a variable is missing, unknown or longer than registered */
export function fillTemplate(to: string, template: TemplateName, variables: Record<string, string>, language: Language = "en"): SmsMessage {
  // A cut host name would be a broken link: one that is too long for the Telugu or Hindi text is sent in English.
  const fits = (variables.host ?? "").length <= SMS_TEMPLATES[template][language].limits.host;
  const spoken = fits ? language : "en";
  const { text, limits }: Template = SMS_TEMPLATES[template][spoken];
  for (const name of new Set([...Object.keys(limits), ...Object.keys(variables)])) {
    const limit = limits[name];
    const value = variables[name];
    if (limit === undefined || !value || value.length > limit)
      throw new Error(`SMS template "${template}": variable "${name}" does not fit`);
  }
  const body = text.replace(/\{#(\w+)#\}/g, (_, name: string) => variables[name]!);
  return { to, template: templateKey(template, spoken), variables, body };
}

/** Cuts a text between words. Never use it for a time or a code. */
function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit - 3);
  const end = cut.lastIndexOf(" ");
  return `${end > 0 ? cut.slice(0, end) : cut.replace(/[\ud800-\udbff]$/, "")}...`;
}

/** Returns the SMS with a one-time code. `host` is the host name of APP_URL. */
export function codeMessage(input: {
  to: string;
  code: string;
  minutes: number;
  host: string;
  language?: Language;
  /** `reset-code` sets a new password. */
  template?: "code" | "reset-code";
}): SmsMessage {
  const variables = { code: input.code, minutes: String(input.minutes), host: input.host };
  return fillTemplate(input.to, input.template ?? "code", variables, input.language);
}

/** Returns the SMS about a changed password. */
export function passwordMessage(input: { to: string; host: string; language?: Language }): SmsMessage {
  return fillTemplate(input.to, "password", { host: input.host }, input.language);
}

/** Returns the SMS about a decision, without its content. */
export function decisionMessage(input: { to: string; title: string; host: string; language?: Language }): SmsMessage {
  return fillTemplate(input.to, "decision", { title: shortened(input.title, 30), host: input.host }, input.language);
}

/** An appointment in an SMS. `date` and `time` as keys. `until`: the end of the range in which the patient is called, in the templates whose time has room for it. */
export type VisitOfSms = { to: string; doctor: string; date: string; time: string; until?: string; host: string; language?: Language };

/** Fills in a template about a time. Two segments of Telugu or Hindi have no room for the name of the month. */
function visitMessage(
  template: "visit" | "proposed" | "cancelled" | "offer" | "booked" | "reminder",
  visit: VisitOfSms,
  more: Record<string, string> = {},
): SmsMessage {
  const { to, host, language = "en" } = visit;
  const doctor = shortened(visit.doctor, SMS_TEMPLATES[template][language].limits.doctor);
  const own = {
    doctor,
    date: smsDate(visit.date, language),
    time: visit.until ? smsSpan(visit.time, visit.until) : clockTime(visit.time),
    host,
  };
  return fillTemplate(to, template, { ...own, ...more }, language);
}
/** "6:40-7:05 PM". A range of the pages has a dash that an English SMS cannot carry. */
const smsSpan = (from: string, until: string) => `${shortTime(from)}-${clockTime(until)}`;
const smsDate = (date: string, language: Language) => (language === "en" ? formatDate(date) : date.split("-").reverse().join("/"));

/** Returns the SMS about a change of an appointment: a title, and the appointment as it is now. */
export const changedMessage = (visit: VisitOfSms & { title: string }): SmsMessage =>
  visitMessage("visit", visit, { title: shortened(visit.title, 30) });

/** Returns the SMS about a proposed time. The page has further ones. */
export const proposedMessage = (visit: VisitOfSms & { newDate: string; newTime: string }): SmsMessage =>
  visitMessage("proposed", visit, { newDate: smsDate(visit.newDate, visit.language ?? "en"), newTime: clockTime(visit.newTime) });

/** Returns the SMS reminder of a visit. */
export const reminderMessage = (visit: VisitOfSms): SmsMessage => visitMessage("reminder", visit);

/** Returns the SMS about a cancelled appointment: when, who and why. */
export const cancelledMessage = (visit: VisitOfSms & { by: string; why: string }): SmsMessage =>
  visitMessage("cancelled", visit, { who: visit.by, why: visit.why });

/** Returns the SMS with a time that the waitlist offers. `ends`: when the offer does, as key. */
export const offerMessage = ({ ends, ...visit }: VisitOfSms & { ends: string }): SmsMessage =>
  visitMessage("offer", visit, { until: clockTime(ends) });

/** Returns the SMS about an appointment that the clinic booked for a caller. */
export const bookedMessage = (visit: VisitOfSms): SmsMessage => visitMessage("booked", visit);

type OfToken = {
  to: string;
  token: number;
  /** Of /q/{code}. */
  code: string;
  host: string;
  language?: Language;
};
/** Returns the SMS with the token of a walk-in, or that a token is called soon. Both name neither doctor nor patient. */
export function tokenMessage(template: "token" | "soon", { to, token, code, host, language }: OfToken): SmsMessage {
  return fillTemplate(to, template, { token: String(token), code, host }, language);
}

/** Returns the SMS about when a late doctor is expected. `date` and `time` as keys. */
export function lateMessage(input: OfToken & { doctor: string; date: string; time: string }): SmsMessage {
  const { to, code, host, language = "en" } = input;
  const spoken = host.length <= SMS_TEMPLATES.late[language].limits.host ? language : "en";
  const date = spoken === "en" ? formatDate(input.date) : input.date.slice(5).split("-").reverse().join("/");
  const doctor = shortened(input.doctor, SMS_TEMPLATES.late[spoken].limits.doctor);
  return fillTemplate(to, "late", { doctor, date, time: clockTime(input.time), token: String(input.token), code, host }, spoken);
}

/** Returns the SMS to a patient whose clinic closed before their turn, with a link to choose another time. `date` and `time` as keys. */
export function closedMessage(input: {
  to: string;
  doctor: string;
  date: string;
  time: string;
  /** Of /q/{code}. */
  code: string;
  host: string;
  language?: Language;
}): SmsMessage {
  const { to, code, host, language = "en" } = input;
  const spoken = host.length <= SMS_TEMPLATES.closed[language].limits.host ? language : "en";
  const date = spoken === "en" ? formatDate(input.date) : input.date.slice(5).split("-").reverse().join("/");
  const doctor = shortened(input.doctor, SMS_TEMPLATES.closed[spoken].limits.doctor);
  return fillTemplate(to, "closed", { doctor, date, time: clockTime(input.time), code, host }, spoken);
}

/** Returns the SMS with the link of a signed prescription. */
export function prescriptionMessage(input: { to: string; secret: string; days: number; host: string; language?: Language }): SmsMessage {
  const { to, secret, host } = input;
  return fillTemplate(to, "prescription", { days: String(input.days), secret, host }, input.language);
}

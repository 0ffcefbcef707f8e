import { CHOICES, REPLIES, type ReplyName } from "#app/integrations/sms/reply-templates.ts";
import { smsSize } from "#app/integrations/sms/segments.ts";
import { clockTime, type DateKey, leafOf, monthOf, monthShort } from "#app/lib/dates.ts";
import { cutText, fitText } from "#app/lib/graphemes.ts";
import { LANGUAGE_NAMES, type Language, language } from "#app/lib/language.ts";
import type { MessageChannel } from "#app/lib/vocabulary.ts";
import type { Ask, At, Option, Say } from "./conversation.ts";

/** A choice of WhatsApp: the value comes back when it is pressed. `about`: below the title of a row. */
export type Choice = { label: string; value: string; about?: string };
/**
 * A text as it is sent. `template`: its id in the table of registered texts. `choices`: what WhatsApp shows as buttons or as a list; by SMS they
 * are lines of the body.
 */
export type Rendered = {
  body: string;
  template: string;
  variables: Record<string, string>;
  choices: Choice[];
  as: "text" | "buttons" | "list";
};

/** What a reminder or an offer is about: it is sent only while that is true. */
export type Pushed = Ask<"reminder"> | Ask<"offer">;
/** As many as an SMS is charged for. */
export const segmentsOf = ({ body }: Rendered, channel: MessageChannel): number => (channel === "sms" ? smsSize(body).segments : 1);
/** As it is stored: with what it was made of, so that it can also be sent by SMS. A text of a member has none. */
export type StoredMessage = Rendered & { reply?: { say: Say; language: Language; about?: Pushed } };

/** A registered (DLT) variable has at most this many characters. */
const MOST_CHARACTERS = 30;
/** How many characters names of people and of places have at most. */
type Cut = { person: number; place: number };
const range = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, i) => from - i);
/** From the longest to the shortest: a place becomes one word before a name is cut, because patients choose a doctor. */
const CUTS: readonly Cut[] = [
  ...range(MOST_CHARACTERS, 5).map((place) => ({ person: MOST_CHARACTERS, place })),
  ...range(MOST_CHARACTERS - 1, 4).map((person) => ({ person, place: 4 })),
];
/** WhatsApp's own limits: buttons, rows, and the characters of their titles. */
const BUTTONS = { most: 3, title: 20 };
const ROWS = { most: 10, title: 24, about: 72 };

const dayWord = (date: DateKey): string => `${leafOf(date).weekday} ${leafOf(date).day} ${monthShort(monthOf(date))}`;
const atWord = ({ date, time }: At): string => `${dayWord(date)} ${clockTime(time)}`;
/** For a row that is too short for the weekday. */
const atShort = ({ date, time }: At): string => `${leafOf(date).day} ${monthShort(monthOf(date))} ${clockTime(time)}`;

const doctorWord = ({ name, place }: { name: string; place: string }, cut: Cut) =>
  [cutText(name, cut.person), cutText(place, cut.place)] as const;

/** Returns the text of a choice. */
function labelOf(option: Option, cut: Cut): string {
  const in_ = language();
  if ("at" in option && !("word" in option)) return atWord(option.at);
  if ("day" in option) return dayWord(option.day);
  if ("doctor" in option) return doctorWord(option.doctor, cut).join(", ");
  if ("language" in option) return LANGUAGE_NAMES[option.language];
  if (option.word === "keep") return CHOICES.keep[in_].replace("{at}", atWord(option.at));
  if (option.word === "cancel" && option.until) return CHOICES["cancel-free"][in_].replace("{until}", atWord(option.until));
  return CHOICES[option.word][in_];
}
/** Returns the text of a button or a row: never longer than WhatsApp allows. */
function titleOf(option: Option, most: number): string {
  const long =
    "doctor" in option
      ? option.doctor.name
      : "word" in option && option.word === "cancel"
        ? CHOICES.cancel[language()]
        : labelOf(option, CUTS[0]!);
  if (long.length <= most || !("at" in option)) return fitText(cutText(long, most), most);
  return atShort(option.at);
}
/** Returns the variables of a line: the words of a choice are a part of the registered text. A doctor's line has two. */
function chosen(option: Option, i: number, cut: Cut): Record<string, string> {
  if ("doctor" in option) {
    const [name, place] = doctorWord(option.doctor, cut);
    return { [`o${i}`]: name, [`p${i}`]: place };
  }
  if ("word" in option && option.word === "cancel") return option.until ? { until: atWord(option.until) } : {};
  if ("at" in option) return { [`o${i}`]: atWord(option.at) };
  return "day" in option ? { [`o${i}`]: dayWord(option.day) } : {};
}
const numberOf = (option: Option, i: number) => ("word" in option && option.word === "more" ? 0 : i + 1);

/** Which registered text a reply is: those with choices are registered for each number and kind of them. */
function templateOf({ say, options = [] }: Say, spoken: Language): string {
  const times = options.filter((option) => !("word" in option)).length;
  const kinds = options.flatMap((option) =>
    "word" in option && option.word === "cancel" && option.until ? ["free"] : "word" in option && option.word === "keep" ? ["keep"] : [],
  );
  return [`reply-${say}`, ...(times ? [String(times)] : []), ...kinds, ...(spoken === "en" ? [] : [spoken])].join(".");
}

/** Returns the values of a text's variables. */
function valuesOf(reply: Say, host: string, cut: Cut): Record<string, string> {
  const { doctor, at, other, fee } = { ...reply, fee: reply.doctor?.fee };
  const offered = reply.say === "offer";
  const given: Record<string, string | undefined> = {
    doctor: doctor && cutText(doctor.name, cut.person),
    place: doctor && cutText(doctor.place, cut.place),
    fee: fee === undefined || fee === null ? undefined : String(Math.round(fee / 100)),
    keyword: doctor && (doctor.keyword ?? "BOOK"),
    at: at && atWord(at),
    // An offer ends on the same day.
    other: other && (offered ? clockTime(other.time) : atWord(other)),
    text: reply.text === undefined ? undefined : cutText(reply.text, cut.person),
    number: reply.number?.toString(),
    seeing: reply.seeing?.toString(),
    time: reply.time && clockTime(reply.time),
    phone: reply.phone,
    name: reply.name === undefined ? undefined : cutText(reply.name, cut.person),
    slug: reply.slug,
    host,
  };
  return Object.fromEntries(Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

const variablesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
function filled(text: string, values: Record<string, string>, of: ReplyName): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`reply "${of}" has no ${name}`);
    return value;
  });
}

/** Returns a reply in the current language as its channel sends it. By SMS names are cut until it has at most two segments. */
export function render(reply: Say, channel: MessageChannel, host: string): Rendered {
  const { options = [], n = 0 } = reply;
  const words: { text: string; tail?: string } = REPLIES[reply.say][language()];
  const isList = options.length > BUTTONS.most || options.some((option) => "doctor" in option);
  const build = (cut: Cut, numbered: boolean): Rendered => {
    const values = valuesOf(reply, host, cut);
    const lines = numbered ? options.map((option, i) => `${numberOf(option, i)} ${labelOf(option, cut)}`) : [];
    const body = [filled(words.text, values, reply.say), ...lines, ...(lines.length && words.tail ? [words.tail] : [])].join("\n");
    const used = Object.fromEntries(variablesIn(words.text).map((name) => [name, values[name]!]));
    const shown = Object.assign({}, ...(numbered ? options.map((option, i) => chosen(option, i + 1, cut)) : []));
    return { body, template: templateOf(reply, language()), variables: { ...used, ...shown }, choices: [], as: "text" };
  };
  if (channel === "sms") {
    const cut = CUTS.find((one) => smsSize(build(one, true).body).segments <= 2) ?? CUTS.at(-1)!;
    return build(cut, true);
  }
  const title = isList ? ROWS.title : BUTTONS.title;
  const choices = options.slice(0, ROWS.most).map((option, i) => ({
    label: titleOf(option, title),
    value: `${n}:${numberOf(option, i)}`,
    ...("doctor" in option && { about: fitText(cutText(option.doctor.place, ROWS.about), ROWS.about) }),
  }));
  return { ...build(CUTS[0]!, false), choices, as: choices.length === 0 ? "text" : isList ? "list" : "buttons" };
}

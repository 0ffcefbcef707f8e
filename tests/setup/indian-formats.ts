/** Times, dates and money in Indian formats. */
import { formatCount } from "#app/lib/numbers.ts";

/** What a time needs beside it to be a 12-hour time. Both times of a range share it: "6:40–7:05 PM". */
const HALF_OF_DAY = {
  en: /^(–\d{1,2}:\d{2})?\s?(AM|PM)\b/,
  te: /(రాత్రి|తెల్లవారుజామున|ఉదయం|మధ్యాహ్నం|సాయంత్రం)\s(\d{1,2}:\d{2}–)?$/,
  hi: /(रात|सुबह|दोपहर|शाम)\s(\d{1,2}:\d{2}–)?$/,
};

/** The specification shows the date of birth in a doctor's own profile as yyyy-mm-dd (000 §3). */
export const SPECIFIED: Record<string, RegExp> = { "/doctor/profile-view": /\b19\d{2}-\d{2}-\d{2}\b/ };

/** Returns the text of a page and of its attributes. Leaves out the badges of a month grid ("10:30"): the full time is in the day's label. */
export function spokenOn(html: string): string {
  const body = html
    .slice(html.indexOf("<body"))
    .replace(/<(script|style|svg)\b[\s\S]*?<\/\1>/g, " ")
    .replace(/<small [^>]*aria-hidden="true"[^>]*>[^<]*<\/small>/g, " ");
  const attributes = [...body.matchAll(/\s(?:aria-label|alt|title|placeholder)="([^"]*)"/g)].map(([, text]) => text);
  return `${body.replace(/<[^>]*>/g, " ")} | ${attributes.join(" | ")}`.replace(/&#x27;/g, "'").replace(/\s+/g, " ");
}

/** Finds times, dates and amounts in another format, each with its context. */
export function strangeFormats(text: string, language: keyof typeof HALF_OF_DAY): string[] {
  const around = (at: number) => text.slice(Math.max(0, at - 25), at + 25);
  const found: string[] = [];
  for (const { 0: time, index } of text.matchAll(/(?<![\d:.])\d{1,2}:[0-5]\d(?![\d:])/g)) {
    const beside = language === "en" ? text.slice(index + time.length) : text.slice(0, index);
    if (!HALF_OF_DAY[language].test(beside) || Number.parseInt(time, 10) > 12 || time.startsWith("0")) found.push(around(index));
  }
  for (const { index } of text.matchAll(/\d{4}-\d{2}-\d{2}|\b(?:Rs\.?|INR)\s?\d|₹\s+\d/g)) found.push(around(index));
  for (const { 1: rupees = "", index } of text.matchAll(/₹(\d[\d,]*)/g))
    if (formatCount(Number(rupees.replaceAll(",", ""))) !== rupees.replace(/,$/, "")) found.push(around(index));
  return found;
}

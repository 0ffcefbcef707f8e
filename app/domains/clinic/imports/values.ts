/** Reads the values that registers of clinics contain, as typed in English, Telugu and Hindi. Each function returns a value or the problem. */
import { ageOn, type DateKey, isDateKey, isTimeKey, monthsBetween, parseTime, type TimeKey } from "#app/lib/dates.ts";
import { plainDigits } from "#app/lib/digits.ts";
import { graphemesOf } from "#app/lib/graphemes.ts";
import { type Paise, parseRupees } from "#app/lib/money.ts";
import { bareNumber, normalisePhone, type Phone } from "#app/lib/phone.ts";
import { BLOOD_GROUPS, type BloodGroup, type Gender } from "#app/lib/vocabulary.ts";
import type { RowProblem } from "./problems.ts";

/** Which number of 02/03/1984 is the day. */
export type DateOrder = "dmy" | "mdy";
type Read<T> = T | { problem: RowProblem };
export const isProblem = <T>(read: Read<T>): read is { problem: RowProblem } =>
  typeof read === "object" && read !== null && "problem" in read;

/** In graphemes: a Telugu one has up to six UTF-16 code units. */
const NAME_MAX = 120;
const PATIENT_AGE_MAX = 120;

/** Returns a name on one line. */
export function readName(cell: string): Read<string> {
  const name = oneLine(cell);
  if (!name) return { problem: "name-missing" };
  if (/^[=+@]/.test(name)) return { problem: "name-formula" };
  if (name.length > NAME_MAX && graphemesOf(name).length > NAME_MAX) return { problem: "name-long" };
  return /\p{L}/u.test(name) ? name : { problem: "name-missing" };
}
export const oneLine = (cell: string) => cell.normalize("NFC").replace(/\s+/gu, " ").trim();

/** What decides that two names are the same: without case, dots and double spaces, and without the title. */
export const nameKey = (name: string): string =>
  oneLine(name)
    .toLowerCase()
    .replace(/[.,]/g, " ")
    .replace(/^\s*(mr|mrs|ms|miss|smt|sri|shri|dr|baby|master|kum|kumari|శ్రీ|శ్రీమతి|श्री|श्रीमती)\s+/u, "")
    .replace(/\s+/g, " ")
    .trim();

/** "0866-2474301": the code of a town, then the number. A mobile number after a zero has five digits before its gap. */
const LANDLINE = /^0\d{2,4}[\s-]/;

/** "9848012345 9000000121" */
const TWO_MOBILES = /^([6-9]\d{9})\s+(?=[6-9]\d{9}$)/;

/** Returns the first mobile number of a cell, and whether it has others. null: the cell is empty. */
export function readPhone(cell: string): Read<{ phone: Phone; others: boolean } | null> {
  const typed = plainDigits(cell).trim();
  if (!/\d/.test(typed)) return null;
  if (/^\d(?:\.\d+)?e\+?\d+$/i.test(typed)) {
    const whole = unshortened(typed);
    return whole === null ? { problem: "phone-shortened" } : readPhone(whole);
  }
  const parts = typed
    .replace(TWO_MOBILES, "$1/")
    .split(/[/,;|&\n]| or /i)
    .filter((part) => /\d/.test(part));
  const mobile = parts
    .filter((part) => !LANDLINE.test(part.trim()))
    .map((part) => normalisePhone(part.replace(/\.0$/, "")))
    .find((phone) => phone !== null && /^\+91[6-9]/.test(phone));
  if (mobile) return { phone: mobile, others: parts.length > 1 };
  const digits = bareNumber(parts[0] ?? "").replace(/\D/g, "").length;
  return { problem: digits === 10 || digits === 11 || digits === 12 ? "phone-not-mobile" : digits < 10 ? "phone-short" : "phone-long" };
}
/** "9.19848012345E+11" has all its digits; Excel leaves "9.19E+11" of a number that it has cut. */
function unshortened(typed: string): string | null {
  const [, first = "", fraction = "", power = ""] = /^(\d)(?:\.(\d+))?e\+?(\d+)$/i.exec(typed) ?? [];
  return fraction.length >= Number(power) ? `${first}${fraction.slice(0, Number(power))}` : null;
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const pad = (n: number | string) => String(n).padStart(2, "0");
const NUMERIC = /^(\d{1,2})[/.\-\s](\d{1,2})[/.\-\s](\d{4}|\d{2})$/;

/** Returns the two numbers of a date that may be day and month in either order. null: it has only one reading. */
export function orderOfDate(cell: string): { first: number; second: number } | null {
  const [, a, b] = NUMERIC.exec(dateOf(cell)) ?? [];
  return a && b ? { first: Number(a), second: Number(b) } : null;
}
/** The date of a cell that may also have a time. */
const dateOf = (cell: string) =>
  oneLine(plainDigits(cell))
    .replace(/[T\s]+\d{1,2}[:.]\d{2}.*$/i, "")
    .trim();

/**
 * Reads a date. A year of two digits is one that has passed for `past`, and otherwise of this century.
 * @param today the day on which the file is read
 */
export function readDate(
  cell: string,
  { order, today, past = false }: { order: DateOrder; today: DateKey; past?: boolean },
): Read<DateKey> {
  const text = dateOf(cell);
  const year = (typed: string) => {
    if (typed.length === 4) return typed;
    const thisCentury = `20${typed}`;
    return past && thisCentury > today.slice(0, 4) ? `19${typed}` : thisCentury;
  };
  const asKey = (y: string, month: number | string, day: number | string): Read<DateKey> => {
    const key = `${y}-${pad(month)}-${pad(day)}`;
    // No patient and no appointment of a clinic is older. PostgreSQL has no year 0.
    return isDateKey(key) && y >= "1880" ? key : { problem: "date-not-real" };
  };
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(text);
  if (iso) return asKey(iso[1]!, iso[2]!, iso[3]!);
  const numeric = NUMERIC.exec(text);
  if (numeric) {
    const [day, month] = order === "dmy" ? [numeric[1]!, numeric[2]!] : [numeric[2]!, numeric[1]!];
    return Number(month) > 12 ? { problem: "date-other-order" } : asKey(year(numeric[3]!), month, day);
  }
  const named =
    /^(\d{1,2})[\s-]*([a-z]{3,9})[\s,-]*(\d{4}|\d{2})$/i.exec(text) ?? reordered(/^([a-z]{3,9})\s*(\d{1,2}),?\s*(\d{4})$/i.exec(text));
  const month = named ? MONTHS.indexOf(named[2]!.slice(0, 3).toLowerCase()) : -1;
  if (named && month >= 0) return asKey(year(named[3]!), month + 1, named[1]!);
  if (isDayNumber(text)) return new Date(Date.UTC(1899, 11, 30 + Number(text))).toISOString().slice(0, 10);
  return { problem: "date-unclear" };
}
/** The day number of Excel, in a column that lost its format. */
const isDayNumber = (text: string) => /^\d{5}$/.test(text) && Number(text) < 80_000;
/** Returns the cell of a date column of a workbook that counts its days from 1904: a day number as the date that it is. */
export const dateFrom1904 = (cell: string): string =>
  isDayNumber(cell) ? new Date(Date.UTC(1904, 0, 1 + Number(cell))).toISOString().slice(0, 10) : cell;
const reordered = (found: RegExpExecArray | null) => found && ([found[0], found[2], found[1], found[3]] as const);

/** A birth date. `about`: it follows from an age or a year. */
export type Born = { date: DateKey; about: boolean };

const UNITS: [unit: "years" | "months" | "days", words: RegExp][] = [
  ["months", /^(m|mo|mon|mth|mths|month|months|నెల|నెలలు|महीना|महीने|माह|मास)$/u],
  ["days", /^(d|day|days|రోజు|రోజులు|दिन)$/u],
  ["years", /^(y|yr|yrs|year|years|సం|సంవత్సరం|సంవత్సరాలు|ఏళ్లు|ఏళ్ళు|वर्ष|साल|बरस)$/u],
];
/** An exported date that follows from an age. */
export const ABOUT = "about ";

/** Reads an age or a birth date: "46", "45Y", "7 months", "3y 2m", "1984", "02/03/1984". null: the cell is empty. */
export function readBorn(cell: string, of: { order: DateOrder; today: DateKey }): Read<Born | null> {
  const typed = oneLine(plainDigits(cell)).toLowerCase();
  const about = typed.startsWith(ABOUT);
  // "45/F": the sex after an age.
  const text = (about ? typed.slice(ABOUT.length) : typed).replace(/^(\d{1,3}\s*(?:y|yrs?|years?)?)\s*[/-]\s*[mf]$/, "$1").trim();
  if (!text || text === "-" || text === "–") return null;
  const year = /^\d{4}$/.test(text) ? Number(text) : null;
  const thisYear = Number(of.today.slice(0, 4));
  if (year !== null && year > 1880 && year <= thisYear)
    return checkBorn({ date: earlier(`${year}-07-01`, of.today), about: true }, of.today);
  const span = /^\d{1,4}$/.test(text) ? { years: Number(text), months: 0, days: 0 } : spanOf(text);
  if (span) {
    if (span.years > PATIENT_AGE_MAX) return { problem: "age-over" };
    return checkBorn({ date: bornBefore(of.today, span), about: true }, of.today);
  }
  const date = readDate(text, { ...of, past: true });
  return isProblem(date) ? date : checkBorn({ date, about }, of.today);
}
const earlier = (a: string, b: string) => (a < b ? a : b);
function checkBorn(born: Born, today: DateKey): Read<Born> {
  if (born.date > today) return { problem: "birth-future" };
  return ageOn(born.date, today) > PATIENT_AGE_MAX ? { problem: "age-over" } : born;
}
type Span = { years: number; months: number; days: number };
function spanOf(text: string): Span | null {
  const parts = [...text.matchAll(/(\d{1,4})\s*([^\d\s.,]+)\.?/gu)];
  if (
    !parts.length ||
    parts
      .map(([part]) => part)
      .join("")
      .replace(/[\s.,]/g, "") !== text.replace(/[\s.,]/g, "")
  )
    return null;
  const span: Span = { years: 0, months: 0, days: 0 };
  for (const [, count = "", word = ""] of parts) {
    const unit = UNITS.find(([, words]) => words.test(word))?.[0];
    if (!unit) return null;
    span[unit] += Number(count);
  }
  return span;
}
/** Returns a day on which someone of this age today may have been born: the middle of the possible days. */
function bornBefore(today: DateKey, { years, months, days }: Span): DateKey {
  const whole = months === 0 && days === 0 ? 12 * years + 6 : 12 * years + months;
  const middle = months > 0 && days === 0 ? days + 15 : days;
  const at = new Date(`${today}T00:00:00Z`);
  const first = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - whole, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(at.getUTCDate(), last) - middle);
  return first.toISOString().slice(0, 10);
}
/** True when two birth dates can be of one person: an age may have been typed some years ago. */
export const mayBeSameAge = (a: Born | null, b: Born | null): boolean =>
  !a || !b || Math.abs(monthsBetween(a.date, b.date)) <= (a.about || b.about ? 36 : 0);

const GENDER_WORDS: Record<Gender, RegExp> = {
  male: /^(m|male|man|boy|పురుషుడు|పు|मेल|पुरुष|पु|మగ)$/u,
  female: /^(f|female|fem|woman|girl|lady|స్త్రీ|ఆడ|महिला|स्त्री|औरत|म)$/u,
  other: /^(o|other|others|transgender|trans|tg|ఇతర|ఇతరులు|अन्य)$/u,
};
/** null: the cell is empty or has another word. */
export function readGender(cell: string): Gender | null {
  const word = oneLine(cell).toLowerCase().replace(/\.$/, "");
  return (Object.keys(GENDER_WORDS) as Gender[]).find((gender) => GENDER_WORDS[gender].test(word)) ?? null;
}

/** "O+", "B pos", "AB -ve", "o positive". null: the cell is empty or has another word. */
export function readBlood(cell: string): BloodGroup | null {
  const text = oneLine(cell)
    .toUpperCase()
    .replace(/[−–]/g, "-")
    .replace(/\bRH\b|GROUP|\(|\)/g, " ")
    .replace(/POSITIVE|POS|\+\s*VE|\bPLUS\b/g, "+")
    .replace(/NEGATIVE|NEG|-\s*VE|\bMINUS\b/g, "-")
    .replace(/^0/, "O")
    .replace(/[\s.,]/g, "");
  return BLOOD_GROUPS.find((group) => group === text) ?? null;
}

/** Reads a time: "10.30", "22:30", "10-30 am", "10 am", Excel's fraction of a day. null: the cell is empty. */
export function readTime(cell: string): Read<TimeKey | null> {
  const text = oneLine(plainDigits(cell)).toLowerCase();
  if (!text) return null;
  const fraction = /^0?\.\d+$/.test(text) ? Math.round(Number(text) * 24 * 60) : null;
  // "10.30" is half past ten; a fraction of a day is below one.
  if (fraction !== null && fraction < 24 * 60) return `${pad(Math.floor(fraction / 60))}:${pad(fraction % 60)}`;
  const time = text
    .replace(/^\d{4}-\d\d-\d\dt/, "")
    .replace(/^(\d{1,2})[.\-\s](\d{2})(?!\d)/, "$1:$2")
    // 10.30 in a cell of numbers is 10.3.
    .replace(/^(\d{1,2})\.([0-5])$/, "$1:$20")
    .replace(/^(\d{1,2})\s*([ap])/, "$1:00 $2")
    .replace(/([ap])\.\s*m\.?/, "$1m")
    .replace(/^(\d{1,2}:\d{2}):\d{2}(\.\d+)?/, "$1");
  const parsed = parseTime(/^\d{1,2}$/.test(time) ? `${time}:00` : time);
  return parsed !== null && isTimeKey(parsed) ? parsed : { problem: "time-unclear" };
}
/** The time of a cell of the date column: "22/11/2026 10:30 AM". */
export const timeOfDate = (cell: string): string =>
  /[T\s](\d{1,2}[:.]\d{2}(?::\d{2}(?:\.\d+)?)?\s*(?:[ap]\.?m\.?)?)$/i.exec(oneLine(plainDigits(cell)))?.[1] ?? "";

export const IMPORTED_STATUSES = ["booked", "seen", "cancelled", "no-show"] as const;
export type ImportedStatus = (typeof IMPORTED_STATUSES)[number];
const STATUS_WORDS: Record<ImportedStatus, RegExp> = {
  booked: /^(booked|confirmed|scheduled|pending|accepted|upcoming|open|new|బుక్|నిర్ధారించారు|बुक|पुष्ट)/u,
  seen: /^(seen|done|completed|complete|visited|attended|consulted|closed|paid|check(ed)?[ -]?out|చూశారు|పూర్తి|पूरा|देखा|पूर्ण)/u,
  "no-show": /^(no[ -]?show|did not come|not come|absent|missed|dna|రాలేదు|नहीं आए|अनुपस्थित)/u,
  cancelled: /^(cancel|canceled|cancelled|రద్దు|रद्द)/u,
};
/** null: the cell is empty. */
export function readStatus(cell: string): Read<ImportedStatus | null> {
  const word = oneLine(cell).toLowerCase();
  if (!word) return null;
  return IMPORTED_STATUSES.find((status) => STATUS_WORDS[status].test(word)) ?? { problem: "status-unknown" };
}

/** "₹1,200.50", "Rs 500/-". null: the cell is empty. */
export function readAmount(cell: string): Read<Paise | null> {
  const text = oneLine(plainDigits(cell))
    .replace(/^(rs|inr)\.?/i, "")
    .replace(/\/?-$/, "");
  if (!text.trim()) return null;
  return parseRupees(text) ?? { problem: "amount-unclear" };
}

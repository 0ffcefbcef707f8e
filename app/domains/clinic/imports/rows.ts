/** Reads the cells of a row into values, by the columns that the user confirmed. */
import type { DateKey, TimeKey } from "#app/lib/dates.ts";
import { fitText } from "#app/lib/graphemes.ts";
import type { Paise } from "#app/lib/money.ts";
import type { Phone } from "#app/lib/phone.ts";
import type { BloodGroup, Gender } from "#app/lib/vocabulary.ts";
import type { ImportField } from "./columns.ts";
import type { RowNotice, RowProblem } from "./problems.ts";
import {
  type Born,
  type DateOrder,
  type ImportedStatus,
  isProblem,
  oneLine,
  readAmount,
  readBlood,
  readBorn,
  readDate,
  readGender,
  readName,
  readPhone,
  readStatus,
  readTime,
  timeOfDate,
} from "./values.ts";

export type PatientRow = {
  name: string;
  phone: Phone | null;
  born: Born | null;
  gender: Gender | null;
  blood: BloodGroup | null;
  address: string | null;
  number: string | null;
  note: string | null;
};
export type AppointmentRow = {
  date: DateKey;
  time: TimeKey | null;
  doctor: string | null;
  number: string | null;
  phone: Phone | null;
  name: string | null;
  status: ImportedStatus;
  fee: Paise | null;
  paid: Paise | null;
};
/** `mapping`: the field of each column; null: not imported. */
export type ReadingRules = { mapping: readonly (ImportField | null)[]; order: DateOrder; today: DateKey };
export type ReadRow<T> = { values: T; notices: RowNotice[] } | { problem: RowProblem };

const TEXT = { address: 300, number: 60, note: 1_000, doctor: 120 } as const;

const BETWEEN: Partial<Record<ImportField, string>> = { phone: " / ", name: " " };
/** Returns the cell of a field. Several columns of one field are joined: "Village", "Street". Of an age and a birth date, the date counts. */
function cellsBy(mapping: ReadingRules["mapping"], cells: readonly string[]): (field: ImportField) => string {
  return (field) => {
    const filled = cells.filter((cell, i) => cell && mapping[i] === field);
    if (field === "born" && filled.length > 1) return filled.find((cell) => /\d\D+\d+\D+\d/.test(cell)) ?? filled[0]!;
    return filled.join(BETWEEN[field] ?? ", ");
  };
}
/** A cell that is imported has a character that could not be decoded (sheet.ts). */
const hasUnreadableCharacters = (mapping: ReadingRules["mapping"], cells: readonly string[]) =>
  cells.some((cell, i) => mapping[i] && cell.includes("\uFFFD"));

export function readPatient(cells: readonly string[], { mapping, ...dates }: ReadingRules): ReadRow<PatientRow> {
  const cell = cellsBy(mapping, cells);
  const notices: RowNotice[] = [];
  if (hasUnreadableCharacters(mapping, cells)) return { problem: "characters-unreadable" };
  const name = readName(cell("name"));
  if (isProblem(name)) return name;
  const phone = readPhone(cell("phone"));
  if (isProblem(phone)) return phone;
  const born = readBorn(cell("born"), dates);
  if (isProblem(born)) return born;
  const gender = readGender(cell("gender")) ?? genderAfterAge(cell("born"));
  const blood = readBlood(cell("blood"));
  if (phone?.others) notices.push("second-phone");
  if (cell("gender") && !gender) notices.push("gender-unknown");
  if (cell("blood") && !blood) notices.push("blood-unknown");
  const text = (field: keyof typeof TEXT & ImportField) => cutText(cell(field), TEXT[field], notices);
  return {
    values: {
      name,
      phone: phone?.phone ?? null,
      born,
      gender,
      blood,
      address: text("address"),
      number: text("number"),
      note: text("note"),
    },
    notices,
  };
}
/** "45/F" */
const genderAfterAge = (cell: string): Gender | null => readGender(/[\d\s.y]\s*[/-]\s*([mf])\s*$/i.exec(cell)?.[1] ?? "");

function cutText(cell: string, most: number, notices: RowNotice[]): string | null {
  const text = most > 300 ? cell.normalize("NFC").trim() : oneLine(cell);
  const cut = fitText(text, most);
  if (cut !== text) notices.push("text-cut");
  return cut || null;
}

export function readAppointment(cells: readonly string[], { mapping, ...dates }: ReadingRules): ReadRow<AppointmentRow> {
  const cell = cellsBy(mapping, cells);
  const notices: RowNotice[] = [];
  if (hasUnreadableCharacters(mapping, cells)) return { problem: "characters-unreadable" };
  if (!cell("date")) return { problem: "date-missing" };
  const date = readDate(cell("date"), dates);
  if (isProblem(date)) return date;
  const time = readTime(cell("time") || timeOfDate(cell("date")));
  if (isProblem(time)) return time;
  const phone = readPhone(cell("phone"));
  if (isProblem(phone)) return phone;
  const name = cell("name") ? readName(cell("name")) : null;
  if (isProblem(name)) return name;
  const status = readStatus(cell("status"));
  if (isProblem(status)) return status;
  const fee = readAmount(cell("fee"));
  if (isProblem(fee)) return fee;
  const paid = readAmount(cell("paid"));
  if (isProblem(paid)) return paid;
  if (phone?.others) notices.push("second-phone");
  const number = cutText(cell("number"), TEXT.number, notices);
  if (!number && !name) return { problem: "patient-missing" };
  const isPast = date < dates.today;
  if (!isPast && !time) return { problem: "time-missing" };
  return {
    values: {
      date,
      time,
      doctor: cutText(cell("doctor"), TEXT.doctor, notices),
      number,
      phone: phone?.phone ?? null,
      name,
      // A register without states lists those who came.
      status: status ?? (isPast ? "seen" : "booked"),
      fee,
      paid,
    },
    notices,
  };
}

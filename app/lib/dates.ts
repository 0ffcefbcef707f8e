/**
 * Dates and times in one time zone: Asia/Kolkata, UTC+5:30, no daylight saving.
 * A `DateKey` is "2026-11-22" (as a Postgres `date`), a `TimeKey` is "10:30" (24 h, local time).
 * Nothing here reads the clock: callers pass the instant.
 */

import { m } from "#app/paraglide/messages.js";
import { plainDigits } from "./digits.ts";
import { minutes } from "./durations.ts";

export type DateKey = string;
export type TimeKey = string;

const OFFSET = minutes(330);
// One message each: a page loads the names of its own language only.
const weekdays = () => m.dates_weekdays().split(" ");
const weekdaysLong = () => m.dates_weekdays_long().split(" ");
const months = () => m.dates_months().split(" ");

const DATE_KEY = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME_KEY = /^([01]\d|2[0-3]):([0-5]\d)$/;
const pad = (n: number) => String(n).padStart(2, "0");

/** Returns the date in India at this instant. */
export function todayInIndia(now: Date): DateKey {
  return new Date(now.getTime() + OFFSET).toISOString().slice(0, 10);
}
/** Returns the time in India at this instant, "HH:mm". */
export function timeInIndia(now: Date): TimeKey {
  return new Date(now.getTime() + OFFSET).toISOString().slice(11, 16);
}
/** Formats an instant for spreadsheets, which read it as a date: "2026-11-22 10:30:05", in India (docs/csv.md). */
export function secondInIndia(at: Date): string {
  return new Date(at.getTime() + OFFSET).toISOString().slice(0, 19).replace("T", " ");
}
/** Converts a date and time in India to an instant. */
export function instantInIndia(date: DateKey, time: TimeKey): Date {
  return new Date(Date.parse(`${date}T${time.slice(0, 5)}:00.000Z`) - OFFSET);
}
/** True for an existing day written yyyy-mm-dd (31 February does not exist). */
export function isDateKey(value: string): boolean {
  if (!DATE_KEY.test(value)) return false;
  const at = new Date(`${value}T00:00:00.000Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === value;
}
/** Converts "25/12/2026", "25-12-2026" or "25.12.2026" to a `DateKey`. Returns other text unchanged. */
export function dayFirst(text: string): string {
  const [, d = "", month = "", y = ""] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(text) ?? [];
  return d ? `${y}-${month.padStart(2, "0")}-${d.padStart(2, "0")}` : text;
}
/** True for "HH:mm". */
export function isTimeKey(value: string): boolean {
  return TIME_KEY.test(value);
}
/** Adds `count` days (negative: earlier). */
export function addDays(date: DateKey, count: number): DateKey {
  const at = new Date(`${date}T00:00:00.000Z`);
  at.setUTCDate(at.getUTCDate() + count);
  return at.toISOString().slice(0, 10);
}
/** Adds `count` months. Returns the last day of the month when it is shorter. */
export function addMonths(date: DateKey, count: number): DateKey {
  const [y, month, d] = parts(date);
  const first = new Date(Date.UTC(y, month - 1 + count, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return `${first.getUTCFullYear()}-${pad(first.getUTCMonth() + 1)}-${pad(Math.min(d, last))}`;
}
/** Whole days from `a` to `b`; negative when `b` is earlier. */
export function daysBetween(a: DateKey, b: DateKey): number {
  return Math.round((Date.parse(`${b}T00:00:00Z`) - Date.parse(`${a}T00:00:00Z`)) / 86_400_000);
}
/** 0 = Sunday. */
export function weekdayOf(date: DateKey): number {
  return new Date(`${date}T00:00:00.000Z`).getUTCDay();
}
function parts(date: DateKey): [number, number, number] {
  const [y, month, d] = date.split("-").map(Number);
  return [y ?? 0, month ?? 0, d ?? 0];
}

/** Returns the month of a date: "2026-11". */
export const monthOf = (date: DateKey) => date.slice(0, 7);
/** True for "yyyy-mm". */
export function isMonthKey(value: string): boolean {
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(value);
}
/** Adds `count` months to "yyyy-mm". */
export const addToMonth = (month: string, count: number) => addMonths(`${month}-01`, count).slice(0, 7);
/** Returns the weeks of a month, Sunday first. Days of other months are null. */
export function monthGrid(month: string): (DateKey | null)[][] {
  const first = `${month}-01`;
  const count = daysBetween(first, addMonths(first, 1));
  const cells: (DateKey | null)[] = Array.from({ length: weekdayOf(first) }, () => null);
  for (let i = 0; i < count; i++) cells.push(addDays(first, i));
  while (cells.length % 7) cells.push(null);
  return Array.from({ length: cells.length / 7 }, (_, w) => cells.slice(w * 7, w * 7 + 7));
}

// Formats in the current language. Names come from our messages, not from Intl, whose Telugu and Hindi dates read badly.
// Digits are always 0–9.

/** "22 Nov 2026", "22 నవంబర్ 2026" */
export function formatDate(date: DateKey): string {
  const [y, month, d] = parts(date);
  return `${d} ${months()[month - 1]} ${y}`;
}
/** "Sun 22 Nov 2026", "ఆది, 22 నవంబర్ 2026" */
export const formatDay = (date: DateKey) => m.dates_day({ weekday: weekdays()[weekdayOf(date)] ?? "", date: formatDate(date) });
/** "22 Nov" */
export function formatDayOfMonth(date: DateKey): string {
  const [, month, d] = parts(date);
  return `${d} ${months()[month - 1]}`;
}
/** "Sun 22 Nov" */
export const formatDayShort = (date: DateKey) => m.dates_day({ weekday: weekdays()[weekdayOf(date)] ?? "", date: formatDayOfMonth(date) });
/** "Sunday, 22 Nov 2026", "22 నవంబర్ 2026, ఆదివారం" */
export const formatDayLong = (date: DateKey) => m.dates_day_long({ weekday: weekdayLong(weekdayOf(date)), date: formatDate(date) });
/** "November 2026" of "2026-11" */
export function formatMonth(month: string): string {
  const [y, number] = parts(`${month}-01`);
  return `${m.dates_months_long().split(" ")[number - 1]} ${y}`;
}
/** "Nov" of "2026-11" */
export const monthShort = (month: string): string => m.dates_months_short().split(" ")[Number(month.slice(5, 7)) - 1] ?? "";
/** Returns the parts of a calendar leaf: "Sun", "22", "Nov 2026". */
export function leafOf(date: DateKey): { weekday: string; day: string; month: string } {
  const [y, , d] = parts(date);
  return { weekday: weekdays()[weekdayOf(date)] ?? "", day: String(d), month: `${monthShort(date)} ${y}` };
}
/** "Sunday" for 0. */
export const weekdayLong = (weekday: number): string => weekdaysLong()[weekday] ?? "";
/** Returns the short weekday names, Sunday first. */
export const weekdayHeads = (): readonly string[] => weekdays();
export type PartOfDay = "morning" | "afternoon" | "evening";
/** Returns the part of the day that a time is listed under. Evening starts at 5 PM in English, at 4 PM in Telugu and Hindi. */
export const partOfDay = (time: TimeKey): PartOfDay =>
  time < "12:00" ? "morning" : time < m.dates_evening_from() ? "afternoon" : "evening";
/** "10:30 AM" of "10:30" or "10:30:00"; "ఉదయం 10:30", "सुबह 10:30". */
export function formatTime(time: TimeKey): string {
  const h = Number(time.slice(0, 2));
  const inputs = { time: shortTime(time) };
  if (h < 3) return m.dates_night(inputs);
  if (h < 5) return m.dates_dawn(inputs);
  if (h < 12) return m.dates_morning(inputs);
  if (partOfDay(time) === "afternoon") return m.dates_noon(inputs);
  return h < 19 ? m.dates_evening(inputs) : m.dates_late(inputs);
}
/** "6:40–7:05 PM": the part of the day is named once where both have the same. */
export function formatSpan({ from, until }: { from: TimeKey; until: TimeKey }): string {
  const [first, last] = [formatTime(from), formatTime(until)];
  const [begin, end] = [shortTime(from), shortTime(until)];
  if (first.replace(begin, "") !== last.replace(end, "")) return `${first} – ${last}`;
  return last.startsWith(end) ? `${begin}–${last}` : `${first}–${end}`;
}
/** "10:30": for a small box where the list beside it has the part of the day. */
export function shortTime(time: TimeKey): string {
  const [h = 0, min = 0] = time.split(":").map(Number);
  return `${h % 12 === 0 ? 12 : h % 12}:${pad(min)}`;
}
/** "10:30 AM" in every language: for the API and registered SMS templates. */
export function clockTime(time: TimeKey): string {
  return `${shortTime(time)} ${time < "12:00" ? "AM" : "PM"}`;
}
/** Converts "10:30 AM", "10:30" or "10:30:00" to "HH:mm". Returns null for other text. */
export function parseTime(text: string): TimeKey | null {
  const t = plainDigits(text).trim();
  const half = /^(0?[1-9]|1[0-2]):([0-5]\d)\s*([AaPp])\.?[Mm]\.?$/.exec(t);
  if (half) {
    const hour = (Number(half[1]) % 12) + (half[3]!.toLowerCase() === "p" ? 12 : 0);
    return `${pad(hour)}:${half[2]}`;
  }
  const full = /^(\d{1,2}):(\d{2})(?::\d{2})?$/.exec(t);
  if (!full) return null;
  const key = `${pad(Number(full[1]))}:${full[2]}`;
  return isTimeKey(key) ? key : null;
}
/** "22 Nov 2026, 10:30 AM", the instant in India. */
export const formatInstant = (at: Date) => m.dates_instant({ date: formatDate(todayInIndia(at)), time: formatTime(timeInIndia(at)) });
/** Whole months from a day to another. A month is over on the same day of the next one, or on the first day after it if it is shorter. */
export function monthsBetween(from: DateKey, to: DateKey): number {
  const [fy, fm, fd] = parts(from);
  const [y, month, d] = parts(to);
  return (y - fy) * 12 + month - fm - (d < fd ? 1 : 0);
}
/** Returns the age in whole years on a day. */
export const ageOn = (birth: DateKey, on: DateKey): number => Math.floor(monthsBetween(birth, on) / 12);

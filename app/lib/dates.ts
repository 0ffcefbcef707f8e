/**
 * Dates and times of the product. One zone: Asia/Kolkata, UTC+5:30, no daylight saving (docs: design/india.md).
 * A `DateKey` is "2026-11-22" (what Postgres `date` gives), a `TimeKey` is "10:30" (24 h, local time).
 * Nothing here reads the clock: the instant is always passed in.
 */
import { plainDigits } from "./digits.ts";
import { minutes } from "./durations.ts";

export type DateKey = string;
export type TimeKey = string;

const OFFSET = minutes(330);
const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;
const WEEKDAYS_LONG = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;
const MONTHS_LONG = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

const DATE_KEY = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME_KEY = /^([01]\d|2[0-3]):([0-5]\d)$/;
const pad = (n: number) => String(n).padStart(2, "0");

/** Today in India at this instant. */
export function todayInIndia(now: Date): DateKey {
  return new Date(now.getTime() + OFFSET).toISOString().slice(0, 10);
}
/** The wall clock in India at this instant, "HH:mm". */
export function timeInIndia(now: Date): TimeKey {
  return new Date(now.getTime() + OFFSET).toISOString().slice(11, 16);
}
/** The instant at which this date and time strike in India. */
export function instantInIndia(date: DateKey, time: TimeKey): Date {
  return new Date(Date.parse(`${date}T${time.slice(0, 5)}:00.000Z`) - OFFSET);
}
/** True for a real calendar day written yyyy-mm-dd (31 February is not one). */
export function isDateKey(value: string): boolean {
  if (!DATE_KEY.test(value)) return false;
  const at = new Date(`${value}T00:00:00.000Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === value;
}
/** True for "HH:mm". */
export function isTimeKey(value: string): boolean {
  return TIME_KEY.test(value);
}
/** The day `count` days later (negative: earlier). */
export function addDays(date: DateKey, count: number): DateKey {
  const at = new Date(`${date}T00:00:00.000Z`);
  at.setUTCDate(at.getUTCDate() + count);
  return at.toISOString().slice(0, 10);
}
/** The same day `count` months later; the last day of that month when it is shorter. */
export function addMonths(date: DateKey, count: number): DateKey {
  const [y, m, d] = parts(date);
  const first = new Date(Date.UTC(y, m - 1 + count, 1));
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
  const [y, m, d] = date.split("-").map(Number);
  return [y ?? 0, m ?? 0, d ?? 0];
}

/** "2026-11" of a date. */
export const monthOf = (date: DateKey) => date.slice(0, 7);
/** True for "yyyy-mm". */
export function isMonthKey(value: string): boolean {
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(value);
}
/** The month `count` months later, "yyyy-mm". */
export const addToMonth = (month: string, count: number) => addMonths(`${month}-01`, count).slice(0, 7);
/** Weeks (Sunday first) of a month; null where the week reaches outside the month. */
export function monthGrid(month: string): (DateKey | null)[][] {
  const first = `${month}-01`;
  const count = daysBetween(first, addMonths(first, 1));
  const cells: (DateKey | null)[] = Array.from({ length: weekdayOf(first) }, () => null);
  for (let i = 0; i < count; i++) cells.push(addDays(first, i));
  while (cells.length % 7) cells.push(null);
  return Array.from({ length: cells.length / 7 }, (_, w) => cells.slice(w * 7, w * 7 + 7));
}

/** "22 Nov 2026" */
export function formatDate(date: DateKey): string {
  const [y, m, d] = parts(date);
  return `${d} ${MONTHS[m - 1]} ${y}`;
}
/** "Sun 22 Nov 2026" */
export const formatDay = (date: DateKey) => `${WEEKDAYS[weekdayOf(date)]} ${formatDate(date)}`;
/** "Sun 22 Nov", where the year goes without saying. */
export function formatDayShort(date: DateKey): string {
  const [, m, d] = parts(date);
  return `${WEEKDAYS[weekdayOf(date)]} ${d} ${MONTHS[m - 1]}`;
}
/** "Sunday, 22 Nov 2026" */
export const formatDayLong = (date: DateKey) => `${WEEKDAYS_LONG[weekdayOf(date)]}, ${formatDate(date)}`;
/** "November 2026" of "2026-11" */
export function formatMonth(month: string): string {
  const [y, m] = parts(`${month}-01`);
  return `${MONTHS_LONG[m - 1]} ${y}`;
}
/** "Nov" of "2026-11" */
export const monthShort = (month: string): string => MONTHS[Number(month.slice(5, 7)) - 1] ?? "";
/** Parts for the wall-calendar leaf: "Sun", "22", "Nov 2026". */
export function leafOf(date: DateKey): { weekday: string; day: string; month: string } {
  const [y, m, d] = parts(date);
  return { weekday: WEEKDAYS[weekdayOf(date)] ?? "", day: String(d), month: `${MONTHS[m - 1]} ${y}` };
}
/** "Sunday" for 0. */
export const weekdayLong = (weekday: number): string => WEEKDAYS_LONG[weekday] ?? "";
/** Short weekday heads of a calendar, Sunday first. */
export const weekdayHeads = (): readonly string[] => WEEKDAYS;
/** "10:30 AM" of "10:30" or "10:30:00" */
export function formatTime(time: TimeKey): string {
  const [h = 0, m = 0] = time.split(":").map(Number);
  return `${h % 12 === 0 ? 12 : h % 12}:${pad(m)} ${h < 12 ? "AM" : "PM"}`;
}
/** "HH:mm" of "10:30 AM", "10:30" or "10:30:00"; null when it is neither. */
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
/** "22 Nov 2026, 10:30 AM" of an instant, as read in India. */
export const formatInstant = (at: Date) => `${formatDate(todayInIndia(at))}, ${formatTime(timeInIndia(at))}`;
/** Whole years from a birth date to a day. */
export function ageOn(birth: DateKey, on: DateKey): number {
  const [by, bm, bd] = parts(birth);
  const [y, m, d] = parts(on);
  return y - by - (m < bm || (m === bm && d < bd) ? 1 : 0);
}

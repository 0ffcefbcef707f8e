/**
 * How long a patient waits: the start of the session + the rest of the visit under way + the visits ahead. Visits are log-normal, so their
 * moments are known. The result is the range from the 50th to the 80th percentile; one number would be false.
 */
import { minutes } from "#app/lib/durations.ts";
import { aboveAge, cdfOfMoments, type Moments, percentile, tail } from "./distribution.ts";

/** Spread of the logarithm of a visit's length. */
const SIGMA = 0.5;
const MEAN_PER_MEDIAN = Math.exp(SIGMA ** 2 / 2);
/** Used until a doctor has a history: the median length of a visit, and the share of booked patients who come. */
const DEFAULT_MEDIAN = 7;
const DEFAULT_SHOWS = 0.8;
/** Delays of the start in minutes, for a doctor without a history. */
const DEFAULT_DELAYS = [0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60];
/** How many visits of today count as much as the whole history, and how many of the history as much as the default. */
const TODAY_WEIGHT = 10;
const HISTORY_WEIGHT = 20;
const FEWEST_DELAYS = 5;
/** Share of patients who come later and go first. */
const EMERGENCIES = 0.05;
/** When booked patients come, in minutes after their time. */
const ARRIVAL = { mean: -5, spread: 10 };
/** After an announced time the doctor comes within these minutes. As many as below. */
const AFTER_ANNOUNCED = [0, 5, 10, 15];
/** Minutes still to wait for a doctor who is later than ever, or than announced. */
const LATER_THAN_EVER = [5, 10, 15, 30];

export type History = {
  /** Median length of the doctor's visits in minutes, and how many it is from. */
  median: number | null;
  visits: number;
  /** Minutes between planned and actual start of past sessions. */
  delays: readonly number[];
  /** Share of expected patients who came; null: unknown. */
  shows: number | null;
};
export const NO_HISTORY: History = { median: null, visits: 0, delays: [], shows: null };

export type Situation = {
  history: History;
  /** Lengths of the visits of this session so far, in minutes. */
  today: readonly number[];
  /** Minutes since the visit under way began; null: the doctor is free. */
  inside: number | null;
  /** Patients who are called before this one: those who are here, and minutes since the time of those who are not. */
  waiting: number;
  expected: readonly number[];
  /** Before the doctor is in: minutes since the planned start, negative before it, and the announced delay. null: the doctor is in. */
  start: { late: number; announced: number } | null;
  /** No patient has checked in yet. */
  early?: boolean;
};
/** Minutes. */
export type Range = { low: number; high: number };

/** Returns the median length of a visit: that of today, shrunk toward the doctor's history, which is shrunk toward the default. */
export function visitMedian({ history, today }: Pick<Situation, "history" | "today">): number {
  const past = blend(history.median ?? DEFAULT_MEDIAN, history.visits, DEFAULT_MEDIAN, HISTORY_WEIGHT);
  const sorted = [...today].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  const median = sorted.length % 2 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
  return sorted.length ? blend(median, sorted.length, past, TODAY_WEIGHT) : past;
}
const blend = (value: number, count: number, other: number, weight: number) => (value * count + other * weight) / (count + weight);

/** Returns when the patient is probably called, in steps of 5 minutes: half of the waits end by `low`, four of five by `high`. */
export const estimateWait = (situation: Situation): Range => rounded(exactWait(situation));

/** Returns the same in exact minutes. Before the first check-in the range also covers what the check-ins can show: all come, and one patient more. */
export function exactWait(situation: Situation): Range {
  const range = waitOf(situation);
  if (!situation.early) return range;
  const all = waitOf({ ...situation, waiting: situation.waiting + situation.expected.length + 1, expected: [] });
  return { low: range.low, high: Math.max(range.high, all.high) };
}

function waitOf(situation: Situation): Range {
  const { start, history } = situation;
  if (!start) return waitFrom([0], situation);
  const usual = waitFrom(usualStarts(start.late, history.delays), situation);
  if (!start.announced) return usual;
  // An announcement never shortens a wait, also of a doctor who is usually later than announced.
  const announced = waitFrom(announcedStarts(start), situation);
  return { low: Math.max(usual.low, announced.low), high: Math.max(usual.high, announced.high) };
}

function waitFrom(starts: readonly number[], situation: Situation): Range {
  const moments = momentsOf(situation);
  const cdf = (minutes: number) => starts.reduce((sum, start) => sum + cdfOfMoments(moments, minutes - start), 0) / starts.length;
  return { low: percentile(cdf, 0.5), high: percentile(cdf, 0.8) };
}

function momentsOf({ history, today, inside, waiting, expected }: Situation): Moments {
  const median = visitMedian({ history, today });
  const mean = median * MEAN_PER_MEDIAN;
  const square = median ** 2 * Math.exp(2 * SIGMA ** 2);
  const shows = history.shows ?? DEFAULT_SHOWS;
  const rest = inside === null ? { mean: 0, variance: 0 } : aboveAge({ median, sigma: SIGMA }, inside);
  let [ahead, variance] = [waiting, waiting * (square - mean ** 2)];
  for (const late of expected) {
    // The longer a patient is overdue, the less likely they come.
    const stillComing = shows * tail((late - ARRIVAL.mean) / ARRIVAL.spread);
    const comes = stillComing / (stillComing + 1 - shows);
    ahead += comes;
    variance += comes * square - (comes * mean) ** 2;
  }
  const patients = ahead * (1 + EMERGENCIES);
  // The pace of today is itself uncertain, the less so the more is known.
  const unsure = 0.4 / Math.sqrt(4 + today.length + Math.min(history.visits, 60) / 2);
  return { mean: patients * mean + rest.mean, variance: variance * (1 + EMERGENCIES) + rest.variance + (patients * mean * unsure) ** 2 };
}

/** Returns the minutes until a doctor comes who is as late as usual, each equally likely. */
function usualStarts(late: number, delays: readonly number[]): readonly number[] {
  const known = delays.length >= FEWEST_DELAYS ? delays : DEFAULT_DELAYS;
  const left = known.map((delay) => Math.max(delay, 0) - late).filter((minutes) => minutes > 0);
  return left.length ? left : LATER_THAN_EVER;
}
/** Returns the minutes until a doctor comes who is expected at an announced time, each equally likely. */
const announcedStarts = ({ late, announced }: NonNullable<Situation["start"]>): number[] =>
  AFTER_ANNOUNCED.map((more, i) => Math.max(announced + more - late, LATER_THAN_EVER[i]!));

/** Rounds to 5 minutes, the upper figure up. 0 minutes is promised to no one who has others ahead. */
export function rounded({ low, high }: Range): Range {
  const from = Math.max(5, Math.round(low / 5) * 5);
  return { low: from, high: Math.max(from + 5, Math.ceil(high / 5) * 5) };
}

const STEP = minutes(5);
const nearest = (at: number) => Math.round(at / STEP) * STEP;
const up = (at: number) => Math.ceil(at / STEP) * STEP;
/**
 * Returns a range as times of the clock, in steps of 5 minutes: what every page and message shows. It does not end in the past, and does not begin before `doctorAt`, when a
 * doctor is expected who is not in yet.
 */
export function clockRange({ low, high }: Range, now: Date, doctorAt: Date | null): { from: Date; until: Date } {
  const at = (wait: number) => now.getTime() + minutes(wait);
  const from = Math.max(nearest(at(low)), up(at(0)), doctorAt ? up(doctorAt.getTime()) : 0);
  return { from: new Date(from), until: new Date(Math.max(up(at(high)), from + STEP)) };
}

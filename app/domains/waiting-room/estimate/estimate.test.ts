import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aboveAge, cdfOfMoments, percentile, tail } from "./distribution.ts";
import { clockRange, estimateWait, exactWait, NO_HISTORY, type Situation, visitMedian } from "./estimate.ts";

const SITUATION: Situation = { history: NO_HISTORY, today: [], inside: null, waiting: 3, expected: [], start: null };
const known = { median: 10, visits: 200, delays: [], shows: 0.9 };
const situation = fc.record({
  history: fc.record({
    median: fc.option(fc.integer({ min: 1, max: 60 })),
    visits: fc.nat(500),
    delays: fc.array(fc.integer({ min: -30, max: 240 }), { maxLength: 40 }),
    shows: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  }),
  today: fc.array(fc.double({ min: 0, max: 120, noNaN: true }), { maxLength: 40 }),
  inside: fc.option(fc.double({ min: 0, max: 600, noNaN: true })),
  waiting: fc.nat(100),
  expected: fc.array(fc.integer({ min: -600, max: 600 }), { maxLength: 60 }),
  start: fc.option(fc.record({ late: fc.integer({ min: -600, max: 600 }), announced: fc.integer({ min: 0, max: 480 }) })),
});

describe("estimateWait", () => {
  it("shows a range in steps of 5 minutes, never one number, for any situation", () => {
    fc.assert(
      fc.property(situation, (any) => {
        const { low, high } = estimateWait(any);
        expect([low % 5, high % 5]).toEqual([0, 0]);
        expect(low).toBeGreaterThanOrEqual(5);
        expect(high).toBeGreaterThan(low);
        expect(Number.isFinite(high)).toBe(true);
      }),
    );
  });
  it("never shortens the wait when another patient is ahead", () => {
    fc.assert(
      fc.property(situation, (any) => {
        const more = estimateWait({ ...any, waiting: any.waiting + 1 });
        const { low, high } = estimateWait(any);
        expect(more.low).toBeGreaterThanOrEqual(low);
        expect(more.high).toBeGreaterThanOrEqual(high - 5);
      }),
    );
  });
  it("is wider before the first check-in than after any check-ins, also of one walk-in", () => {
    fc.assert(
      fc.property(situation, fc.array(fc.boolean(), { maxLength: 60 }), fc.boolean(), (any, came, walkIn) => {
        const before = exactWait({ ...any, today: [], inside: null, waiting: 0, early: true });
        const absent = any.expected.filter((_, i) => !came[i]);
        const waiting = any.expected.length - absent.length + Number(walkIn);
        const after = exactWait({ ...any, today: [], inside: null, waiting, expected: absent });
        expect(before.low).toBeLessThanOrEqual(after.low + 1e-6);
        expect(before.high).toBeGreaterThanOrEqual(after.high - 1e-6);
      }),
    );
  });
  it("never shortens the wait with more patients where four of five starts were on time and the fifth three hours late", () => {
    const delays = [0, 0, 0, 0, 173];
    const high = (waiting: number) =>
      exactWait({
        ...{ history: { median: 1, visits: 25, delays, shows: null }, today: [], inside: null, start: { late: -1, announced: 0 } },
        ...{ waiting, expected: [] },
      }).high;
    const highs = [1, 2, 3, 5, 10].map(high);
    expect(highs).toEqual(highs.toSorted((a, b) => a - b));
  });
  it("multiplies the patients ahead by the visits of this doctor", () => {
    const wait = (waiting: number, median: number) => estimateWait({ ...SITUATION, history: { ...known, median }, waiting }).low;
    expect(wait(5, 10)).toBeGreaterThanOrEqual(50);
    expect(wait(5, 10)).toBeLessThanOrEqual(65);
    expect(wait(5, 4)).toBeLessThan(wait(5, 10));
    expect(wait(10, 4)).toBeGreaterThan(wait(5, 4));
  });
  it("adds the delay that was announced", () => {
    const start = { late: 0, announced: 0 };
    const wait = (more: Partial<typeof start>) => estimateWait({ ...SITUATION, start: { ...start, ...more } }).low;
    expect(wait({ announced: 60 }) - wait({ announced: 30 })).toBe(30);
    expect(wait({ late: -60 })).toBeGreaterThan(wait({ late: 0 }) + 45);
  });
  it("never shortens the wait by an announcement, however late it is made", () => {
    fc.assert(
      fc.property(situation, fc.integer({ min: -600, max: 600 }), fc.array(fc.nat(480), { maxLength: 4 }), (any, late, times) => {
        const shown = times.toSorted((a, b) => a - b).map((announced) => estimateWait({ ...any, start: { late, announced } }));
        const before = estimateWait({ ...any, start: { late, announced: 0 } });
        shown.reduce((last, next) => {
          expect(next.low).toBeGreaterThanOrEqual(last.low);
          expect(next.high).toBeGreaterThanOrEqual(last.high);
          return next;
        }, before);
      }),
    );
  });
  it("counts an expected patient less the longer they are overdue", () => {
    const wait = (late: number) => estimateWait({ ...SITUATION, expected: Array(8).fill(late) }).low;
    expect(wait(-20)).toBeGreaterThan(wait(15));
    expect(wait(60)).toBe(estimateWait(SITUATION).low);
  });
});

describe("visitMedian", () => {
  it("shrinks today toward the history, and a short history toward the default", () => {
    expect(visitMedian(SITUATION)).toBe(7);
    expect(visitMedian({ history: { ...known, visits: 2 }, today: [] })).toBeLessThan(8);
    expect(visitMedian({ history: known, today: [] })).toBeGreaterThan(9.5);
    const few = visitMedian({ history: known, today: [20, 20] });
    const many = visitMedian({ history: known, today: Array(30).fill(20) });
    expect(few).toBeGreaterThan(10);
    expect(few).toBeLessThan(13);
    expect(many).toBeGreaterThan(16);
  });
  it("is not moved far by one very long visit", () => {
    expect(visitMedian({ history: known, today: [9, 10, 11, 180, 10] })).toBeLessThan(10.5);
  });
});

describe("distributions", () => {
  it("has the known percentiles of the normal distribution", () => {
    expect(tail(0)).toBeCloseTo(0.5, 6);
    expect(tail(1.6448536)).toBeCloseTo(0.05, 6);
    expect(tail(-1.6448536)).toBeCloseTo(0.95, 6);
  });
  it("expects the whole visit at its beginning, and always some rest", () => {
    const visit = { median: 8, sigma: 0.5 };
    expect(aboveAge(visit, 0).mean).toBeCloseTo(8 * Math.exp(0.125), 2);
    for (const age of [1, 5, 10, 30, 60, 500]) expect(aboveAge(visit, age).mean).toBeGreaterThan(0);
  });
  it("finds the value of a percentile", () => {
    const moments = { mean: 40, variance: 200 };
    expect(
      cdfOfMoments(
        moments,
        percentile((value) => cdfOfMoments(moments, value), 0.8),
      ),
    ).toBeCloseTo(0.8, 6);
  });
});

describe("clockRange", () => {
  const now = new Date("2026-11-27T12:22:31.000Z");
  const of = (low: number, high: number, doctorAt: Date | null = null) => {
    const { from, until } = clockRange({ low, high }, now, doctorAt);
    return [from.toISOString().slice(11, 16), until.toISOString().slice(11, 16)];
  };
  it("rounds to 5 minutes of the clock, the end up", () => {
    expect(of(48, 71)).toEqual(["13:10", "13:35"]);
    expect(of(0.2, 0.3)).toEqual(["12:25", "12:30"]);
  });
  it("does not begin before the doctor is expected", () => {
    expect(of(16, 30, new Date("2026-11-27T12:43:00.000Z"))).toEqual(["12:45", "12:55"]);
    expect(of(16, 18, new Date("2026-11-27T12:43:00.000Z"))).toEqual(["12:45", "12:50"]);
  });
  it("never ends in the past, for any range", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e4, noNaN: true }), fc.double({ min: 0, max: 1e4, noNaN: true }), (low, more) => {
        const { from, until } = clockRange({ low, high: low + more }, now, null);
        expect(from >= now && until > from).toBe(true);
        expect(until.getTime()).toBeGreaterThanOrEqual(now.getTime() + (low + more) * 60_000);
      }),
    );
  });
});

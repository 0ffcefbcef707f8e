import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aboveAge, cdfOfMoments, percentile, tail } from "./distribution.ts";
import { clockRange, estimateWait, exactWait, NO_HISTORY, rounded, type Situation, visitMedian } from "./estimate.ts";

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
  it.each([
    [5, 600, "before", 4],
    [3, 5, "before", 2],
    [5, -5, "after", 2],
  ])("counts %i expected patients %i minutes %s their time about as %i who wait, where four of five come", (count, ahead, _, waiting) => {
    const expected = Array<number>(count).fill(-ahead);
    const { low } = exactWait({ ...SITUATION, waiting: 0, expected });
    expect(Math.abs(low - exactWait({ ...SITUATION, waiting }).low)).toBeLessThan(2.5);
  });
  const onTime = [0, 0, 0, 0, 0];
  const often = [0, 10, 20, 30, 40];
  it.each([
    ["an hour before a doctor who is always on time", onTime, -60, 0, [60, 60]],
    ["at the start of a doctor who is often late", often, 0, 0, [30, 40]],
    ["15 minutes after it", often, 15, 0, [15, 25]],
    ["when the doctor is later than ever", onTime, 10, 0, [15, 30]],
    ["when 30 minutes are announced", onTime, 10, 30, [30, 35]],
  ])("without patients ahead waits for the doctor only: %s", (_, delays, late, announced, range) => {
    const { low, high } = exactWait({ ...SITUATION, history: { ...NO_HISTORY, delays }, waiting: 0, start: { late, announced } });
    expect([low, high].map((minutes) => Math.round(minutes * 1e6) / 1e6)).toEqual(range);
  });
  it("adds the rest of the visit under way", () => {
    // Of log-normal visits with the median 7 and the spread 0.5.
    const { low, high } = exactWait({ ...SITUATION, waiting: 0, inside: 0 });
    expect([low.toFixed(2), high.toFixed(2)]).toEqual(["7.00", "10.66"]);
    expect(exactWait({ ...SITUATION, inside: 0 }).low).toBeGreaterThan(exactWait(SITUATION).low + 7);
  });
  it("is as wide as the visits, the emergencies and the unknown pace make it", () => {
    // Ten visits of 7.9 ± 4.2 minutes, 5 % emergencies and a pace known to 20 %: 83.3 ± 21.6 minutes, log-normal.
    const { low, high } = exactWait({ ...SITUATION, waiting: 10 });
    expect(low).toBeCloseTo(80.63, 1);
    expect(high).toBeCloseTo(99.91, 1);
  });
  it("knows the pace from ten visits of today as from twenty before, and from sixty as from more", () => {
    const wait = (visits: number, today: number[] = []) => exactWait({ ...SITUATION, history: { ...known, median: 7, visits }, today });
    expect(wait(0, Array(10).fill(7))).toEqual(wait(20));
    expect(wait(600)).toEqual(wait(60));
    expect(wait(60).high).toBeLessThan(wait(20).high);
  });
});

it.each([
  [20, 20, 20, 25],
  [48, 71, 50, 75],
  [0, 1, 5, 10],
])("rounds %i to %i minutes to %i to %i", (low, high, from, until) => {
  expect(rounded({ low, high })).toEqual({ low: from, high: until });
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
  it("takes the middle of today in order of length, also between two", () => {
    const of = (...today: number[]) => visitMedian({ history: known, today });
    expect(of(30, 2, 10)).toBe(of(10, 10, 10));
    expect(of(4, 30, 8, 2)).toBe(of(6, 6, 6, 6));
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
    // From about an hour on the same: the precision ends there.
    expect(aboveAge(visit, 500)).toEqual(aboveAge(visit, 60));
  });
  it.each([0.5, 5, 12, 30])("has mean and variance of the rest of a visit after %s minutes, as added up from its density", (age) => {
    let [share, sum, squares] = [0, 0, 0];
    for (let rest = 0.005; rest < 1000; rest += 0.01) {
      const density = Math.exp(-2 * Math.log((age + rest) / 8) ** 2) / (age + rest);
      share += density;
      sum += density * rest;
      squares += density * rest ** 2;
    }
    const { mean, variance } = aboveAge({ median: 8, sigma: 0.5 }, age);
    expect(mean).toBeCloseTo(sum / share, 2);
    expect(variance).toBeCloseTo(squares / share - (sum / share) ** 2, 1);
  });
  it.each([
    ["a length that is certain", { mean: 30, variance: 0 }, [29.9, 30, 30.1], [0, 1, 1]],
    ["no length", { mean: 0, variance: 0 }, [-1, 0, 1], [0, 1, 1]],
    ["a length that varies", { mean: 40, variance: 200 }, [-1, 0, 40 / Math.sqrt(1.125), 1e9], [0, 0, 0.5, 1]],
  ])("has the share below a value of %s", (_, moments, values, shares) => {
    expect(values.map((value) => Number(cdfOfMoments(moments, value).toFixed(6)))).toEqual(shares);
  });
  it("finds the value at which a distribution rises, and ends where it does not", () => {
    expect(percentile((value) => (value < 7 ? 0 : 1), 0.5)).toBeCloseTo(7, 9);
    expect(percentile(() => 0, 0.5)).toBeGreaterThan(1e5);
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

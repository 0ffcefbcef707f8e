import { describe, expect, it } from "vitest";
import { orderQueue, type Turn, turnOf, type Waiting } from "./order.ts";

const at = (time: string) => new Date(`2026-11-23T${time}:00+05:30`);
const booked = (number: number, due: string, arrived = due): Waiting => ({
  number,
  kind: "booked",
  priority: "normal",
  dueAt: at(due),
  arrivedAt: at(arrived),
  returnedAtCall: null,
});
const walkIn = (number: number, arrived: string): Waiting => ({ ...booked(number, arrived), kind: "walk-in" });
const START: Turn = { calls: 0, bookedSinceWalkIn: 0 };
const numbers = (waiting: Waiting[], turn = START) => orderQueue(waiting, turn).map(({ number }) => number);

describe("orderQueue", () => {
  it("calls two booked patients, then one walk-in, in turn", () => {
    const all = [walkIn(5, "08:00"), walkIn(6, "08:10"), booked(1, "09:00"), booked(2, "09:15"), booked(3, "09:30"), booked(4, "09:45")];
    expect(numbers(all)).toEqual([1, 2, 5, 3, 4, 6]);
    expect(numbers(all, { calls: 7, bookedSinceWalkIn: 1 })).toEqual([1, 5, 2, 3, 6, 4]);
  });
  it("does not wait for booked patients who are not there, nor for walk-ins", () => {
    expect(numbers([walkIn(5, "08:00"), walkIn(6, "08:10")])).toEqual([5, 6]);
    expect(numbers([booked(1, "09:00"), booked(2, "09:15"), booked(3, "09:30")], { calls: 9, bookedSinceWalkIn: 9 })).toEqual([1, 2, 3]);
  });
  it("puts booked patients in the order of their time, also when they are early", () => {
    expect(numbers([booked(2, "12:00", "08:00"), booked(1, "10:00", "10:10")])).toEqual([1, 2]);
  });
  it("puts a booked patient who is more than 15 minutes late by arrival", () => {
    expect(numbers([booked(1, "09:00", "11:05"), booked(2, "11:00", "10:50")])).toEqual([2, 1]);
    expect(numbers([booked(1, "09:00", "09:15"), booked(2, "09:10")])).toEqual([1, 2]);
  });
  it("puts walk-ins in the order of their arrival, also where they were due before", () => {
    expect(numbers([{ ...walkIn(1, "09:05"), dueAt: at("09:00") }, walkIn(2, "09:02")])).toEqual([2, 1]);
  });
  it("calls a walk-in after two booked patients, also one who came after the next", () => {
    expect(numbers([booked(1, "09:00"), booked(2, "09:15"), walkIn(3, "10:00")], { calls: 2, bookedSinceWalkIn: 2 })).toEqual([3, 1, 2]);
  });
  it("calls emergencies first, without changing whose turn it is", () => {
    const all = [booked(1, "09:00"), booked(2, "09:15"), walkIn(4, "09:00"), { ...walkIn(3, "09:40"), priority: "emergency" as const }];
    expect(numbers(all)).toEqual([3, 1, 2, 4]);
  });
  it("calls a skipped patient who returned after two others, or at once when there are none", () => {
    const back = { ...booked(1, "09:00"), returnedAtCall: 5 };
    const others = [booked(2, "09:15"), booked(3, "09:30"), booked(4, "09:45")];
    expect(numbers([back, ...others], { calls: 5, bookedSinceWalkIn: 0 })).toEqual([2, 3, 1, 4]);
    expect(numbers([back, ...others], { calls: 6, bookedSinceWalkIn: 0 })).toEqual([2, 1, 3, 4]);
    expect(numbers([back], { calls: 5, bookedSinceWalkIn: 0 })).toEqual([1]);
    expect(numbers([{ ...walkIn(1, "08:00"), returnedAtCall: 5 }, walkIn(2, "09:00")], { calls: 5, bookedSinceWalkIn: 0 })).toEqual([2, 1]);
  });
  const returned = (at: number, ...entry: Parameters<typeof booked>) => ({ ...booked(...entry), returnedAtCall: at });
  it.each([
    ["who returned first", returned(4, 1, "10:00", "09:50"), returned(5, 2, "09:00")],
    ["who arrived first, of two who returned at one call", returned(5, 1, "10:00", "09:30"), returned(5, 2, "09:45", "09:40")],
    ["with the lower number, of two who also arrived together", returned(5, 1, "09:15", "08:50"), returned(5, 2, "09:00", "08:50")],
  ])("calls first the patient %s", (_, first, second) => {
    expect(numbers([second, first], { calls: 7, bookedSinceWalkIn: 0 })).toEqual([1, 2]);
  });
  it("leaves a returned patient who is next before another one who returns at the same call", () => {
    const first = { ...booked(9, "09:45", "10:00"), returnedAtCall: 5 };
    const second = { ...booked(4, "09:00", "10:05"), returnedAtCall: 5 };
    expect(numbers([second, first], { calls: 5, bookedSinceWalkIn: 0 })).toEqual([9, 4]);
  });
  it("for any queue: keeps everyone once, emergencies first, never three booked before a waiting walk-in, and is stable", () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return seed % below;
    };
    for (let round = 0; round < 500; round++) {
      const waiting = Array.from({ length: random(14) }, (_, i): Waiting => {
        const time = `${String(8 + random(4)).padStart(2, "0")}:${String(random(60)).padStart(2, "0")}`;
        const one = random(2) ? booked(i + 1, time, `${String(8 + random(4)).padStart(2, "0")}:00`) : walkIn(i + 1, time);
        return { ...one, priority: random(9) ? "normal" : "emergency", returnedAtCall: random(6) ? null : random(5) };
      });
      const turn = { calls: 5, bookedSinceWalkIn: random(3) };
      const ordered = orderQueue(waiting, turn);
      expect(ordered.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual(waiting.map(({ number }) => number));
      expect(orderQueue(waiting.toReversed(), turn)).toEqual(ordered);
      const firstNormal = ordered.findIndex(({ priority }) => priority === "normal");
      expect(ordered.slice(firstNormal < 0 ? ordered.length : firstNormal).every(({ priority }) => priority === "normal")).toBe(true);
      let run = turn.bookedSinceWalkIn;
      const turns = ordered.filter(({ priority, returnedAtCall }) => priority === "normal" && returnedAtCall === null);
      for (const [i, { kind }] of turns.entries()) {
        run = kind === "booked" ? run + 1 : 0;
        if (turns.slice(i).some((entry) => entry.kind !== "booked")) expect(run).toBeLessThanOrEqual(Math.max(2, turn.bookedSinceWalkIn));
      }
      // The head stays the head when the list is computed again after it was called.
      const [head, ...rest] = ordered;
      if (head?.priority === "normal" && head.returnedAtCall === null) {
        const after = { calls: turn.calls + 1, bookedSinceWalkIn: head.kind === "booked" ? turn.bookedSinceWalkIn + 1 : 0 };
        expect(orderQueue(rest, after)).toEqual(rest);
      }
    }
  });
});

describe("turnOf", () => {
  const called = (callNumber: number, kind: Waiting["kind"], more: Partial<Waiting> = {}) => ({
    ...booked(1, "09:00"),
    kind,
    callNumber,
    ...more,
  });
  it("counts the booked patients called since the last walk-in, without emergencies and returned patients", () => {
    expect(turnOf(0, [])).toEqual(START);
    expect(
      turnOf(4, [called(1, "booked"), called(2, "scan"), called(4, "booked"), called(3, "walk-in", { priority: "emergency" })]),
    ).toEqual({
      calls: 4,
      bookedSinceWalkIn: 1,
    });
    expect(turnOf(2, [called(1, "booked"), called(2, "booked", { returnedAtCall: 1 })])).toEqual({ calls: 2, bookedSinceWalkIn: 1 });
    expect(turnOf(2, [called(1, "booked"), called(2, "booked", { priority: "emergency" })]).bookedSinceWalkIn).toBe(1);
  });
  it("orders the entries by their call, and leaves out those who still wait", () => {
    const waits = { ...called(0, "booked"), callNumber: null };
    expect(turnOf(1, [called(1, "booked"), waits]).bookedSinceWalkIn).toBe(1);
    expect(turnOf(4, [called(1, "booked"), called(2, "walk-in"), called(4, "booked"), called(3, "booked")]).bookedSinceWalkIn).toBe(2);
  });
});

import { describe, expect, it } from "vitest";
import { endOfSession, expectedTimeOf } from "./token-time.ts";

describe("expectedTimeOf", () => {
  const evening = { time: "17:00", minutes: 180, seats: 30 };

  it.each([
    [1, "17:00"],
    [2, "17:05"],
    [14, "18:15"],
    [30, "19:50"],
  ])("divides the session among its seats: token %i at %s", (token, at) => {
    expect(expectedTimeOf(evening, token)).toBe(at);
  });

  it("starts a session at its minute", () => {
    expect([1, 2].map((token) => expectedTimeOf({ time: "08:20", minutes: 60, seats: 4 }, token))).toEqual(["08:20", "08:35"]);
  });

  it("gives a number above the seats the time of the last seat", () => {
    expect(expectedTimeOf(evening, 47)).toBe("19:50");
  });

  it("never decreases with the number", () => {
    for (const seats of [1, 7, 29, 200])
      for (let token = 1; token < seats + 3; token++)
        expect(expectedTimeOf({ ...evening, seats }, token + 1) >= expectedTimeOf({ ...evening, seats }, token)).toBe(true);
  });

  it("stays within the day", () => {
    expect(expectedTimeOf({ time: "23:00", minutes: 59, seats: 1 }, 1)).toBe("23:00");
    expect(expectedTimeOf({ time: "23:00", minutes: 120, seats: 2 }, 2)).toBe("23:59");
    expect(endOfSession({ time: "23:00", minutes: 120 })).toBe("23:59");
  });
});

import { describe, expect, it } from "vitest";
import { instantInIndia } from "#app/lib/dates.ts";
import { REFUND_HOURS, refundOfCancellation, refundUntil } from "./refund-policy.ts";

const startsAt = instantInIndia("2026-11-24", "10:30");
/** Cancelled by the patient this long before the start, accepted, with the rule of Nadi. */
const cancelled = (over: Partial<Parameters<typeof refundOfCancellation>[0]>, before: { hours?: number; seconds?: number } = {}) =>
  refundOfCancellation({
    status: "accepted",
    startsAt,
    cancelledBy: "patient",
    policy: { hours: 24 },
    now: new Date(startsAt.getTime() - ((before.hours ?? 0) * 3600 + (before.seconds ?? 0)) * 1000),
    ...over,
  });

describe("a refund after a cancellation", () => {
  it.each([
    ["25 hours before", { hours: 25 }, "full"],
    ["a second more than 24 hours before", { hours: 24, seconds: 1 }, "full"],
    ["24 hours before", { hours: 24 }, "full"],
    ["within the minute of the deadline", { hours: 24, seconds: -59 }, "full"],
    ["a minute after the deadline", { hours: 24, seconds: -60 }, "none"],
    ["an hour before", { hours: 1 }, "none"],
    ["at the start", {}, "none"],
    ["after the start", { hours: -1 }, "none"],
  ] as const)("by the patient, %s", (_, before, refund) => {
    expect(cancelled({}, before)).toBe(refund);
  });
  it.each([25, 24, 1, 0, -1])("is always full while pending, by the doctor and by an administrator (%s hours before)", (hours) => {
    expect(cancelled({ status: "pending" }, { hours })).toBe("full");
    for (const cancelledBy of ["doctor", "admin"] as const) expect(cancelled({ cancelledBy }, { hours })).toBe("full");
    expect(cancelled({ changedByClinic: true }, { hours })).toBe("full");
  });
  it.each(REFUND_HOURS)("is full until %s hours before where the clinic says so, and no later", (hours) => {
    const policy = { hours };
    expect(cancelled({ policy }, { hours })).toBe("full");
    expect(cancelled({ policy }, { hours, seconds: -60 })).toBe("none");
  });
  it.each([25, 48, 1000])("is never stricter than the rule of Nadi (%s hours)", (hours) => {
    expect(cancelled({ policy: { hours } }, { hours: 24 })).toBe("full");
    expect(refundUntil({ startsAt, policy: { hours } })).toEqual(instantInIndia("2026-11-23", "10:30"));
  });
  it("counts hours across midnight and the end of a month in India", () => {
    const first = instantInIndia("2026-12-01", "00:15");
    expect(refundUntil({ startsAt: first, policy: { hours: 24 } })).toEqual(instantInIndia("2026-11-30", "00:15"));
    expect(cancelled({ startsAt: first, now: instantInIndia("2026-11-30", "00:15") })).toBe("full");
    expect(cancelled({ startsAt: first, now: instantInIndia("2026-11-30", "00:16") })).toBe("none");
  });
});
